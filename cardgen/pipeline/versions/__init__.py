"""States of a set: what differs between two of them, pages of cards side by side, releases."""
