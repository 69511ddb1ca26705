"""Tests that oppose the certifiers: what they accept is compared with what models do, state by state."""
