"""The ground on which every resource of the API stands (docs/api.md): who asks, what he may, how answers are shaped.

`access` says who may ask and by which scope, `views` checks and counts, `bodies` reads what was sent, `pages` cuts
lists, `errors` is the one shape of all refusals, `schema` writes down what the views promise.
"""
