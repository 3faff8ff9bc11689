"""The SQL that runs, by its name: the package that has it, and its name in the `sql/` of that package.

A file holds one statement, or script, named as the file is; or it holds several, each below a line `-- name: NAME`.
So `retention/find/runs` may be the file for `runs` in the folder `find/` of the `sql/` of `retention`, or the section
`runs` of a file of that folder, or the section `find/runs` of a file that lies directly in that `sql/`. Each file is
read once.

What is about to run is announced by `sys.audit`, which costs nothing unless somebody listens: a tracer, or a test that
kills the process at a step that it knows by name.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import LiteralString

ROOMS = Path(__file__).parent
"""The packages are folders of it, in a checkout and in an installation."""

FOLDER = "sql"

STEP = "lineage_core.step"
"""The audit event. Its one argument is the name of the step."""

SECTION = "-- name: "
"""How the line begins that names what follows it, up to the next such line."""


@cache
def named(name: str) -> LiteralString:
    """The text of that name, which may hold several statements. Raises KeyError if no file has it."""
    room, _, rest = name.partition("/")
    for holder in Path(rest).parents:
        text = _of_folder(_top(room) / holder).get(str(Path(rest).relative_to(holder)))
        if text is not None:
            return text
    raise KeyError(f"No file of {room}/{FOLDER}/ has a statement {name}")


def without_comments(name: str) -> str:
    """The text of that name as Postgres reads it: the names in it are those of what it uses."""
    return re.sub(r"--.*", "", named(name))


def of_folder(folder: str) -> Iterator[LiteralString]:
    """The texts of a folder, by name."""
    return (named(f"{folder}/{name}") for name in names(folder))


def names(folder: str) -> tuple[str, ...]:
    """The names in a folder, without those in folders below it. The first part of a folder is its package, too."""
    return tuple(name for name in _below(folder) if "/" not in name)


def names_below(folder: str, name: str) -> tuple[str, ...]:
    """What has this name in the folders of a folder, each by its path below it."""
    return tuple(path for path in _below(folder) if path.count("/") == 1 and path.endswith(f"/{name}"))


def in_each_room(folder: str) -> tuple[str, ...]:
    """What the packages hold in their folders of this name, by full names, in the order of their last parts."""
    found = (f"{room}/{folder}/{name}" for room in _rooms() for name in names(f"{room}/{folder}"))
    return tuple(sorted(found, key=own_name))


def own_name(name: str) -> str:
    """The last part of a name: that of the view or function, say, that the statement makes."""
    return name.rpartition("/")[2]


def all_names() -> tuple[str, ...]:
    """Every name, in order."""
    return tuple(f"{room}/{name}" for room in _rooms() for name in _of_room(room))


def announce(step: str) -> None:
    """Says that the process comes to a step: the statement of that name, or several that belong together."""
    sys.audit(STEP, step)


def _top(room: str) -> Path:
    return ROOMS / room / FOLDER


def _rooms() -> tuple[str, ...]:
    """The packages that have SQL."""
    return tuple(sorted(folder.parent.name for folder in ROOMS.glob(f"*/{FOLDER}")))


def _below(folder: str) -> tuple[str, ...]:
    """Every name that begins with this folder, without it."""
    room, _, rest = folder.partition("/")
    start = f"{rest}/" if rest else ""
    return tuple(name.removeprefix(start) for name in _of_room(room) if name.startswith(start))


def _of_room(room: str) -> tuple[str, ...]:
    """Every name of a package, without its own."""
    top = _top(room)
    found = {(folder / name).relative_to(top) for folder in (top, *top.rglob("*/")) for name in _of_folder(folder)}
    return tuple(sorted(map(str, found)))


@cache
def _of_folder(folder: Path) -> Mapping[str, LiteralString]:
    """The texts that the files of a folder hold, by their names below it. Raises ValueError if two have one name."""
    texts: dict[str, LiteralString] = {}
    for path in sorted(folder.glob("*.sql")):
        for name, text in _texts(path):
            if name in texts:
                raise ValueError(f"{path.relative_to(ROOMS)} holds {name}, which stands in its folder already")
            texts[name] = text
    return texts


def _texts(path: Path) -> Iterator[tuple[str, LiteralString]]:
    """What a file holds. Raises ValueError if anything but comments comes before its first section, or one is empty."""
    whole = path.read_text()
    if f"\n{SECTION}" not in f"\n{whole}":
        yield path.stem, whole
        return
    before, *sections = re.split(rf"^{SECTION}", whole, flags=re.MULTILINE)
    if re.sub(r"--.*", "", before).strip():
        raise ValueError(f"{path.relative_to(ROOMS)} has a statement before its first `{SECTION}…`")
    for section in sections:
        name, _, text = section.partition("\n")
        if not re.sub(r"--.*", "", text).strip():
            raise ValueError(f"{path.relative_to(ROOMS)} has nothing below `{SECTION}{name}`")
        yield name.strip(), text.strip() + "\n"
