//! The Epode EPD Kit.
