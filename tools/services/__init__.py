"""Real services for tests and tools: brokers, databases, browsers, and the whole site as processes."""
