//! The verbs of the command line. Each has a function `run` from its arguments to the exit status.

pub mod datagen;
mod expand;
pub mod train;
pub mod unpack;
