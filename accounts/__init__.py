"""People and clubs: who may come in, who they are, and how they like to play."""
