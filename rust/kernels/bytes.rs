//! Little-endian bytes, written in order and read back with every length checked.

use super::error::KernelError;

/// Bytes being written.
#[derive(Debug, Default)]
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// What was written.
    #[must_use]
    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }

    /// Bytes as they are, no length before them.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// A length or count.
    pub fn count(&mut self, count: usize) {
        self.bytes.extend_from_slice(&(count as u64).to_le_bytes());
    }

    /// A text with its length.
    pub fn text(&mut self, text: &str) {
        self.count(text.len());
        self.raw(text.as_bytes());
    }

    /// Numbers of one kind with their count.
    pub fn numbers<const N: usize, T: Copy>(&mut self, values: &[T], encode: fn(T) -> [u8; N]) {
        self.count(values.len());
        self.bytes.reserve(values.len() * N);
        for &value in values {
            self.bytes.extend_from_slice(&encode(value));
        }
    }
}

/// A 64-bit checksum that tells damage, not malice.
///
/// Each step maps the sum so far one to one, so damage within one word of 8 bytes is always found.
#[must_use]
pub fn checksum(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let mix = |sum: u64, word: [u8; 8]| {
        (sum ^ u64::from_le_bytes(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
    };
    mix(words.iter().copied().fold(bytes.len() as u64, mix), last)
}

/// Bytes being read.
#[derive(Debug)]
pub struct Reader<'a> {
    what: &'static str,
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Reads `bytes`; `what` names them in errors.
    #[must_use]
    pub fn new(what: &'static str, bytes: &'a [u8]) -> Self {
        Self { what, rest: bytes }
    }

    /// An error about these bytes.
    #[must_use]
    pub fn corrupt(&self, reason: &str) -> KernelError {
        KernelError::Corrupt { what: self.what, reason: reason.to_owned() }
    }

    /// The next `size` bytes.
    ///
    /// # Errors
    ///
    /// [`KernelError::Corrupt`] when there are fewer; so all readers below.
    pub fn raw(&mut self, size: usize) -> Result<&'a [u8], KernelError> {
        let (taken, rest) =
            self.rest.split_at_checked(size).ok_or_else(|| self.corrupt("it ends too early"))?;
        self.rest = rest;
        Ok(taken)
    }

    /// A length or count, which can't be more than the bytes that are left.
    ///
    /// # Errors
    ///
    /// [`KernelError::Corrupt`]
    pub fn count(&mut self) -> Result<usize, KernelError> {
        let mut held = [0; 8];
        held.copy_from_slice(self.raw(8)?);
        usize::try_from(u64::from_le_bytes(held))
            .ok()
            .filter(|&count| count <= self.rest.len())
            .ok_or_else(|| self.corrupt("a count is larger than what follows"))
    }

    /// A text with its length.
    ///
    /// # Errors
    ///
    /// [`KernelError::Corrupt`]
    pub fn text(&mut self) -> Result<&'a str, KernelError> {
        let size = self.count()?;
        let bytes = self.raw(size)?;
        std::str::from_utf8(bytes).map_err(|_| self.corrupt("a text is not UTF-8"))
    }

    /// Numbers of one kind with their count.
    ///
    /// # Errors
    ///
    /// [`KernelError::Corrupt`]
    pub fn numbers<const N: usize, T>(
        &mut self,
        decode: fn([u8; N]) -> T,
    ) -> Result<Vec<T>, KernelError> {
        let count = self.count()?;
        let bytes =
            self.raw(count.checked_mul(N).ok_or_else(|| self.corrupt("a count is out of range"))?)?;
        let (chunks, _) = bytes.as_chunks::<N>();
        Ok(chunks.iter().map(|chunk| decode(*chunk)).collect())
    }

    /// Checks that nothing is left.
    ///
    /// # Errors
    ///
    /// [`KernelError::Corrupt`]
    pub fn end(&self) -> Result<(), KernelError> {
        if self.rest.is_empty() { Ok(()) } else { Err(self.corrupt("bytes follow its end")) }
    }
}
