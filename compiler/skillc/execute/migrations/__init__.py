"""The steps from the tables of older versions to those of this one, in order."""
