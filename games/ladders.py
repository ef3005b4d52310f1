"""The rules of ladders: values in, values out."""
