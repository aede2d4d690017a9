//! Serial lines (EPD 3.2).

use std::path::Path;
use std::time::Duration;

use tokio::sync::OwnedSemaphorePermit;
use tokio_serial::{SerialPortBuilderExt as _, SerialStream};

use crate::io::stream::Stream;

const PATIENCE: Duration = Duration::from_secs(10);

/// Opens a serial line.
pub fn open(device: &Path, baud: u32, _: &mut OwnedSemaphorePermit) -> anyhow::Result<Stream> {
    let port: SerialStream =
        tokio_serial::new(device.to_string_lossy(), baud).open_native_async()?;
    let (read, write) = tokio::io::split(port);
    Ok(Stream::local(read, write, PATIENCE))
}
