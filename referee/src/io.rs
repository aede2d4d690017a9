//! The outside world: connections, processes and files.

pub mod connection;
pub mod connector;
pub mod inbox;
pub mod limits;
pub mod message;
pub mod observer;
pub mod replica;
pub mod secret_file;
pub mod server;
pub mod spawn;
pub mod storage;
pub mod stream;
pub mod tablebases;
pub mod tls;
pub mod transports;
