"""What the tests stand on: real brokers, databases, browsers and the whole site as processes."""
