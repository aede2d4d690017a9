//! Allocation of large tables whose size the user chooses.

use std::mem::MaybeUninit;

/// Not enough memory for a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the system gives no {mib} MiB for the table")]
pub struct NoMemory {
    /// The requested size in MiB.
    pub mib: usize,
}

/// Allocates as many entries as fit in `mib` MiB, at least one.
///
/// # Errors
///
/// If there is not enough memory.
pub fn entries<T>(mib: usize, entry: impl FnMut() -> T) -> Result<Vec<T>, NoMemory> {
    let refused = NoMemory { mib };
    let bytes = mib.checked_mul(1 << 20).ok_or(refused)?;
    let count = (bytes / size_of::<T>()).max(1);
    let mut entries = Vec::new();
    entries.try_reserve_exact(count).map_err(|_| refused)?;
    ask_for_large_pages(entries.spare_capacity_mut());
    entries.resize_with(count, entry);
    Ok(entries)
}

/// Asks the system for large pages, because random access to a large table causes many TLB misses.
/// Does nothing on systems other than Linux.
fn ask_for_large_pages<T>(memory: &mut [MaybeUninit<T>]) {
    #[cfg(target_os = "linux")]
    {
        use rustix::mm::{Advice, madvise};
        let page = rustix::param::page_size();
        let bytes = memory.as_mut_ptr().cast::<u8>();
        let begin = bytes.align_offset(page);
        let whole = size_of_val(memory).saturating_sub(begin) / page * page;
        if whole > 0 {
            // SAFETY: these are whole pages within the memory, and the advice does not change their
            // content.
            let _ = unsafe { madvise(bytes.add(begin).cast(), whole, Advice::LinuxHugepage) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_least_one_entry_and_no_more_than_memory_allows() {
        assert_eq!(entries(0, || [7_u64; 4]), Ok(vec![[7; 4]]));
        assert_eq!(entries(3, || 0_u64).map(|all| all.len()), Ok(3 << 17));
        for mib in [1 << 43, usize::MAX] {
            assert_eq!(entries(mib, || 0_u8), Err(NoMemory { mib }));
        }
    }
}
