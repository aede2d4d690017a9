//! Whole events, driven with scripted instants: nothing here opens a socket or reads a clock, save one
//! instant to begin with.

mod arbiter;
mod dedicated;
mod disconnections;
mod equipment;
mod laws;
mod observers;
mod scenes;
mod soak;
mod world;
