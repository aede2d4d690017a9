//! What people read of the engine in an interface.

use crate::io::interface::print;

/// Prints an `info string`, which interfaces show to people.
pub fn print_info(text: &str) {
    print(&format!("info string {text}"));
}
