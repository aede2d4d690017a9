//! Feeds the reader any bytes. From `epd/`:
//!
//! ```text
//! cargo +nightly fuzz run read -- -dict=fuzz/read.dict -max_len=400
//! ```
//!
//! With `-s none` it is twice as fast, and does not watch the unsafe code of the move generator.
//!
//! An input that breaks a law, made small by `cargo fuzz tmin`, belongs into `corpus/read` under a
//! name that ends with `.epd`: the tests hold the same laws against every file there.

#![no_main]

#[path = "../laws.rs"]
mod laws;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::hold(bytes));
