-- Sort key of Java's strings: `ORDER BY utf16_order(x) COLLATE "C"` sorts by UTF-16 code units, as Java does. UTF-8 sorts
-- by code point, and differs where a character beyond the basic plane meets one from U+E000 on, which Java sorts last.
-- So each of those gets U+10FFFF, the last character, before it, and U+10FFFF itself a mark that keeps it below them.
CREATE OR REPLACE FUNCTION utf16_order(value text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
    WHEN octet_length(value) = length(value) THEN value
    ELSE regexp_replace(
        replace(value, U&'\+10FFFF', U&'\+10FFFF\0001') COLLATE "C",
        '([\uE000-\uFFFF])', U&'\+10FFFF\\1', 'g'
    )
END;
