"""Support: the staff pages to look accounts up and act on them, the record of acts, and merging (docs/support.md)."""
