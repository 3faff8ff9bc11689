-- Where the main job does the work, the worker's own session has nothing to do meanwhile.
SET idle_session_timeout = '1h';
