-- Lets events that bear no arrival number of here arrive now; how many there were.
SELECT renumber_foreign_events()
