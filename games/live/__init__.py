"""Live play at the speed of memory: acts that arrive within a moment are committed together.

`group_commit` takes the acts of this process's sockets. What waits when the commit before has ended is one batch:
one statement locks and reads the matches, the rules run in memory on matches that `folded_matches` keeps folded, one
statement appends all actions, one updates all matches, one commit follows, and then every act is acknowledged.
`statements` has the SQL for both databases, and `fan_out` sends the events to the sockets.

Only ordinary acts go this way (`ordinary_act`): those that end no game, with no deadline passed, of no correspondence.
All others, and whatever is refused or fails here, are left to `games.services.match_act`, one at a time. That service
is the specification: tests/games/live compares the rows of both for any sequence of acts.
"""
