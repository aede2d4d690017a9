//! The Python package `epode`: records of EPD, positions, and the engine. `README.md` is its guide,
//! `python/epode/__init__.pyi` lists its types, and maturin builds it.
//!
//! | file | contents |
//! |---|---|
//! | `errors.rs` | the exceptions |
//! | `moves.rs` | moves as Python strings |
//! | `position.rs` | `Position` |
//! | `values.rs` | operands as Python values, and back |
//! | `diagnostic.rs` | `Diagnostic` |
//! | `record.rs` | `Record` |
//! | `blocks.rs` | whole lines of files, compressed files and Python's file objects |
//! | `reader.rs` | `read`, `check` |
//! | `rewrite.rs` | `normalize`, `repair` |
//! | `analysis.rs` | `analyze` |

#![cfg(feature = "python")]
// Doc comments are also the docstrings of Python, where backticks stand for themselves.
#![allow(clippy::doc_markdown)]

mod analysis;
mod blocks;
mod diagnostic;
mod errors;
mod moves;
mod position;
mod reader;
mod record;
mod rewrite;
mod values;

/// The module that `python/epode/__init__.py` imports.
#[pyo3::pymodule(name = "_epode")]
mod module {
    #[pymodule_export]
    use crate::analysis::{Analysis, analyze};
    #[pymodule_export]
    use crate::diagnostic::Diagnostic;
    #[pymodule_export]
    use crate::errors::{EpodeError, MoveError, OperandError, PositionError, ReadError};
    #[pymodule_export]
    use crate::position::Position;
    #[pymodule_export]
    use crate::reader::{DiagnosticReader, RecordReader, check, read};
    #[pymodule_export]
    use crate::record::Record;
    #[pymodule_export]
    use crate::rewrite::{normalize, repair};

    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
