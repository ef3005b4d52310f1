"""The rating formula: values in, values out."""
