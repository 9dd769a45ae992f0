//! The lexicon's file: where each array lies in it, and the one check that makes reading safe.
//!
//! Little-endian. A 32-byte header (magic, two checksums of all that follows them, version, number
//! of sections), a table (tag, offset, length of each section as `u32`), the sections. Numbers inside
//! a section take three bytes. A list of lists is two sections: where each list ends, and the
//! values of all of them. The file stays as it was read; arrays are places in it.

use crate::kernels::error::KernelError;
use crate::kernels::text::stem::Language;

const MAGIC: &[u8; 8] = b"BIORAGLX";
const VERSION: u32 = 1;
const HEADER_BYTES: usize = 32;
/// What the checksums cover begins here.
const CHECKED_FROM: usize = 24;
const ENTRY_BYTES: usize = 12;
const NUMBER_BYTES: usize = 3;

/// Section tags; those of a language are relative to its base.
const LEMMA_TEXT: u32 = 1;
const LEMMA_ENDS: u32 = 2;
const STEM_TEXT: u32 = 3;
const STEM_ENDS: u32 = 4;
const STEM_LEMMA_ENDS: u32 = 5;
const STEM_LEMMAS: u32 = 6;
const SENSE_ENDS: u32 = 7;
const SENSES: u32 = 8;
const MEMBER_ENDS: u32 = 9;
const MEMBERS: u32 = 10;
const MEMBER_RANKS: u32 = 11;
const SYNSET_GROUPS: u32 = 32;

const fn base(language: Language) -> u32 {
    match language {
        Language::English => 0,
        Language::Spanish => 16,
    }
}

/// A stretch of the file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bytes {
    start: usize,
    len: usize,
}

impl Bytes {
    pub(super) fn of(self, file: &[u8]) -> &[u8] {
        &file[self.start..self.start + self.len]
    }
}

/// Three-byte numbers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Numbers(Bytes);

impl Numbers {
    pub(super) fn len(self) -> usize {
        self.0.len / NUMBER_BYTES
    }

    pub(super) fn get(self, file: &[u8], index: usize) -> usize {
        let at = self.0.start + index * NUMBER_BYTES;
        number([file[at], file[at + 1], file[at + 2]])
    }

    fn values(self, file: &[u8]) -> impl Iterator<Item = usize> {
        self.0.of(file).as_chunks().0.iter().map(|&bytes| number(bytes))
    }

    /// Where list `index` begins and ends, when these are the ends of lists.
    fn bounds(self, file: &[u8], index: usize) -> (usize, usize) {
        let start = if index == 0 { 0 } else { self.get(file, index - 1) };
        (start, self.get(file, index))
    }
}

fn number([low, middle, high]: [u8; NUMBER_BYTES]) -> usize {
    usize::from(low) | usize::from(middle) << 8 | usize::from(high) << 16
}

/// Texts one after another, in byte order.
#[derive(Debug, Clone, Copy)]
pub(super) struct Texts {
    text: Bytes,
    ends: Numbers,
}

impl Texts {
    pub(super) fn len(self) -> usize {
        self.ends.len()
    }

    pub(super) fn bytes(self, file: &[u8], index: usize) -> &[u8] {
        let (start, end) = self.ends.bounds(file, index);
        &self.text.of(file)[start..end]
    }

    pub(super) fn get(self, file: &[u8], index: usize) -> &str {
        // Loading checked that every text is UTF-8.
        std::str::from_utf8(self.bytes(file, index)).unwrap_or_default()
    }
}

/// Lists of numbers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lists {
    ends: Numbers,
    values: Numbers,
}

impl Lists {
    pub(super) fn get(self, file: &[u8], index: usize) -> impl ExactSizeIterator<Item = usize> {
        let (start, end) = self.ends.bounds(file, index);
        (start..end).map(move |at| self.values.get(file, at))
    }

    /// Where list `index` begins among the values of all lists.
    pub(super) fn start(self, file: &[u8], index: usize) -> usize {
        self.ends.bounds(file, index).0
    }
}

/// One language's part of the file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Vocabulary {
    /// Case-folded lemmas, ordered by their spelling without accents.
    pub(super) lemmas: Texts,
    /// Stems of the one-word lemmas.
    pub(super) stems: Texts,
    /// Of each stem, its lemmas.
    pub(super) stem_lemmas: Lists,
    /// Of each lemma, its synsets, the most usual first.
    pub(super) senses: Lists,
    /// Of each synset, its lemmas in order.
    pub(super) members: Lists,
    /// Parallel to the values of `members`: the lemma's sense number in that part of speech, from
    /// 0. Without it, the position in the synset.
    pub(super) ranks: Option<Bytes>,
}

/// Where everything lies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    pub(super) english: Vocabulary,
    pub(super) spanish: Vocabulary,
    /// Of each synset, the number of its semantic group.
    pub(super) groups: Bytes,
}

impl Layout {
    /// Reads the section table and checks every end and every id once, so that no later look-up
    /// can leave the file.
    ///
    /// # Errors
    ///
    /// [`KernelError::Corrupt`] when the file is not one that this version reads.
    pub(super) fn of(file: &[u8]) -> Result<Self, KernelError> {
        let sections = Sections::of(file)?;
        let groups = sections.require(SYNSET_GROUPS)?;
        Ok(Self {
            english: sections.vocabulary(Language::English, groups.len)?,
            spanish: sections.vocabulary(Language::Spanish, groups.len)?,
            groups,
        })
    }
}

fn corrupt(reason: impl Into<String>) -> KernelError {
    KernelError::Corrupt { what: "lexicon", reason: reason.into() }
}

fn ensure(holds: bool, reason: impl FnOnce() -> String) -> Result<(), KernelError> {
    if holds { Ok(()) } else { Err(corrupt(reason())) }
}

fn u32_at(file: &[u8], at: usize) -> u32 {
    let mut bytes = [0; 4];
    bytes.copy_from_slice(&file[at..at + 4]);
    u32::from_le_bytes(bytes)
}

fn u64_at(file: &[u8], at: usize) -> u64 {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&file[at..at + 8]);
    u64::from_le_bytes(bytes)
}

/// The sum of the 64-bit words and the sum of its running sums (Fletcher 1982, 64 bits wide): no
/// changed, moved or swapped word goes unseen, at one addition a word and sum.
fn checksums(words: &[u8]) -> (u64, u64) {
    words.as_chunks().0.iter().fold((0_u64, 0_u64), |(sum, sums), &word| {
        let sum = sum.wrapping_add(u64::from_le_bytes(word));
        (sum, sums.wrapping_add(sum))
    })
}

/// The section table, checked against the file's length.
struct Sections<'a> {
    file: &'a [u8],
    count: usize,
}

impl<'a> Sections<'a> {
    fn of(file: &'a [u8]) -> Result<Self, KernelError> {
        ensure(file.len() >= HEADER_BYTES && &file[..8] == MAGIC, || {
            "it does not begin as a lexicon does".into()
        })?;
        let version = u32_at(file, 24);
        ensure(version == VERSION, || format!("version {version}, this program reads {VERSION}"))?;
        let checked = &file[CHECKED_FROM..];
        ensure(
            checked.len().is_multiple_of(8)
                && checksums(checked) == (u64_at(file, 8), u64_at(file, 16)),
            || format!("the checksum does not fit its {} bytes", file.len()),
        )?;
        let count = u32_at(file, 28) as usize;
        ensure(count <= (file.len() - HEADER_BYTES) / ENTRY_BYTES, || format!("{count} sections"))?;
        Ok(Self { file, count })
    }

    fn find(&self, tag: u32) -> Result<Option<Bytes>, KernelError> {
        let entry = (0..self.count)
            .map(|index| HEADER_BYTES + index * ENTRY_BYTES)
            .find(|&at| u32_at(self.file, at) == tag);
        let Some(at) = entry else { return Ok(None) };
        let start = u32_at(self.file, at + 4) as usize;
        let len = u32_at(self.file, at + 8) as usize;
        let inside = start.checked_add(len).is_some_and(|end| end <= self.file.len());
        ensure(inside, || format!("section {tag} lies outside the file"))?;
        Ok(Some(Bytes { start, len }))
    }

    fn require(&self, tag: u32) -> Result<Bytes, KernelError> {
        self.find(tag)?.ok_or_else(|| corrupt(format!("section {tag} is missing")))
    }

    fn numbers(&self, tag: u32) -> Result<Numbers, KernelError> {
        let bytes = self.require(tag)?;
        ensure(bytes.len.is_multiple_of(NUMBER_BYTES), || {
            format!("section {tag} ends inside a number")
        })?;
        Ok(Numbers(bytes))
    }

    /// Ends that never fall, and leave nothing after the last.
    fn ends(&self, tag: u32, total: usize) -> Result<Numbers, KernelError> {
        let ends = self.numbers(tag)?;
        let mut last = 0;
        let mut rising = true;
        for end in ends.values(self.file) {
            rising &= last <= end;
            last = end;
        }
        ensure(rising && last == total, || format!("section {tag} does not cut up its list"))?;
        Ok(ends)
    }

    fn texts(&self, text_tag: u32, ends_tag: u32) -> Result<Texts, KernelError> {
        let text = self.require(text_tag)?;
        let ends = self.ends(ends_tag, text.len)?;
        let utf8 = std::str::from_utf8(text.of(self.file))
            .is_ok_and(|text| ends.values(self.file).all(|end| text.is_char_boundary(end)));
        ensure(utf8, || format!("section {text_tag} is not UTF-8"))?;
        Ok(Texts { text, ends })
    }

    fn lists(
        &self,
        (ends_tag, values_tag): (u32, u32),
        lists: usize,
        bound: usize,
    ) -> Result<Lists, KernelError> {
        let values = self.numbers(values_tag)?;
        let ends = self.ends(ends_tag, values.len())?;
        ensure(ends.len() == lists, || format!("section {ends_tag}: not {lists} lists"))?;
        let most = values.values(self.file).max().unwrap_or(0);
        ensure(values.len() == 0 || most < bound, || {
            format!("section {values_tag} names {most} of {bound}")
        })?;
        Ok(Lists { ends, values })
    }

    fn vocabulary(&self, language: Language, synsets: usize) -> Result<Vocabulary, KernelError> {
        let tag = |kind| base(language) + kind;
        let lemmas = self.texts(tag(LEMMA_TEXT), tag(LEMMA_ENDS))?;
        let stems = self.texts(tag(STEM_TEXT), tag(STEM_ENDS))?;
        let stem_tags = (tag(STEM_LEMMA_ENDS), tag(STEM_LEMMAS));
        let members = self.lists((tag(MEMBER_ENDS), tag(MEMBERS)), synsets, lemmas.len())?;
        let ranks = self.find(tag(MEMBER_RANKS))?;
        ensure(ranks.is_none_or(|ranks| ranks.len == members.values.len()), || {
            format!("section {} does not rank every member", tag(MEMBER_RANKS))
        })?;
        Ok(Vocabulary {
            lemmas,
            stems,
            stem_lemmas: self.lists(stem_tags, stems.len(), lemmas.len())?,
            senses: self.lists((tag(SENSE_ENDS), tag(SENSES)), lemmas.len(), synsets)?,
            members,
            ranks,
        })
    }
}

/// A file whose checksums fit its payload, behind a header of this version.
#[cfg(test)]
pub(super) fn signed(sections: u32, payload: &[u8]) -> Vec<u8> {
    let checked = [&VERSION.to_le_bytes(), &sections.to_le_bytes(), payload].concat();
    let (sum, sums) = checksums(&checked);
    [MAGIC, &sum.to_le_bytes()[..], &sums.to_le_bytes(), &checked].concat()
}
