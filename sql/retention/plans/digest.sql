-- A digest of all that goes by a plan: the same if and only if the same goes.
SELECT encode(
    sha256(
        convert_to(
            concat_ws(
                chr(10),
                (
                    SELECT string_agg(concat_ws(' ', kind, number, encode(sha256(convert_to(keys::text, 'UTF8')), 'hex')), chr(10) ORDER BY kind COLLATE "C", number)
                    FROM retention_plan_keys
                    WHERE plan = %(plan)s
                ),
                (
                    SELECT string_agg(concat_ws(' ', first_seq, last_seq), chr(10) ORDER BY first_seq)
                    FROM retention_plan_events
                    WHERE plan = %(plan)s
                )
            ),
            'UTF8'
        )
    ),
    'hex'
)
