"""The stage `sheets`: which face goes where, and the drawing each sheet carries. Pure geometry, in millimetres."""
