"""Template filters of recovery codes and of the API reference."""
