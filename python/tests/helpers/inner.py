"""A constant."""

WIDTH = 8
