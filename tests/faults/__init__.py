"""What happens to a club whose processes are killed while people play: nothing is lost, nothing happens twice."""
