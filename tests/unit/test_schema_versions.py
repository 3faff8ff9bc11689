"""Law 5: equal field sets have one schema version id, different ones different ids; and Marquez' version ids."""

from __future__ import annotations

import hashlib
import uuid

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from lineage_core.model.meaning.schema_versions import Field, dataset_version_uuid, schema_version_uuid, version_content
from lineage_core.openlineage.identity import java_uuid

NAMES = st.text("abc:é\U00010000\ue000", min_size=1, max_size=4)
TYPES = st.none() | st.text("INTint:<>,() ", max_size=6) | st.sampled_from(("struct<a:int>", "map(a:b)", "a:b", ">:<"))
FIELDS = st.lists(st.builds(Field, NAMES, TYPES, st.none() | st.text(max_size=3)), max_size=5)
RUN = "0190a0a0-0000-7000-8000-000000000001"


def schema_id(*fields: tuple[str, str | None]) -> bytes:
    return schema_version_uuid("shop", "orders", [Field(name, type_, None) for name, type_ in fields])


def version_id(
    *fields: Field, namespace: str = "shop", source: str = "db", lifecycle: str = "", run: str | None = RUN
) -> bytes:
    return dataset_version_uuid(namespace, "orders", source, version_content(fields), lifecycle, run)


class TestSchemaVersions:
    @given(one=FIELDS, other=FIELDS)
    @example(one=[Field("a", "b", None), Field("c", "d", None)], other=[Field("a", "b:c:d", None)])
    @example(one=[Field("a", None, None), Field("b", None, None)], other=[Field("a", "b", None)])
    @example(one=[Field("a", "", None)], other=[Field("a", None, None)])
    @example(one=[Field("a:b", "c", None)], other=[Field("a", "b:c", None)])
    @example(one=[Field("a", "x)", None), Field("b", "y", None)], other=[Field("a", "x):b:y", None)])
    @example(one=[Field("a", "(", None), Field("b", "y)", None)], other=[Field("a", "(:b:y)", None)])
    def test_ids_are_equal_if_and_only_if_the_field_sets_are(self, one: list[Field], other: list[Field]) -> None:
        ids = [schema_version_uuid("shop", "orders", fields) for fields in (one, other)]
        sets = [{(field.name, field.type) for field in fields} for fields in (one, other)]
        assert (ids[0] == ids[1]) == (sets[0] == sets[1])

    @given(fields=FIELDS, data=st.data())
    def test_order_repeats_and_descriptions_do_not_count(self, fields: list[Field], data: st.DataObject) -> None:
        mixed = data.draw(st.permutations(fields)) + fields[:1]
        described = [field._replace(description="other words") for field in mixed]
        assert schema_version_uuid("n", "d", described) == schema_version_uuid("n", "d", fields)

    def test_the_case_of_types_counts(self) -> None:
        assert schema_id(("id", "BIGINT")) != schema_id(("id", "bigint"))

    @pytest.mark.parametrize(
        ("fields", "written"),
        [
            ((), "shop:orders:"),
            ((("b", "INT"), ("a", "VARCHAR(40)")), "shop:orders:a:VARCHAR(40):b:INT"),
            ((("a", ""),), "shop:orders:a:"),
            ((("a", "struct<x:int,y:array<z:int>>"),), "shop:orders:a:struct<x:int,y:array<z:int>>"),
            ((("\ue000", "T"), ("\U00010000", "T")), "shop:orders:\U00010000:T:\ue000:T"),
        ],
    )
    def test_where_the_text_is_plain_the_id_is_marquez_own(
        self, fields: tuple[tuple[str, str | None], ...], written: str
    ) -> None:
        assert schema_id(*fields) == java_uuid(written)

    @pytest.mark.parametrize(
        "field", [("a", None), ("a:b", "INT"), ("a", "b:c"), ("a", ">:<"), ("a", "("), ("a", "b)")]
    )
    def test_where_the_text_could_stand_for_other_fields_the_id_is_ours(self, field: tuple[str, str | None]) -> None:
        assert uuid.UUID(bytes=schema_id(field)).version == 8

    def test_equal_schemas_of_two_datasets_are_two(self) -> None:
        fields = [Field("id", "INT", None)]
        assert schema_version_uuid("shop", "orders", fields) != schema_version_uuid("shop", "lines", fields)


class TestDatasetVersions:
    @pytest.mark.parametrize(
        ("fields", "rest", "written"),
        [
            ((), {}, f"shop:db:orders:orders:::{RUN}"),
            ((), {"run": None}, "shop:db:orders:orders::"),
            ((), {"lifecycle": "DROP", "run": None}, "shop:db:orders:orders::DROP"),
            (
                (Field("b", "int", None), Field("a", "Text", "of it")),
                {"run": None},
                "shop:db:orders:orders:a:TEXT:of it:b:INT:",
            ),
            ((Field("a", None, "of it"),), {"run": None}, "shop:db:orders:orders:a:of it:"),
            ((Field("a", None, None), Field("a", "INT", None)), {"run": None}, "shop:db:orders:orders:a:a:INT:"),
        ],
    )
    def test_the_id_is_that_of_marquez_text(
        self, fields: tuple[Field, ...], rest: dict[str, str], written: str
    ) -> None:
        digest = hashlib.md5(written.encode(), usedforsecurity=False).digest()
        made = version_id(*fields, **rest)
        assert (made[:6], made[9:]) == (digest[:6], digest[9:])
        assert made == java_uuid(written)

    @given(fields=FIELDS, data=st.data())
    def test_the_order_of_fields_does_not_count(self, fields: list[Field], data: st.DataObject) -> None:
        assert version_id(*fields) == version_id(*data.draw(st.permutations(fields)))

    @given(field=st.builds(Field, st.just("a"), st.sampled_from(("int", "text")), st.none()), words=st.text(min_size=1))
    def test_descriptions_count_and_the_case_of_types_does_not(self, field: Field, words: str) -> None:
        assume(field.type is not None)
        assert version_id(field) != version_id(field._replace(description=words))
        assert version_id(field) == version_id(field._replace(type=(field.type or "").upper()))

    def test_source_lifecycle_run_and_spelling_of_the_namespace_count(self) -> None:
        made = [
            version_id(),
            version_id(source="x"),
            version_id(lifecycle="DROP"),
            version_id(run=None),
            version_id(namespace="s"),
        ]
        assert len(set(made)) == len(made)
