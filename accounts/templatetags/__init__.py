"""What templates of people and programs need."""
