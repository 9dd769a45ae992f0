//! The index to bytes and back, so that a large store opens without being read through.

use std::sync::OnceLock;

use super::attributes::{Attributes, NewAttributes};
use super::documents::{Documents, VALUE_END};
use super::postings::Postings;
use super::scratch::ScratchPool;
use super::vocabulary::Vocabulary;
use super::{FIELDS, Index, Serial};
use crate::kernels::bytes::{Reader, Writer, checksum};
use crate::kernels::error::KernelError;
use crate::kernels::text::analysis::Form;
use crate::kernels::text::stopwords;
use crate::kernels::text::traits::{Speaker, Traits};

/// First bytes of every saved index. The number rises with every change to the layout, to the text
/// analysis or to the field weights: an index of another make is built again.
const MAGIC: &[u8; 8] = b"BIORAGI4";

/// What error messages call the bytes.
const WHAT: &str = "saved index";

impl Index {
    /// The index as bytes; `stamp` says which state of the store it shows.
    #[must_use]
    pub fn to_bytes(&self, stamp: &str) -> Vec<u8> {
        let mut out = Writer::default();
        out.raw(MAGIC);
        out.text(stamp);
        out.count(self.vocabulary.forms());
        for (word, term, kind) in self.vocabulary.entries() {
            out.raw(&kind.map(u8::from));
            out.text(word);
            out.text(term);
        }
        let slots: Vec<u32> = (0..u32::try_from(self.documents.slots()).unwrap_or(u32::MAX))
            .filter(|&slot| self.documents.is_alive(slot))
            .collect();
        let all = &self.documents;
        let ids: Vec<i64> = slots.iter().map(|&slot| all.id(slot)).collect();
        let languages: Vec<u8> = slots.iter().map(|&slot| all.languages[slot as usize]).collect();
        let lengths: Vec<u32> = slots.iter().map(|&slot| all.lengths.get(slot)).collect();
        // Each document's fields one after another, without the gaps that deletions left.
        let mut sizes: Vec<u32> = Vec::with_capacity(slots.len() * FIELDS);
        let mut forms: Vec<u32> = Vec::with_capacity(all.forms.len());
        for &slot in &slots {
            for field in 0..FIELDS {
                let held = all.field(slot, field);
                sizes.push(u32::try_from(held.len()).unwrap_or(u32::MAX));
                forms.extend_from_slice(held);
            }
        }
        out.numbers(&ids, i64::to_le_bytes);
        out.numbers(&languages, u8::to_le_bytes);
        out.numbers(&lengths, u32::to_le_bytes);
        out.numbers(&sizes, u32::to_le_bytes);
        out.numbers(&forms, u32::to_le_bytes);
        write_attributes(&mut out, all.attributes(), &slots);
        let place: Vec<u32> = places(&slots, all.slots());
        out.count(self.postings.len());
        for postings in &self.postings {
            let moved: Vec<u32> =
                postings.slots().iter().map(|&slot| place[slot as usize]).collect();
            out.numbers(&moved, u32::to_le_bytes);
            out.numbers(postings.counts(), u16::to_le_bytes);
        }
        let mut bytes = out.finish();
        bytes.extend_from_slice(&checksum(&bytes).to_le_bytes());
        bytes
    }

    /// The stamp of a saved index, without reading the rest.
    ///
    /// # Errors
    ///
    /// [`KernelError::Corrupt`] when the bytes are not an index of this make.
    pub fn stamp_of(bytes: &[u8]) -> Result<&str, KernelError> {
        stamp(&mut Reader::new(WHAT, bytes))
    }

    /// The index and the stamp that [`Index::to_bytes`] wrote.
    ///
    /// # Errors
    ///
    /// [`KernelError::Corrupt`] when the bytes are not an index of this make, or not whole.
    pub fn from_bytes(bytes: &[u8]) -> Result<(Self, String), KernelError> {
        // The make first: an older one has no checksum, and its error should say so.
        Self::stamp_of(bytes)?;
        let mut input = Reader::new(WHAT, undamaged(bytes)?);
        let stamp = stamp(&mut input)?.to_owned();
        let mut vocabulary = Vocabulary::default();
        let forms = input.count()?;
        for nth in 0..forms {
            let kind = input.raw(2)?;
            let (whole, accented) = (kind[0] != 0, kind[1] != 0);
            let (word, term) = (input.text()?.to_owned(), input.text()?.to_owned());
            if vocabulary.add(&Form { word, term, whole, accented }) as usize != nth {
                return Err(input.corrupt("a word form is there twice"));
            }
        }
        let documents = read_documents(&mut input, forms)?;
        let count = input.count()?;
        if count != vocabulary.terms() {
            return Err(input.corrupt("terms and postings differ in number"));
        }
        let mut postings = Vec::with_capacity(count);
        for _ in 0..count {
            postings.push(read_postings(&mut input, documents.slots())?);
        }
        input.end()?;
        let mut index = Self {
            vocabulary,
            documents,
            postings,
            scratch: ScratchPool::default(),
            serial: Serial::default(),
            grams: OnceLock::new(),
        };
        for slot in 0..u32::try_from(index.documents.slots()).unwrap_or(u32::MAX) {
            for form in index.documents.distinct_forms(slot) {
                index.vocabulary.count_document(form, 1);
            }
        }
        Ok((index, stamp))
    }
}

/// The bytes before the checksum, which vouches for them: a damaged posting would be believed for
/// good, while an index that is refused is built again.
fn undamaged(bytes: &[u8]) -> Result<&[u8], KernelError> {
    match bytes.split_last_chunk::<8>() {
        Some((content, sum)) if checksum(content) == u64::from_le_bytes(*sum) => Ok(content),
        _ => Err(Reader::new(WHAT, bytes).corrupt("its checksum differs")),
    }
}

fn stamp<'a>(input: &mut Reader<'a>) -> Result<&'a str, KernelError> {
    if input.raw(MAGIC.len())? != MAGIC {
        return Err(input.corrupt("it is not an index of this version"));
    }
    input.text()
}

/// The new place of each slot once the empty ones are gone.
fn places(slots: &[u32], count: usize) -> Vec<u32> {
    let mut place = vec![u32::MAX; count];
    for (nth, &slot) in slots.iter().enumerate() {
        place[slot as usize] = u32::try_from(nth).unwrap_or(u32::MAX);
    }
    place
}

fn read_documents(input: &mut Reader<'_>, forms: usize) -> Result<Documents, KernelError> {
    let ids = input.numbers(i64::from_le_bytes)?;
    let languages = input.numbers(u8::from_le_bytes)?;
    let lengths = input.numbers(u32::from_le_bytes)?;
    let sizes = input.numbers(u32::from_le_bytes)?;
    let words = input.numbers(u32::from_le_bytes)?;
    let count = ids.len();
    let fits = languages.len() == count
        && lengths.len() == count
        && sizes.len() == count * FIELDS
        && sizes.iter().map(|&size| u64::from(size)).sum::<u64>() == words.len() as u64;
    if !fits || languages.iter().any(|&language| language > 1) {
        return Err(input.corrupt("its documents do not fit together"));
    }
    if !ids.is_sorted_by(|a, b| a < b) {
        return Err(input.corrupt("document numbers do not rise"));
    }
    if words.iter().any(|&form| form != VALUE_END && form as usize >= forms) {
        return Err(input.corrupt("a document holds an unknown word"));
    }
    let mut counts = [0; 2];
    for &language in &languages {
        counts[language as usize] += 1;
    }
    let mut starts = Vec::with_capacity(count);
    let mut ends = Vec::with_capacity(count);
    let mut at = 0_u32;
    for document in sizes.chunks_exact(FIELDS) {
        starts.push(at);
        let mut ended = [0; FIELDS];
        for (end, size) in ended.iter_mut().zip(document) {
            at += size;
            *end = at;
        }
        ends.push(ended);
    }
    let attributes = read_attributes(input, count)?;
    Ok(Documents {
        attributes,
        alive: vec![true; count],
        total_length: lengths.iter().map(|&length| u64::from(length)).sum(),
        lengths: lengths.into_iter().collect(),
        ids,
        languages,
        starts,
        ends,
        forms: words,
        counts,
    })
}

fn write_attributes(out: &mut Writer, attributes: &Attributes, slots: &[u32]) {
    let times: Vec<f64> = slots.iter().map(|&slot| attributes.created_at(slot)).collect();
    let traits: Vec<u8> = slots.iter().map(|&slot| attributes.traits(slot).bits()).collect();
    let words = slots.iter().map(|&slot| attributes.function_words(slot));
    let sizes: Vec<u32> =
        words.clone().map(|words| u32::try_from(words.len()).unwrap_or(u32::MAX)).collect();
    let words: Vec<u16> = words.flatten().copied().collect();
    out.numbers(&times, f64::to_le_bytes);
    out.numbers(&traits, u8::to_le_bytes);
    out.numbers(&sizes, u32::to_le_bytes);
    out.numbers(&words, u16::to_le_bytes);
    for &slot in slots {
        out.text(attributes.speaker_name(slot).unwrap_or_default());
    }
}

fn read_attributes(input: &mut Reader<'_>, count: usize) -> Result<Attributes, KernelError> {
    let times = input.numbers(f64::from_le_bytes)?;
    let traits = input.numbers(u8::from_le_bytes)?;
    let sizes = input.numbers(u32::from_le_bytes)?;
    let words = input.numbers(u16::from_le_bytes)?;
    let held = sizes.iter().map(|&size| u64::from(size)).sum::<u64>() == words.len() as u64;
    if times.len() != count || traits.len() != count || sizes.len() != count || !held {
        return Err(input.corrupt("its documents and what is known of them do not fit together"));
    }
    if words.iter().any(|&word| usize::from(word) >= stopwords::count()) {
        return Err(input.corrupt("a document holds an unknown function word"));
    }
    let mut attributes = Attributes::default();
    let mut rest = words.as_slice();
    for (slot, ((&created_at, &bits), &size)) in (0..).zip(times.iter().zip(&traits).zip(&sizes)) {
        let (own, later) = rest.split_at(size as usize);
        rest = later;
        let traits = Traits::from_bits(bits);
        let name = input.text()?.to_owned();
        let speaker = Speaker { name, labelled: traits.has(Traits::LABELLED) };
        let speaker = Some(&speaker).filter(|speaker| !speaker.name.is_empty());
        attributes.push();
        attributes.set(slot, &NewAttributes { created_at, traits, speaker, function_words: own });
    }
    Ok(attributes)
}

fn read_postings(input: &mut Reader<'_>, slots: usize) -> Result<Postings, KernelError> {
    let held = input.numbers(u32::from_le_bytes)?;
    let counts = input.numbers(u16::from_le_bytes)?;
    let rising = held.is_sorted_by(|a, b| a < b);
    let known = held.last().is_none_or(|&last| (last as usize) < slots);
    if held.len() != counts.len() || !rising || !known || counts.contains(&0) {
        return Err(input.corrupt("a posting list is damaged"));
    }
    Ok(Postings::from_parts(held, counts))
}

#[cfg(test)]
mod tests;
