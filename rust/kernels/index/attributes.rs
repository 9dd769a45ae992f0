//! What is known of each document beside its content words: when it was stored, who speaks in it,
//! what kind of statement it is, which function words it holds.

use super::interned::Interned;
use crate::kernels::text::stopwords;
use crate::kernels::text::traits::{Speaker, Traits};

/// No speaker.
const NOBODY: u32 = u32::MAX;

/// The attributes of one document to store.
#[derive(Debug, Clone, Default)]
pub struct NewAttributes<'a> {
    /// Seconds since 1970 (UTC); 0 when it is not known.
    pub created_at: f64,
    /// What kinds of statement it holds.
    pub traits: Traits,
    /// Who speaks in it.
    pub speaker: Option<&'a Speaker>,
    /// Its function words by number, rising, with repetitions.
    pub function_words: &'a [u16],
}

/// The attributes of all documents, by slot, and how many documents have each.
#[derive(Debug, Default)]
pub struct Attributes {
    pub(super) created_at: Vec<f64>,
    pub(super) traits: Vec<u8>,
    pub(super) speakers: Vec<u32>,
    pub(super) spans: Vec<(u32, u32)>,
    pub(super) function_words: Vec<u16>,
    names: Interned,
    /// Of each speaker how many documents, and how many with a label.
    spoken: Vec<[u32; 2]>,
    frequencies: Vec<u32>,
    asking: usize,
}

impl Attributes {
    /// When the document was stored, in seconds since 1970 (UTC).
    #[must_use]
    pub fn created_at(&self, slot: u32) -> f64 {
        self.created_at[slot as usize]
    }

    /// What kinds of statement the document holds.
    #[inline]
    #[must_use]
    pub fn traits(&self, slot: u32) -> Traits {
        Traits::from_bits(self.traits[slot as usize])
    }

    /// The number of the document's speaker.
    #[inline]
    #[must_use]
    pub fn speaker(&self, slot: u32) -> Option<u32> {
        let speaker = self.speakers[slot as usize];
        (speaker != NOBODY).then_some(speaker)
    }

    /// The name of a document's speaker.
    #[must_use]
    pub fn speaker_name(&self, slot: u32) -> Option<&str> {
        self.speaker(slot).map(|speaker| self.names.get(speaker))
    }

    /// The number of a speaker of this name (case and accents folded).
    #[must_use]
    pub fn speaker_called(&self, name: &str) -> Option<u32> {
        self.names.find(name)
    }

    /// Every speaker: number and name.
    pub fn all_speakers(&self) -> impl Iterator<Item = (u32, &str)> + '_ {
        (0..u32::try_from(self.names.len()).unwrap_or(NOBODY)).map(|nth| (nth, self.names.get(nth)))
    }

    /// How many documents a speaker has, and how many of them are labelled with the name.
    #[must_use]
    pub fn documents_of_speaker(&self, speaker: u32) -> (u32, u32) {
        let [all, labelled] = self.spoken[speaker as usize];
        (all, labelled)
    }

    /// How many documents end in a question.
    #[must_use]
    pub fn asking(&self) -> usize {
        self.asking
    }

    /// The document's function words by number, rising, with repetitions.
    #[must_use]
    pub fn function_words(&self, slot: u32) -> &[u16] {
        let (start, end) = self.spans[slot as usize];
        &self.function_words[start as usize..end as usize]
    }

    /// In how many documents a function word occurs.
    #[must_use]
    pub fn frequency_of_function_word(&self, number: u16) -> u32 {
        self.frequencies.get(usize::from(number)).copied().unwrap_or(0)
    }

    pub(super) fn push(&mut self) {
        self.created_at.push(0.0);
        self.traits.push(0);
        self.speakers.push(NOBODY);
        self.spans.push((0, 0));
    }

    /// Fills a slot that holds nothing. The function words that it held before stay in the arena
    /// until the index is saved and loaded, or built again.
    pub(super) fn set(&mut self, slot: u32, new: &NewAttributes<'_>) {
        let at = slot as usize;
        self.created_at[at] = new.created_at;
        let labelled = new.speaker.is_some_and(|speaker| speaker.labelled);
        let traits = if labelled { new.traits.with(Traits::LABELLED) } else { new.traits };
        self.traits[at] = traits.bits();
        self.speakers[at] = new.speaker.map_or(NOBODY, |speaker| self.names.insert(&speaker.name));
        let start = u32::try_from(self.function_words.len()).unwrap_or(u32::MAX);
        self.function_words.extend_from_slice(new.function_words);
        let end = u32::try_from(self.function_words.len()).unwrap_or(u32::MAX);
        self.spans[at] = (start, end);
        self.count(slot, true);
    }

    /// Takes the document of a slot out of the counts.
    pub(super) fn kill(&mut self, slot: u32) {
        self.count(slot, false);
    }

    fn count(&mut self, slot: u32, added: bool) {
        let by = |count: &mut u32| {
            *count = if added { *count + 1 } else { count.saturating_sub(1) };
        };
        let traits = self.traits(slot);
        if let Some(speaker) = self.speaker(slot) {
            self.spoken.resize(self.names.len(), [0; 2]);
            let [all, labelled] = &mut self.spoken[speaker as usize];
            by(all);
            if traits.has(Traits::LABELLED) {
                by(labelled);
            }
        }
        if traits.has(Traits::ASKS) {
            self.asking = if added { self.asking + 1 } else { self.asking.saturating_sub(1) };
        }
        let (start, end) = self.spans[slot as usize];
        self.frequencies.resize(stopwords::count(), 0);
        let mut before = None;
        for &number in &self.function_words[start as usize..end as usize] {
            if before != Some(number) {
                by(&mut self.frequencies[usize::from(number)]);
            }
            before = Some(number);
        }
    }

    pub(super) fn shrink(&mut self) {
        self.created_at.shrink_to_fit();
        self.traits.shrink_to_fit();
        self.speakers.shrink_to_fit();
        self.spans.shrink_to_fit();
        self.function_words.shrink_to_fit();
        self.names.shrink();
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.created_at.capacity() * (8 + 1 + 4 + 8)
            + self.function_words.capacity() * 2
            + self.names.heap_bytes()
            + self.spoken.capacity() * 8
            + self.frequencies.capacity() * 4
    }
}
