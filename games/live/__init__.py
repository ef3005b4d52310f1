"""Live play at the speed of memory: acts that arrive within a moment are committed together.

`group_commit` takes the acts of this process's sockets. What waits when the commit before has ended is one batch. The
rules run in memory on matches that `folded_matches` keeps folded, and one statement writes what is unchanged since then
(`guarded_write`, on PostgreSQL), which the event loop itself sends (`loop_connection`). For the rest, in a thread, one
statement locks and reads the matches, one appends all actions, one updates all matches and one commit follows
(`statements`, for both databases). Then every act is acknowledged, and `fan_out` sends the events to the sockets.

Only ordinary acts go this way (`ordinary_act`): those that end no game, with no deadline passed, of no correspondence.
All others, and whatever is refused or fails here, are left to `games.services.match_act`, one at a time. That service
is the specification: tests/games/live compares the rows of both for any sequence of acts.
"""
