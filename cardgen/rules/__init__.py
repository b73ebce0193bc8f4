"""Stage two's other half: rules as data judge cards, decks and bands. No game's rules are written in Python."""
