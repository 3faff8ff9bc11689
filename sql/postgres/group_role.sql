-- The role of this store for a purpose.
SELECT name FROM public.group_roles WHERE purpose = %(purpose)s
