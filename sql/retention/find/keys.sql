-- What goes, by its keys: what a plan has, and what is reported of one. Rows that hang on it, such as facts, have none of their own.

-- leaving_keys: what goes.
CREATE TEMP VIEW leaving_keys AS {kinds}
