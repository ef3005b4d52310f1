"""The matrix, a file per area: every request, and what each actor gets."""
