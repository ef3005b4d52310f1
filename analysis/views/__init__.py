"""The pages of the analysis."""
