-- Keeps legal holds from being placed until the transaction ends.
SELECT keep_holds()
