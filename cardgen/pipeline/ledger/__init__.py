"""The ledger: what was printed, what has changed since, and printing only that."""
