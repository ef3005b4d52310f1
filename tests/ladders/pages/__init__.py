"""The pages of ladders: what each visitor sees, what he may do there, and what it costs."""
