"""What operators ask of the whole store: it goes through what the capabilities declare, and knows none of them."""
