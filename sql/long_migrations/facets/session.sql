-- A worker keeps nothing: the events are taken in by the main job's own code.
SELECT;
