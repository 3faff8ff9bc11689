"""How an answer becomes a page: Jinja's templates, in which all that an answer has is escaped."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from difflib import unified_diff
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from fastapi import Request
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.datastructures import QueryParams

from lineage_core.capability import counted
from lineage_core.command_line.results import harmless, json_text
from lineage_core.pages import static_files
from lineage_core.pages.facet_tables import facet_table, facet_text
from lineage_core.pages.outside import is_web_address, task_in_airflow
from lineage_core.pages.page import all_pages
from lineage_core.pages.plotted import durations, events_an_hour, over_time, written_rows
from lineage_core.pages.run_trees import nested

FOLDER = Path(__file__).parent / "templates"
MOST_LINES = 400
"""Of two texts that stand side by side."""
LONG_LINE = 80
"""Characters from which on a value is a text, not a word."""


def rendered(request: Request, template: str, document: Any, **others: Any) -> str:
    """The page of an answer. others: what stands beside it, by the names that templates have for it."""
    root = str(request.scope.get("root_path", ""))
    return (
        _environment()
        .get_template(f"{template}.html")
        .render(
            document=document,
            pages=[page for page in all_pages() if page.title is not None],
            here=template,
            asked=request.query_params,
            link=partial(address, root),
            again=partial(address_again, root, request.query_params),
            version=static_files.digest(),
            **others,
        )
    )


def address(root: str, page: str, **parameters: Any) -> str:
    """Of a page, with what it is asked for; None leaves a parameter out, a list gives it several times. All that
    is shown stands in it."""
    given = {name: value if isinstance(value, list) else [value] for name, value in parameters.items()}
    query = urlencode([(name, _text(one)) for name, values in given.items() for one in values if one is not None])
    return f"{root}{page}?{query}" if query else f"{root}{page}"


def address_again(root: str, asked: QueryParams, page: str, **changed: Any) -> str:
    """Of a page, with all that this one was asked for but what is changed, and empty fields; None takes a parameter
    away."""
    kept: dict[str, Any] = {name: [*filter(None, asked.getlist(name))] for name in asked if name not in changed}
    return address(root, page, **kept, **changed)


def _text(value: Any) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        finalize=_visible,
        undefined=StrictUndefined,
        trim_blocks=True,
    )
    made.filters.update(
        moment=moment, took=took, count=count, counted=counted, size=size, short=short, plain=plain, exact=escape
    )
    made.filters.update(times=times, task_in_airflow=task_in_airflow)
    made.tests.update(contains=contains, web_address=is_web_address)
    made.filters.update(durations=durations, written_rows=written_rows, over_time=over_time, nested=nested)
    made.filters.update(events_an_hour=events_an_hour)
    made.filters.update(
        line_changes=line_changes, is_text_of_lines=is_text_of_lines, facet_table=facet_table, facet_text=facet_text
    )
    return made


def _visible(value: Any) -> Any:
    """Whatever a template shows, before it is escaped: characters that turn or hide others come as escapes of their
    own. Values of fields are `exact`, as they are sent again."""
    return harmless(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def moment(value: datetime | None) -> str:
    """In UTC; the script writes it in the reader's zone where there is one."""
    if value is None:
        return ""
    in_utc = value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
    written = f"{in_utc:%Y-%m-%d %H:%M:%S} UTC"
    return Markup('<time datetime="{}" title="{}">{}</time>').format(in_utc.isoformat(), written, written)


def took(value: timedelta | None) -> str:
    """A duration, such as `4 min 12 s`. One below nothing is that of a run whose events state its end first."""
    if value is None:
        return ""
    seconds = value.total_seconds()
    if seconds < 0:
        return f"{took(-value)} before its begin"
    if seconds < 60:  # noqa: PLR2004 - of a minute
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


def count(value: float) -> str:
    return f"{value:,.0f}"


def size(value: float) -> str:
    """A number of bytes, such as `12.5 MB`."""
    left = float(value)
    for unit in ("bytes", "kB", "MB", "GB"):
        if left < 1_000:  # noqa: PLR2004 - of a unit
            return f"{left:,.0f} {unit}" if unit == "bytes" else f"{left:,.1f} {unit}"
        left /= 1_000
    return f"{left:,.1f} TB"


def short(value: Any) -> str:
    """The last characters of a uuid, which tell it from others: the first are the time, in those of version 7."""
    return str(value)[-8:]


def contains(value: str, part: str) -> bool:
    return part in value


def times(text: str) -> Markup:
    """A sentence in which each moment with a zone is as `moment` has it."""
    parts, end = [], 0
    for found in _MOMENT.finditer(text):
        parts += [escape(harmless(text[end : found.start()])), _moment_of(found[0])]
        end = found.end()
    return Markup("").join([*parts, escape(harmless(text[end:]))])


_MOMENT = re.compile(r"[12]\d{3}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:\d\d)")


def _moment_of(text: str) -> str:
    """Digits that no calendar has stay as they are: a person may have written them."""
    try:
        return moment(datetime.fromisoformat(text))
    except ValueError:
        return text


def is_text_of_lines(value: Any) -> bool:
    """Whether it is compared line by line."""
    return isinstance(value, str) and ("\n" in value or len(value) > LONG_LINE)


def line_changes(before: Any, now: Any) -> list[tuple[str, str]]:
    """The lines of two texts that differ, and those next to them: each with `-`, `+`, or a space. Only the first lines
    of long texts are compared."""
    old, new = ([] if text is None else str(text).splitlines()[:MOST_LINES] for text in (before, now))
    names_of_files = 2
    changed = islice(unified_diff(old, new, n=2, lineterm=""), names_of_files, None)
    return [(line[:1], line[1:]) for line in changed if not line.startswith("@@")]


def plain(value: Any) -> Any:
    """The value as its JSON has it, for a script to read."""
    return json.loads(json_text(value))
