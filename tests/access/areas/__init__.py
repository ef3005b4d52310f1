"""The table, an area a file: everything that can be asked, and what each gets."""
