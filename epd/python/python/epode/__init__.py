"""Read, check, repair and analyse chess positions in EPD. See README.md, and __init__.pyi for the types."""

from epode._epode import (
    Analysis,
    Diagnostic,
    EpodeError,
    MoveError,
    OperandError,
    Position,
    PositionError,
    ReadError,
    Record,
    RecordReader,
    __version__,
    analyze,
    normalize,
    read,
    repair,
)

__all__ = [
    "Analysis",
    "Diagnostic",
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
    "normalize",
    "read",
    "repair",
]
