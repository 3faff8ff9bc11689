"""What a statement compares or orders by a collation that depends on the database, found in its parse tree.

Equality does not count: collations of a database are deterministic, so equal texts are equal bytes under each.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from lineage_core.postgres.connection import Connection
from tests.support.parse_trees import Node, Value, all_nodes, parsed

BY_BYTES = ("C", "POSIX", "ucs_basic")

BLIND_OPERATORS = frozenset({"||", "->", "->>", "#>", "#>>", "#-", "?", "-", "@>", "<@", "~~", "!~~", "^@"})
"""They look for equal bytes, or at none: also LIKE, which knows no case."""

_NOT_ABOUT_ORDER = """
array_agg array_append array_cat array_length array_position array_remove array_to_string bpchar btrim cardinality
char_length concat concat_ws convert_from convert_to count current_setting date_part date_trunc decode encode
extract format has_any_column_privilege has_database_privilege has_schema_privilege has_table_privilege
hashtext hashtextextended
json_build_object jsonb_agg jsonb_array_elements jsonb_array_elements_text jsonb_build_array jsonb_build_object
jsonb_each jsonb_object_agg jsonb_object_keys jsonb_to_recordset jsonb_typeof left length ltrim md5 nextval
num_nonnulls octet_length overlay pg_column_size pg_get_expr pg_has_role pg_notify pg_size_bytes position
quote_ident quote_literal repeat replace reverse right rtrim set_config split_part starts_with string_agg
string_to_array string_to_table strpos substr text textcat timezone to_char to_jsonb to_regclass to_regrole
to_regtype translate unnest varchar
"""
BLIND_FUNCTIONS = frozenset(_NOT_ABOUT_ORDER.split())
"""Functions of Postgres that take texts, and neither order them nor know upper and lower case."""

ORDER_IS_NOT_SEEN = frozenset({"count", "bool_and", "bool_or", "sum", "every"})
"""Aggregates that give the same in whatever order a DISTINCT sorts."""

_COLLATION = {
    "VAR": "varcollid",
    "CONST": "constcollid",
    "PARAM": "paramcollid",
    "AGGREF": "aggcollid",
    "WINDOWFUNC": "wincollid",
    "SUBSCRIPTINGREF": "refcollid",
    "FUNCEXPR": "funccollid",
    "OPEXPR": "opcollid",
    "NULLIFEXPR": "opcollid",
    "FIELDSELECT": "resultcollid",
    "RELABELTYPE": "resultcollid",
    "COERCEVIAIO": "resultcollid",
    "ARRAYCOERCEEXPR": "resultcollid",
    "COLLATEEXPR": "collOid",
    "COLLATE": "collOid",
    "CASEEXPR": "casecollid",
    "CASE": "casecollid",
    "CASETESTEXPR": "collation",
    "ARRAYEXPR": "array_collid",
    "ARRAY": "array_collid",
    "COALESCEEXPR": "coalescecollid",
    "COALESCE": "coalescecollid",
    "MINMAXEXPR": "minmaxcollid",
    "MINMAX": "minmaxcollid",
    "COERCETODOMAIN": "resultcollid",
    "COERCETODOMAINVALUE": "collation",
}
_OTHERS = """
DISTINCTEXPR SCALARARRAYOPEXPR BOOLEXPR NULLTEST BOOLEANTEST ROWCOMPAREEXPR ROWCOMPARE CURRENTOFEXPR GROUPINGFUNC
SQLVALUEFUNCTION NEXTVALUEEXPR MERGESUPPORTFUNC CONVERTROWTYPEEXPR SETTODEFAULT ROWEXPR ROW
"""
_WITHOUT = frozenset(_OTHERS.split())
"""Expressions whose type has no collation."""


@dataclass(frozen=True)
class Fault:
    """`what` is ordered, compared or changed as the database's collation says; `where` it stands."""

    what: str
    where: str


FIRST_OF_A_DATABASE = 16_384
"""Below it are the numbers of what Postgres itself has, the same in each database (FirstNormalObjectId)."""


class Judge:
    """Knows the operators, functions and collations of one database."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def faults(self, tree: str, where: str) -> Iterator[Fault]:
        for node in all_nodes(parsed(tree)):
            for what in self._faults(node):
                yield Fault(what, where)

    def _faults(self, node: Node) -> Iterator[str]:
        match node.kind:
            case "QUERY":
                yield from self._sorted(_choosing(node), node.nodes("targetList"), "ORDER BY")
                for window in node.nodes("windowClause"):
                    yield from self._sorted(window.nodes("orderClause"), node.nodes("targetList"), "OVER (ORDER BY)")
            case "OPEXPR" | "SCALARARRAYOPEXPR" | "DISTINCTEXPR" | "NULLIFEXPR":
                yield from self._operator(node.number("opno"), node.number("inputcollid"))
            case "ROWCOMPAREEXPR" | "ROWCOMPARE":
                for operator, collation in zip(_oids(node, "opnos"), _oids(node, "inputcollids"), strict=True):
                    yield from self._operator(operator, collation)
            case "MINMAXEXPR" | "MINMAX":
                if self._is_unsafe(node.number("inputcollid")) or self._has_no_safe_order(node.number("minmaxtype")):
                    yield "greatest or least"
            case "FUNCEXPR" | "WINDOWFUNC":
                yield from self._function(node)
            case "AGGREF":
                yield from self._aggregate(node)

    def _operator(self, operator: int, collation: int) -> Iterator[str]:
        name, left, is_equality = self._operators[operator]
        if is_equality or name in BLIND_OPERATORS:
            return
        if self._is_unsafe(collation) or (name in {"<", "<=", ">", ">="} and self._has_no_safe_order(left)):
            yield f"the operator {name}"

    def _function(self, node: Node) -> Iterator[str]:
        called = node.number("funcid") or node.number("winfnoid")
        if called >= FIRST_OF_A_DATABASE and called not in self._functions:
            return  # one of ours, in another database: its own tree is judged in this one
        name, is_ours, _ = self._functions[called]
        if self._is_unsafe(node.number("inputcollid")) and not is_ours and name not in BLIND_FUNCTIONS:
            yield f"the function {name}"

    def _aggregate(self, node: Node) -> Iterator[str]:
        name, is_ours, is_extreme = self._functions[node.number("aggfnoid")]
        arguments = node.nodes("args")
        if is_extreme:
            unsorted = any(self._has_no_safe_order(kind) for kind in _oids(node, "aggargtypes"))
            if self._is_unsafe(node.number("inputcollid")) or unsorted:
                yield f"the aggregate {name}"
        elif self._is_unsafe(node.number("inputcollid")) and not is_ours | (
            name in BLIND_FUNCTIONS | ORDER_IS_NOT_SEEN
        ):
            yield f"the aggregate {name}"
        yield from self._sorted(node.nodes("aggorder"), arguments, f"{name}(... ORDER BY)")
        if name not in ORDER_IS_NOT_SEEN and not node.nodes("aggorder"):
            yield from self._sorted(node.nodes("aggdistinct"), arguments, f"{name}(DISTINCT)")

    def _sorted(self, clauses: list[Node], targets: list[Node], what: str) -> Iterator[str]:
        sources = {target.number("ressortgroupref"): target.members["expr"] for target in targets}
        for clause in clauses:
            expression = sources[clause.number("tleSortGroupRef")]
            _, left, _ = self._operators[clause.number("sortop")]
            if self._is_unsafe(_collation(expression)) or self._has_no_safe_order(left, expression):
                yield what

    def _is_unsafe(self, collation: int) -> bool:
        return collation != 0 and collation not in self._safe

    def _has_no_safe_order(self, kind: int, expression: Value = None) -> bool:
        """Whether the order of a type asks the database's collation, whatever a statement says: jsonb's texts do."""
        if self._types.get(kind) != "record":
            return self._types.get(kind) in ("json", "jsonb")
        parts = expression.nodes("args") if isinstance(expression, Node) else []
        return not parts or any(self._is_unsafe(_collation(part)) for part in parts)

    @cached_property
    def _safe(self) -> frozenset[int]:
        found = self._connection.execute("SELECT oid FROM pg_collation WHERE collname = ANY (%s)", [list(BY_BYTES)])
        return frozenset(oid for (oid,) in found)

    @cached_property
    def _types(self) -> dict[int, str]:
        return dict(self._connection.execute("SELECT oid, typname FROM pg_type").fetchall())

    @cached_property
    def _functions(self) -> dict[int, tuple[str, bool, bool]]:
        """Name, whether the store itself made it (then its body is judged), whether it is a minimum or maximum."""
        found = self._connection.execute(
            "SELECT oid, proname, pronamespace <> 'pg_catalog'::regnamespace, coalesce(aggsortop <> 0, false)"
            " FROM pg_proc LEFT JOIN pg_aggregate ON aggfnoid = oid"
        )
        return {oid: (name, is_ours, is_extreme) for oid, name, is_ours, is_extreme in found}

    @cached_property
    def _operators(self) -> dict[int, tuple[str, int, bool]]:
        """Name, type on the left, whether it is an equality or the negation of one."""
        found = self._connection.execute(
            "WITH equal AS (SELECT amopopr AS oid FROM pg_amop JOIN pg_am ON pg_am.oid = amopmethod"
            " WHERE (amname, amopstrategy) IN (('btree', 3), ('hash', 1)))"
            " SELECT oid, oprname, oprleft, oid IN (SELECT oid FROM equal) OR oprnegate IN (SELECT oid FROM equal)"
            " FROM pg_operator"
        )
        return {oid: (name, left, is_equality) for oid, name, left, is_equality in found}


def _choosing(query: Node) -> list[Node]:
    """What a query is sorted by, but for what DISTINCT ON groups by: that chooses none of the rows of a group."""
    grouped = query.nodes("distinctClause") if query.members.get("hasDistinctOn") == "true" else []
    references = {clause.number("tleSortGroupRef") for clause in grouped}
    return [one for one in query.nodes("sortClause") if one.number("tleSortGroupRef") not in references]


def _oids(node: Node, member: str) -> list[int]:
    """A list of oids, which begins with the letter o."""
    return [int(one) for one in node.members.get(member) or [] if one != "o"]


def _collation(expression: Value) -> int:
    """The collation of what an expression gives, 0 if its type has none."""
    if not isinstance(expression, Node):
        raise TypeError(f"{expression!r} is no expression")
    if expression.kind == "SUBLINK":
        (query,) = expression.nodes("subselect")
        return _collation(query.nodes("targetList")[0].members["expr"])
    if expression.kind in _WITHOUT:
        return 0
    return expression.number(_COLLATION[expression.kind])
