"""Makers: from what a component states to what is cut, folded and glued. Pure geometry, millimetres."""
