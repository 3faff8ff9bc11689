-- Writes the name of the owner beside the namespace, where Marquez reads it.
UPDATE namespaces SET current_owner_name = %(owner)s WHERE uuid = %(namespace)s
