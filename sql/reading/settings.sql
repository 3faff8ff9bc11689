-- Reading looks up a few keys beside what is stored, whatever old statistics say.
SET LOCAL enable_seqscan = off;
SET LOCAL jit = off;
