"""Authentication: signing in and up, sessions, two-factor authentication, recovery codes and account e-mail."""
