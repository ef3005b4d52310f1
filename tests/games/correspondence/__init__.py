"""What a player by correspondence says beforehand."""
