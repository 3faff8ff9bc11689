"""The store itself: made, brought up to date, compared with what is declared."""
