//! The Epode program.
fn main() {}
