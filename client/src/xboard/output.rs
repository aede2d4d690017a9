//! What people read of the engine in an interface.

use crate::io::interface::print;

/// A comment, which interfaces show to people who look for faults.
pub(super) fn complain(text: &str) {
    print(&format!("# {text}"));
}
