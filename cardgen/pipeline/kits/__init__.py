"""`cardgen kit`: exactly what one evening's bands need, on the fewest sheets, with a checklist."""
