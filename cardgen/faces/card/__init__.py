"""The fast engine, for layouts that keep to the card profile: `style`, then boxes, then lines, then paint."""
