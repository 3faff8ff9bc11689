-- The uuid of a namespace, whose owner nobody else may change until the transaction ends.
SELECT uuid FROM namespaces WHERE name = %(name)s FOR UPDATE
