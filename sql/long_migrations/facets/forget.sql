-- Nothing is kept, so nothing has to be forgotten.
SELECT;
