"""Live play: matches, their recorded actions, and everyone who looks on. Read docs/architecture.md first."""
