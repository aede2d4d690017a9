//! Tables whose size a user chooses, and the system may refuse.

/// The system has not so much memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the system gives no {mib} MiB for the table")]
pub struct NoMemory {
    /// What was asked for, in MiB.
    pub mib: usize,
}

/// As many entries as so many MiB hold, at least one.
///
/// # Errors
///
/// The memory may be refused.
pub fn entries<T>(mib: usize, entry: impl FnMut() -> T) -> Result<Vec<T>, NoMemory> {
    let refused = NoMemory { mib };
    let bytes = mib.checked_mul(1 << 20).ok_or(refused)?;
    let count = (bytes / size_of::<T>()).max(1);
    let mut entries = Vec::new();
    entries.try_reserve_exact(count).map_err(|_| refused)?;
    entries.resize_with(count, entry);
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_one_entry_at_least_and_not_more_than_there_is_memory() {
        assert_eq!(entries(0, || [7_u64; 4]), Ok(vec![[7; 4]]));
        assert_eq!(entries(3, || 0_u64).map(|all| all.len()), Ok(3 << 17));
        for mib in [1 << 43, usize::MAX] {
            assert_eq!(entries(mib, || 0_u8), Err(NoMemory { mib }));
        }
    }
}
