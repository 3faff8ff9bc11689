"""What pages can do: a file for each page that acts, with the address below `/acts`."""
