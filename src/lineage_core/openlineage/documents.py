"""Splits a stream of bytes into JSON documents, holding little more of it than the document at hand.

A stream is any run of documents, one a line or written over several lines; the objects in a JSON array are documents
too. What is no JSON comes out as it stands, with the reason, and costs no more than its own line, or its own lines if
it was written over several.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import msgspec

from lineage_core.openlineage.json_limits import LONGEST_DOCUMENT

Read = Callable[[int], bytes]
"""At most so many bytes, none at the end of the stream; the `read` of a binary file."""

KEPT_OF_LONGER = 1 << 20
CHUNK = 1 << 20

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_BLANKS = b" \t\r\n"
_BLANK = re.compile(rb"[ \t\r\n]*")
_BLANK_OR_COMMA = re.compile(rb"[ \t\r\n,]*")
_LINE_END = re.compile(rb"\n")
_BRACKET_CUT_SHORT = re.compile(rb"\[[ \t\r\n]*\Z")
_START_OF_ARRAY = re.compile(rb"\[[ \t\r\n]*[{\]]")
_END_OF_ARRAY = re.compile(rb"\]")
_START_OF_VALUE = re.compile(rb"[{\[]")
_BEHIND = re.compile(rb"[^ \t\r]")
_MAY_STAND_BEHIND = b"\n{[,"
_ENDS_OF_VALUES = (b"}", b"]", b'"')


def too_long(longest: int = LONGEST_DOCUMENT) -> str:
    """What is wrong with a longer document."""
    return f"longer than {longest} bytes; the first {KEPT_OF_LONGER} are kept here"


@dataclass(frozen=True, slots=True)
class Piece:
    """A document, or with a `fault` what is none. It starts in `line` (from 1), at `offset` (from 0) of the stream."""

    raw: bytes
    line: int
    offset: int
    fault: str | None = None


def split(read: Read, *, longest: int = LONGEST_DOCUMENT, chunk: int = CHUNK) -> Iterator[Piece]:
    """The documents of a stream, in their order, and what stands between them."""
    return _Splitter(_Window(read, longest, chunk)).pieces()


@dataclass(frozen=True, slots=True)
class _Fault:
    reason: str
    at: int


_CUT_SHORT = "the document is cut short"
_RUBBISH_BEHIND = "something that is no JSON follows the document"
_NO_OBJECT = "neither a JSON object nor a list"
_TOO_DEEP = "nested too deeply"
_REASON_AND_PLACE = re.compile(r"JSON is malformed: (?P<reason>.*) \(byte (?P<at>\d+)\)")
_decoder = msgspec.json.Decoder(msgspec.Raw)


def _value_end(text: memoryview) -> int | _Fault:
    """Where the JSON value that `text` starts with ends, or where it fails.

    msgspec passes over a gigabyte a second; that something follows the value, and where, only its message tells.
    """
    try:
        _decoder.decode(text)
    except msgspec.DecodeError as error:
        return _end_or_fault(str(error), len(text))
    except RecursionError:
        return _Fault(_TOO_DEEP, len(text))
    return len(text)


def _end_or_fault(message: str, length: int) -> int | _Fault:
    found = _REASON_AND_PLACE.fullmatch(message)
    if found is None:
        return _Fault(_CUT_SHORT, length)
    if found["reason"] == "trailing characters":
        return int(found["at"]) - 1
    return _Fault(f"not JSON: {found['reason']}", int(found["at"]))


class _Window:
    """The part of the stream that is in memory. Places in it are counted from where reading stands."""

    def __init__(self, read: Read, longest: int, chunk: int) -> None:
        self._read = read
        self._chunk = chunk
        self._text = b""
        self._at = 0
        self._ended = False
        self.longest = longest
        self.line = 1
        self.offset = 0

    def __len__(self) -> int:
        return len(self._text) - self._at

    @property
    def ahead(self) -> memoryview:
        return memoryview(self._text)[self._at :]

    @property
    def is_too_long(self) -> bool:
        return len(self) > self.longest

    def grow(self) -> bool:
        """Read on, about doubling the window; False at the end of the stream or past the longest document."""
        if self._ended or self.is_too_long:
            return False
        more = self._read(max(self._chunk, min(len(self), self.longest + 1 - len(self))))
        self._text = self._text[self._at :] + more
        self._at = 0
        self._ended = not more
        return not self._ended

    def match(self, pattern: re.Pattern[bytes]) -> re.Match[bytes] | None:
        return pattern.match(self._text, self._at)

    def find(self, pattern: re.Pattern[bytes], start: int = 0) -> tuple[int, int] | None:
        """Start and end of the first match from `start` on; None if there is none in reach."""
        while (found := pattern.search(self._text, self._at + start)) is None:
            if not self.grow():
                return None
        return found.start() - self._at, found.end() - self._at

    def take(self, length: int) -> bytes:
        taken = self._text[self._at : self._at + length]
        self._at += len(taken)
        self.offset += len(taken)
        self.line += taken.count(b"\n")
        return taken

    def drop_to(self, pattern: re.Pattern[bytes], widest: int) -> None:
        """Pass over all up to the end of the first match; a match has at most `widest` bytes."""
        while (found := pattern.search(self._text, self._at)) is None:
            self.take(max(0, len(self) - widest))
            if not self.grow():
                self.take(len(self))
                return
        self.take(found.end() - self._at)


class _Splitter:
    """Tells what the window starts with, and takes it."""

    def __init__(self, window: _Window) -> None:
        self._window = window
        self._in_array = False
        self._indent = b""
        self._only_blanks_so_far = True

    def pieces(self) -> Iterator[Piece]:
        self._skip_byte_order_mark()
        while self._skip_blanks():
            if not self._enter_or_leave_array():
                self._only_blanks_so_far = False
                yield self._piece()

    def _skip_byte_order_mark(self) -> None:
        while len(self._window) < len(_BYTE_ORDER_MARK) and self._window.grow():
            pass
        if self._window.ahead[: len(_BYTE_ORDER_MARK)] == _BYTE_ORDER_MARK:
            self._window.take(len(_BYTE_ORDER_MARK))

    def _skip_blanks(self) -> bool:
        """Go to the next byte that means something; False if there is none."""
        blanks = _BLANK_OR_COMMA if self._in_array else _BLANK
        while found := self._window.match(blanks):
            self._note_indent(self._window.take(len(found[0])))
            if len(self._window) or not self._window.grow():
                break
        return len(self._window) > 0

    def _note_indent(self, blanks: bytes) -> None:
        _, line_end, tail = blanks.rpartition(b"\n")
        if line_end:
            self._indent = tail
            self._only_blanks_so_far = True
        elif self._only_blanks_so_far:
            self._indent += tail

    def _enter_or_leave_array(self) -> bool:
        """Pass a bracket around documents; a list of anything but objects is a document itself, and no event."""
        while self._window.match(_BRACKET_CUT_SHORT) and self._window.grow():
            pass
        if not self._window.match(_END_OF_ARRAY if self._in_array else _START_OF_ARRAY):
            return False
        self._window.take(1)
        self._in_array = not self._in_array
        self._only_blanks_so_far = False
        return True

    def _piece(self) -> Piece:
        line, offset = self._window.line, self._window.offset
        found = self._value() if self._in_array or self._window.match(_START_OF_VALUE) else _Fault(_NO_OBJECT, 0)
        if isinstance(found, int) and (self._in_array or self._is_clean_behind(found)):
            return Piece(self._window.take(found).rstrip(_BLANKS), line, offset)
        if isinstance(found, int):
            return Piece(self._window.take(self._line_end(found)).rstrip(_BLANKS), line, offset, _RUBBISH_BEHIND)
        end = self._end_of_fault(found)
        if end is None:
            return Piece(self._drop_too_long(), line, offset, self._too_long)
        return Piece(self._window.take(end).rstrip(_BLANKS), line, offset, found.reason)

    def _is_clean_behind(self, end: int) -> bool:
        """Whether the line ends behind the document, or goes on with another one: else it is unknown what was meant.

        `end` may lie behind blanks that follow the document.
        """
        while self._window.ahead[end - 1] in _BLANKS:
            end -= 1
        behind = self._window.find(_BEHIND, end)
        return behind is None or self._window.ahead[behind[0]] in _MAY_STAND_BEHIND

    def _line_end(self, start: int) -> int:
        line_end = self._window.find(_LINE_END, start)
        return len(self._window) if line_end is None else line_end[0]

    def _value(self) -> int | _Fault:
        while True:
            found = _value_end(self._window.ahead)
            if self._is_certain(found) or not self._window.grow():
                return found

    def _is_certain(self, found: int | _Fault) -> bool:
        """Whether more of the stream could not change it: a number at the end of the window may go on."""
        seen = len(self._window)
        if isinstance(found, _Fault):
            return found.at < seen or found.reason == _TOO_DEEP
        return found < seen or bytes(self._window.ahead[-1:]) in _ENDS_OF_VALUES

    def _end_of_fault(self, fault: _Fault) -> int | None:
        """Where to read on; None if that is out of reach.

        A fault in the first line costs this line. A fault in a later line means a document over several lines, or a
        line that broke off where the next one happens to fit: both end where the next line begins a document.
        """
        if fault.reason == _CUT_SHORT and self._window.is_too_long:
            return None
        line_end = self._window.find(_LINE_END)
        if line_end is None:
            return None if self._window.is_too_long else len(self._window)
        if fault.at <= line_end[0]:
            return line_end[0]
        beginning = self._window.find(self._next_beginning, line_end[0])
        if beginning is None:
            return line_end[0] if self._window.is_too_long else len(self._window)
        return beginning[1]

    @property
    def _next_beginning(self) -> re.Pattern[bytes]:
        """A line that begins a document, indented no more than this one, perhaps behind the end of the one before."""
        return re.compile(rb"\n[ \t]{0,%d}(?:\}?[ \t]*,[ \t]*)?(?=[{\[])" % len(self._indent))

    @property
    def _too_long(self) -> str:
        return too_long(self._window.longest)

    def _drop_too_long(self) -> bytes:
        kept = self._window.take(KEPT_OF_LONGER)
        self._window.drop_to(self._next_beginning, widest=len(self._indent) + 80)
        return kept
