"""What the stages pass to one another: frozen values, no behaviour beyond looking things up."""
