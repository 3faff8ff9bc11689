-- What each of these tokens may do, in their order.
SELECT judge_receiver_tokens(%(digests)s::bytea[], %(namespaces)s::text[])
