//! What Spanish and English words mean to each other: `WordNet` 3.0 with its Spanish words.
//!
//! A lemma belongs to synsets, its meanings; a synset lists its lemmas in both languages. Words
//! are looked up by their spelling without accents (ñ kept), then by their Snowball stem, so that
//! `canciones` and `cancion` find `canción`.

mod format;
mod near;
mod parts;

use std::cmp::Ordering;
use std::ops::Range;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use self::format::{Layout, Vocabulary};
use self::near::Spellings;
use crate::kernels::error::KernelError;
use crate::kernels::text::fold::{fold_accents, fold_case};
use crate::kernels::text::irregular::{Infinitive, english_base, spanish_infinitives};
use crate::kernels::text::language::LanguageEvidence;
use crate::kernels::text::stem::{Language, stem};

/// A lemma's number among those of its language, in the order of their spelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LemmaId(u32);

impl LemmaId {
    /// The number.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A word that stands for another, and how well.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weighted<'a> {
    /// A lemma: case-folded, with its accents; words of a phrase are separated by spaces.
    pub text: &'a str,
    /// Evidence, above 0; comparable among the answers to one question only.
    pub weight: f32,
}

/// The lexicon's file in memory, checked.
#[derive(Debug)]
pub struct Lexicon {
    file: Vec<u8>,
    layout: Layout,
    english_spellings: OnceLock<Spellings>,
    spanish_spellings: OnceLock<Spellings>,
}

impl Lexicon {
    /// The lexicon in a file's bytes, which are kept as they are.
    ///
    /// # Errors
    ///
    /// [`KernelError::Corrupt`] when the bytes are not what this version writes.
    pub fn from_bytes(file: Vec<u8>) -> Result<Self, KernelError> {
        let layout = Layout::of(&file)?;
        Ok(Self {
            file,
            layout,
            english_spellings: OnceLock::new(),
            spanish_spellings: OnceLock::new(),
        })
    }

    /// The number of lemmas of a language.
    #[must_use]
    pub fn lemma_count(&self, language: Language) -> usize {
        self.vocabulary(language).lemmas.len()
    }

    /// The lemma with this number, `None` when the language has fewer.
    #[must_use]
    pub fn lemma(&self, language: Language, index: usize) -> Option<LemmaId> {
        let exists = index < self.lemma_count(language);
        exists.then(|| u32::try_from(index).ok().map(LemmaId)).flatten()
    }

    /// A lemma of this language as it is spelt.
    ///
    /// # Panics
    ///
    /// When the language has no such lemma, as slices do.
    #[must_use]
    pub fn text(&self, language: Language, lemma: LemmaId) -> &str {
        self.vocabulary(language).lemmas.get(&self.file, lemma.index())
    }

    /// Whether the word, or one with the same stem, is a lemma of the language.
    #[must_use]
    pub fn knows(&self, language: Language, word: &str) -> bool {
        let word = fold_case(word);
        !self.spelt(language, &word).is_empty() || self.stem_index(language, &word).is_some()
    }

    /// Whether the word itself is a lemma of the language, accents aside.
    #[must_use]
    pub fn knows_lemma(&self, language: Language, word: &str) -> bool {
        !self.spelt(language, &fold_case(word)).is_empty()
    }

    /// The lemmas that a word of a text may stand for, at most `max`.
    ///
    /// Those spelt like it, accents aside; when there are none, the verbs that it is a form of, and
    /// unless it can only be a verb's form, those that share its stem. An accent that is there is
    /// believed: `papá` is not `papa`, but `papa` may be `papá`.
    #[must_use]
    pub fn lemmas(&self, language: Language, word: &str, max: usize) -> Vec<LemmaId> {
        let word = fold_case(word);
        let vocabulary = self.vocabulary(language);
        let spelt = self.spelt(language, &word);
        if !word.is_ascii() {
            let exact = spelt
                .clone()
                .find(|&index| vocabulary.lemmas.bytes(&self.file, index) == word.as_bytes());
            if let Some(index) = exact {
                return ids(std::iter::once(index), max);
            }
        }
        if !spelt.is_empty() {
            return ids(spelt, max);
        }
        let infinitives = match language {
            Language::Spanish => spanish_infinitives(&word),
            Language::English => english_base(&word)
                .map(|base| Infinitive { text: base.to_owned(), surely: true })
                .into_iter()
                .collect(),
        };
        // What can only be a verb is no noun that happens to share its stem: `murió` is no `muro`.
        let sure: Vec<usize> = infinitives
            .iter()
            .filter(|infinitive| infinitive.surely)
            .flat_map(|infinitive| self.spelt(language, &infinitive.text))
            .collect();
        if !sure.is_empty() {
            return ids(sure.into_iter(), max);
        }
        let mut found: Vec<usize> = match self.stem_index(language, &word) {
            Some(index) => vocabulary.stem_lemmas.get(&self.file, index).collect(),
            None => Vec::new(),
        };
        for infinitive in infinitives {
            for index in self.spelt(language, &infinitive.text) {
                if !found.contains(&index) {
                    found.push(index);
                }
            }
        }
        ids(found.into_iter(), max)
    }

    /// The other language's lemmas that share a synset with these, best first.
    ///
    /// The weight of t sums over the lemmas and their synsets s: (1 + r)^-½ (1 + j)^-½, times
    /// (1 + r₂)^-½ into English. r is the lemma's sense rank in s (in Spanish, which has none,
    /// its position), j the position of t, r₂ the sense rank of t. Ties are ordered by text.
    #[must_use]
    pub fn translations(&self, from: Language, lemmas: &[LemmaId]) -> Vec<Weighted<'_>> {
        let to = from.other();
        let mut weights: FxHashMap<usize, f64> = FxHashMap::default();
        for &lemma in lemmas {
            for synset in self.synsets(from, lemma) {
                let of_lemma = damped(self.rank(from, synset, lemma));
                for (position, target) in self.members(to, synset).enumerate() {
                    let mut weight = of_lemma * damped(position);
                    if to == Language::English {
                        weight *= damped(self.rank_at(to, synset, position));
                    }
                    *weights.entry(target).or_default() += weight;
                }
            }
        }
        self.weighted(to, weights)
    }

    /// Lemmas of the same language that share one of the lemma's first `senses` synsets, best
    /// first, itself left out.
    ///
    /// The weight of t sums (1 + i)^-½ (1 + j)^-½ over those synsets: i counts them from 0, j is
    /// the position of t. Ties are ordered by text.
    #[must_use]
    pub fn synonyms(&self, language: Language, lemma: LemmaId, senses: usize) -> Vec<Weighted<'_>> {
        let mut weights: FxHashMap<usize, f64> = FxHashMap::default();
        for (nth, synset) in self.synsets(language, lemma).take(senses).enumerate() {
            for (position, target) in self.members(language, synset).enumerate() {
                if target != lemma.index() {
                    *weights.entry(target).or_default() += damped(nth) * damped(position);
                }
            }
        }
        self.weighted(language, weights)
    }

    /// The semantic groups of the lemma's first `senses` synsets, each once, such as
    /// `noun.animal`.
    #[must_use]
    pub fn groups(&self, language: Language, lemma: LemmaId, senses: usize) -> Vec<&'static str> {
        let groups = self.layout.groups.of(&self.file);
        let mut found = Vec::new();
        for synset in self.synsets(language, lemma).take(senses) {
            let name = GROUPS.get(usize::from(groups[synset])).copied().unwrap_or("");
            if !name.is_empty() && !found.contains(&name) {
                found.push(name);
            }
        }
        found
    }

    /// The one-word lemmas within `max_distance` edits of the word, accents aside, nearest first.
    ///
    /// An edit inserts, deletes or replaces a letter or swaps two neighbours (optimal string
    /// alignment). Equally near lemmas come in the order of their numbers.
    #[must_use]
    pub fn near(&self, language: Language, word: &str, max_distance: u8) -> Vec<(LemmaId, u8)> {
        let spellings = match language {
            Language::English => &self.english_spellings,
            Language::Spanish => &self.spanish_spellings,
        };
        spellings
            .get_or_init(|| Spellings::of(&self.file, self.vocabulary(language)))
            .near(&fold_accents(&fold_case(word)), max_distance)
    }

    fn vocabulary(&self, language: Language) -> &Vocabulary {
        match language {
            Language::English => &self.layout.english,
            Language::Spanish => &self.layout.spanish,
        }
    }

    /// The lemmas spelt like a case-folded word, accents aside.
    fn spelt(&self, language: Language, word: &str) -> Range<usize> {
        let key = fold_accents(word);
        let lemmas = self.vocabulary(language).lemmas;
        let compare = |index| {
            let bytes = lemmas.bytes(&self.file, index);
            // Folding leaves ASCII alone, so a difference before the first accent decides.
            let plain = bytes.iter().take_while(|byte| byte.is_ascii()).count();
            let shared = plain.min(key.len());
            match bytes[..shared].cmp(&key.as_bytes()[..shared]) {
                Ordering::Equal if plain == bytes.len() => bytes.cmp(key.as_bytes()),
                Ordering::Equal => {
                    fold_accents(lemmas.get(&self.file, index)).as_bytes().cmp(key.as_bytes())
                }
                decided => decided,
            }
        };
        let start = lower_bound(lemmas.len(), |index| compare(index).is_lt());
        let same = (start..lemmas.len()).take_while(|&index| compare(index).is_eq()).count();
        start..start + same
    }

    fn stem_index(&self, language: Language, word: &str) -> Option<usize> {
        let stem = stem(word, language);
        let stems = self.vocabulary(language).stems;
        let bytes = |index| stems.bytes(&self.file, index);
        let index = lower_bound(stems.len(), |index| bytes(index) < stem.as_bytes());
        (index < stems.len() && bytes(index) == stem.as_bytes()).then_some(index)
    }

    fn synsets(&self, language: Language, lemma: LemmaId) -> impl ExactSizeIterator<Item = usize> {
        self.vocabulary(language).senses.get(&self.file, lemma.index())
    }

    fn members(&self, language: Language, synset: usize) -> impl ExactSizeIterator<Item = usize> {
        self.vocabulary(language).members.get(&self.file, synset)
    }

    fn rank(&self, language: Language, synset: usize, lemma: LemmaId) -> usize {
        let position = self.members(language, synset).position(|member| member == lemma.index());
        position.map_or(0, |position| self.rank_at(language, synset, position))
    }

    fn rank_at(&self, language: Language, synset: usize, position: usize) -> usize {
        let vocabulary = self.vocabulary(language);
        match vocabulary.ranks {
            Some(ranks) => {
                let start = vocabulary.members.start(&self.file, synset);
                usize::from(ranks.of(&self.file)[start + position])
            }
            None => position,
        }
    }

    fn weighted(&self, language: Language, weights: FxHashMap<usize, f64>) -> Vec<Weighted<'_>> {
        let lemmas = self.vocabulary(language).lemmas;
        let mut found: Vec<(f64, &str)> = weights
            .into_iter()
            .map(|(index, weight)| (weight, lemmas.get(&self.file, index)))
            .collect();
        found.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
        #[expect(clippy::cast_possible_truncation, reason = "seven digits rank a handful of words")]
        found.into_iter().map(|(weight, text)| Weighted { text, weight: weight as f32 }).collect()
    }
}

impl LanguageEvidence for Lexicon {
    fn knows(&self, word: &str, language: Language) -> bool {
        Self::knows(self, language, word)
    }

    fn knows_lemma(&self, word: &str, language: Language) -> bool {
        Self::knows_lemma(self, language, word)
    }
}

/// (1 + rank)^-½: later senses and later members count less. A root and a quotient are exact to
/// the last bit everywhere, a power is not.
fn damped(rank: usize) -> f64 {
    1.0 / (1.0 + rank as f64).sqrt()
}

/// The first index that does not come before; indices that do stand first.
fn lower_bound(len: usize, comes_before: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, len);
    while low < high {
        let middle = low.midpoint(high);
        if comes_before(middle) { low = middle + 1 } else { high = middle }
    }
    low
}

fn ids(indices: impl Iterator<Item = usize>, max: usize) -> Vec<LemmaId> {
    indices.filter_map(|index| u32::try_from(index).ok()).map(LemmaId).take(max).collect()
}

/// `WordNet`'s lexicographer files by number, see lexnames(5WN).
const GROUPS: [&str; 45] = [
    "adj.all",
    "adj.pert",
    "adv.all",
    "noun.Tops",
    "noun.act",
    "noun.animal",
    "noun.artifact",
    "noun.attribute",
    "noun.body",
    "noun.cognition",
    "noun.communication",
    "noun.event",
    "noun.feeling",
    "noun.food",
    "noun.group",
    "noun.location",
    "noun.motive",
    "noun.object",
    "noun.person",
    "noun.phenomenon",
    "noun.plant",
    "noun.possession",
    "noun.process",
    "noun.quantity",
    "noun.relation",
    "noun.shape",
    "noun.state",
    "noun.substance",
    "noun.time",
    "verb.body",
    "verb.change",
    "verb.cognition",
    "verb.communication",
    "verb.competition",
    "verb.consumption",
    "verb.contact",
    "verb.creation",
    "verb.emotion",
    "verb.motion",
    "verb.perception",
    "verb.possession",
    "verb.social",
    "verb.stative",
    "verb.weather",
    "adj.ppl",
];

#[cfg(test)]
mod tests;
