"""Read, check, repair and analyse chess positions in EPD."""

import datetime
import os
from collections.abc import Iterator
from typing import Any, Literal, Protocol, Union, final

__version__: str
__all__ = [
    "Analysis",
    "Diagnostic",
    "DiagnosticReader",
    "EpodeError",
    "MoveError",
    "OperandError",
    "Position",
    "PositionError",
    "ReadError",
    "Record",
    "RecordReader",
    "__version__",
    "analyze",
    "check",
    "normalize",
    "read",
    "repair",
]

_Mode = Literal["strict", "lenient", "repair"]

class _Readable(Protocol):
    def read(self, size: int, /) -> Union[bytes, str]: ...

class EpodeError(ValueError):
    """The base class of the errors of this package."""

class ReadError(EpodeError):
    """A line cannot be read as a record, or a file is not text."""

    line: Union[int, None]
    column: Union[int, None]
    span: Union[tuple[int, int], None]
    text: Union[str, None]
    code: Union[str, None]
    path: Union[str, None]

class PositionError(EpodeError):
    """A text is not a FEN, or the position is illegal."""

class MoveError(EpodeError):
    """A text is not a legal move of the position."""

class OperandError(EpodeError):
    """The operands of an operation are not what its opcode takes."""

@final
class Diagnostic:
    """What is wrong with a line, odd about it, or changed in it."""

    def __new__(
        cls,
        severity: str,
        code: str,
        message: str,
        *,
        line: int,
        column: int,
        span: tuple[int, int],
        replacement: Union[str, None] = None,
    ) -> Diagnostic: ...
    @property
    def severity(self) -> str:
        """'note' (unusual but clear), 'warning' (wrong or ambiguous) or 'error' (not a record)."""
    @property
    def code(self) -> str:
        """A short name, such as 'bm-not-legal' or 'missing-semicolon'."""
    @property
    def message(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...
    @property
    def span(self) -> tuple[int, int]:
        """The start and the end in the text of the record."""
    @property
    def replacement(self) -> Union[str, None]:
        """The text that was read in its place; None if the text was kept."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getnewargs_ex__(self) -> tuple[tuple[str, str, str], dict[str, Any]]: ...

@final
class Position:
    """A legal position, which does not change. Moves are str in UCI notation."""

    def __new__(cls, fen: str = ..., *, chess960: bool = False) -> Position: ...
    @property
    def fen(self) -> str: ...
    @property
    def turn(self) -> Literal["white", "black"]: ...
    @property
    def chess960(self) -> bool: ...
    @property
    def halfmove_clock(self) -> int: ...
    @property
    def fullmove_number(self) -> int: ...
    @property
    def en_passant(self) -> Union[str, None]: ...
    @property
    def legal_moves(self) -> list[str]: ...
    @property
    def is_check(self) -> bool: ...
    @property
    def is_checkmate(self) -> bool: ...
    @property
    def is_stalemate(self) -> bool: ...
    @property
    def is_insufficient_material(self) -> bool: ...
    def piece_at(self, square: str) -> Union[str, None]:
        """'P' is a white pawn, 'p' a black one."""
    def is_legal(self, mv: str) -> bool: ...
    def san(self, mv: str) -> str: ...
    def parse_san(self, san: str) -> str:
        """Reads SAN; returns the move in UCI notation."""
    def play(self, *moves: str) -> Position:
        """The position after some moves, in UCI notation or SAN."""
    def perft(self, depth: int) -> int: ...
    def divide(self, depth: int) -> dict[str, int]: ...
    def __eq__(self, other: object, /) -> bool:
        """Whether both allow the same moves; the move counters do not matter."""
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, Any]]: ...

# The values of `Record`, by the type of the opcode.
_Scalar = Union[int, float, str, datetime.timedelta]
_Value = Union[
    _Scalar,
    list[str],
    list[_Scalar],
    tuple[_Scalar, ...],
    dict[str, str],
    datetime.datetime,
    bool,
    None,
]

@final
class Record:
    """A position and its operations, used like a dict from opcodes to values."""

    def __new__(cls, position: Union[str, Position], **operations: _Value) -> Record: ...
    @staticmethod
    def parse(line: str, *, mode: _Mode = "lenient", chess960: bool = False) -> Record: ...
    @staticmethod
    def _restore(
        text: str,
        mode: str,
        chess960: bool,
        number: int,
        broken_at: Union[int, None],
        is_changed: bool,
    ) -> Record: ...
    @property
    def position(self) -> Position: ...
    @property
    def fen(self) -> str: ...
    @property
    def chess960(self) -> bool: ...
    @property
    def id(self) -> Union[str, None]: ...
    @property
    def text(self) -> Union[str, None]: ...
    @property
    def line(self) -> Union[int, None]: ...
    @property
    def operations(self) -> dict[str, Any]: ...
    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]: ...
    def operands(self, opcode: str) -> list[str]: ...
    def get(self, opcode: str, default: Any = None) -> Any: ...
    def keys(self) -> list[str]: ...
    def update(self, operations: dict[str, Any]) -> None: ...
    def __getitem__(self, opcode: str, /) -> Any: ...
    def __setitem__(self, opcode: str, value: _Value, /) -> None: ...
    def __delitem__(self, opcode: str, /) -> None: ...
    def __contains__(self, opcode: str, /) -> bool: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __iter__(self) -> Iterator[str]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __copy__(self) -> Record: ...
    def __deepcopy__(self, _memo: Any) -> Record: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    __hash__: None  # type: ignore[assignment]

@final
class RecordReader:
    """An iterator over the records of a file."""

    @property
    def errors(self) -> list[ReadError]: ...
    def close(self) -> None: ...
    def __iter__(self) -> RecordReader: ...
    def __next__(self) -> Record: ...
    def __enter__(self) -> RecordReader: ...
    def __exit__(self, *_exception: object) -> None: ...

@final
class DiagnosticReader:
    """An iterator over what is wrong with the records of a file, or odd about them."""

    @property
    def records(self) -> int: ...
    def __iter__(self) -> DiagnosticReader: ...
    def __next__(self) -> Diagnostic: ...

@final
class Analysis:
    """What the engine found, with the names of EPD's opcodes."""

    @property
    def ce(self) -> int: ...
    @property
    def cp(self) -> Union[int, None]: ...
    @property
    def mate(self) -> Union[int, None]: ...
    @property
    def pv(self) -> list[str]: ...
    @property
    def pm(self) -> Union[str, None]: ...
    @property
    def acd(self) -> int: ...
    @property
    def acn(self) -> int: ...
    @property
    def acs(self) -> int: ...
    @property
    def time(self) -> float: ...
    @property
    def operations(self) -> dict[str, Any]: ...

def read(
    source: Union[str, os.PathLike[str], _Readable],
    *,
    mode: _Mode = "lenient",
    errors: Literal["raise", "skip"] = "raise",
    chess960: bool = False,
) -> RecordReader: ...
def check(
    source: Union[str, os.PathLike[str], _Readable],
    *,
    mode: _Mode = "lenient",
    chess960: bool = False,
) -> DiagnosticReader: ...
def normalize(
    text: str,
    *,
    canonical: bool = False,
    strict: bool = False,
    errors: Literal["raise", "keep"] = "raise",
    chess960: bool = False,
) -> tuple[str, list[Diagnostic]]: ...
def repair(
    text: str, *, errors: Literal["raise", "keep"] = "raise", chess960: bool = False
) -> tuple[str, list[Diagnostic]]: ...
def analyze(
    position: Union[Record, Position, str],
    *,
    nodes: Union[int, None] = None,
    depth: Union[int, None] = None,
    time: Union[float, datetime.timedelta, None] = None,
    threads: int = 1,
    hash: Union[int, None] = None,
) -> Analysis: ...
