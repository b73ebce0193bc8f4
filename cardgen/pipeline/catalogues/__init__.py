"""`cardgen catalogue update`: a newer catalogue from a pack, what it changes for saved bands, and its installation."""
