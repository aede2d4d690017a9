//! Fuzzes the reader with any bytes. From `epd/`:
//!
//! ```text
//! cargo +nightly fuzz run read -- -dict=fuzz/read.dict -max_len=400
//! ```
//!
//! With `-s none` it is twice as fast, but does not check the unsafe code of the move generator.
//!
//! Minimise an input that fails with `cargo fuzz tmin`, and keep it in `corpus/read` under a name that
//! ends with `.epd`: the tests run the same checks on every such file.

#![no_main]

#[path = "../laws.rs"]
mod laws;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::check(bytes));
