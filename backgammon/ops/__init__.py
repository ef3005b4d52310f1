"""Running a site: settings, keeping its data, and watching over it. docs/operations.md is its manual."""
