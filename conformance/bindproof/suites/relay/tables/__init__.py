"""Vectors that are made of a table: what holds in every family, on every level, in every kind of call."""
