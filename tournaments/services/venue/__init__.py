"""Venue mode: a tournament is taken out of the club's site, played without internet, and brought back (ruling E27).

`contents` writes the bodies of the files, `home` takes out and gives up, `arrival` is the venue's side, and `returning`
brings the results back.
"""
