"""Personal data: what the site keeps about a person, its export, and the deletion of an account."""
