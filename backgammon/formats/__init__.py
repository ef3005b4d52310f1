"""How dates are written, where the framework's own way would be read wrong."""
