//! The Epode engine.
