//! Secrets: the event's password and the tokens of players. Only their SHA-256 hashes are kept, and
//! they are compared in a time that does not depend on where they differ.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use serde::Deserialize;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// What a hash begins with in an event file.
const PREFIX: &str = "sha256:";

/// The hash of a secret.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Secret([u8; 32]);

/// A text that is not the hash of a secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not the hash of a token, expected \"sha256:\" and 64 hexadecimal digits; \
     `epode-referee token NAME` makes one"
)]
pub struct NotAHash(String);

impl Secret {
    /// The hash of a text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        Self(Sha256::digest(text.as_bytes()).into())
    }

    /// Whether a text is the secret.
    #[must_use]
    pub fn is(&self, text: &str) -> bool {
        Self::of(text).0.ct_eq(&self.0).into()
    }

    /// What only those can know of a number who know the hash: 64 hexadecimal digits.
    #[must_use]
    pub fn proof(&self, number: u64) -> String {
        let digest = Sha256::new().chain_update(self.0);
        hexadecimal(&digest.chain_update(number.to_be_bytes()).finalize())
    }

    /// Whether a text is the proof of a number.
    #[must_use]
    pub fn proves(&self, number: u64, proof: &str) -> bool {
        self.proof(number).as_bytes().ct_eq(proof.as_bytes()).into()
    }
}

/// Bytes as pairs of hexadecimal digits.
#[must_use]
pub fn hexadecimal(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

impl FromStr for Secret {
    type Err = NotAHash;

    fn from_str(text: &str) -> Result<Self, NotAHash> {
        let wrong = || NotAHash(text.to_owned());
        let digits = text.strip_prefix(PREFIX).ok_or_else(wrong)?;
        let mut hash = [0; 32];
        if digits.len() != 64 || !digits.is_ascii() {
            return Err(wrong());
        }
        for (i, byte) in hash.iter_mut().enumerate() {
            let pair = &digits[2 * i..2 * i + 2];
            *byte = u8::from_str_radix(pair, 16).map_err(|_| wrong())?;
        }
        Ok(Self(hash))
    }
}

impl TryFrom<String> for Secret {
    type Error = NotAHash;

    fn try_from(text: String) -> Result<Self, NotAHash> {
        text.parse()
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}", hexadecimal(&self.0))
    }
}

/// Not even the hash is for logs.
impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_written_and_read() {
        let secret = Secret::of("abc");
        let text = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(secret.to_string(), text);
        assert_eq!(text.parse(), Ok(secret.clone()));
        assert!(secret.is("abc") && !secret.is("abd") && !secret.is(""));
        assert_eq!(format!("{secret:?}"), "Secret");
        let proof = secret.proof(2);
        assert!(secret.proves(2, &proof) && !secret.proves(3, &proof) && !secret.proves(2, ""));
        assert!(!Secret::of("abd").proves(2, &proof));
        let wrong = [
            "abc",
            "sha256:abc",
            &text.replace('b', "x"),
            &format!("{text}0"),
        ];
        for text in wrong {
            assert!(text.parse::<Secret>().is_err(), "{text}");
        }
    }
}
