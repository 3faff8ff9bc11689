"""What carrying over asks of the earlier store, and does in the new one."""
