"""What is kept from one build to the next, so that only what changed is done again."""
