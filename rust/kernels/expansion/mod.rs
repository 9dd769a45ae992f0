//! What stands for each word of a question: itself, translations, synonyms, corrections.
//!
//! Each word becomes one group of weighted alternatives that the index pools into one pseudo-term.
//! Adding expansions as terms of their own instead measured half the gain, and less than nothing on
//! large stores. Every alternative is a term that the store holds, carries its origin, and weighs
//! less than the user's own word.

mod cognates;
mod collected;
mod dictionary;
mod spelling;

use rustc_hash::FxHashMap;

use super::index::Index;
use super::index::certainty::AskedWord;
use super::index::search::Group;
use super::text::analysis::{Question, QuestionWord};
use super::text::fold::fold_accents;
use super::text::language::LanguageEvidence;
use super::text::stem::{Language, stem};
use super::text::stopwords::is_stop_word;
use super::text::tokens::{TokenKind, tokens};
use collected::Collected;

/// Most translations and synonyms that stand for a word (3 to 15 measured alike; 1 costs .04).
const TRANSLATIONS: usize = 5;
const SYNONYMS: usize = 4;

/// Senses of a word whose synonyms are taken, commonest first: all of them would be noise.
const SENSES: usize = 2;

/// Weight that a word's translations share when the store has next to nothing in the question's
/// language, and when it holds both.
const TRANSLATED_STORE: f32 = 1.0;
const MIXED_STORE: f32 = 0.4;

/// Weight that the translations of a word share that is foreign to the question's own language.
const FOREIGN_WORD: f32 = 0.5;

/// A language with less of the store than this is next to nothing.
const NEXT_TO_NOTHING: f32 = 0.1;

/// Weight that a word's synonyms share: of a rare word, and of one that the store does not hold.
const SYNONYMS_OF_RARE: f32 = 0.3;
const SYNONYMS_OF_ABSENT: f32 = 0.5;

/// A word in less of the store than this is rare; commoner ones lose by synonyms.
const RARE: f32 = 0.005;

/// Weight that the words beginning with an unknown word share.
const PREFIXED_WEIGHT: f32 = 0.5;
const PREFIXED: usize = 5;
const SHORTEST_PREFIX: usize = 3;

/// Most words of a question that are searched; of a longer text the rarest ones, which say most.
const WORDS: usize = 48;

/// Where an alternative comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The user's own word, in one of its stems.
    Literal,
    /// The same meaning in the other language.
    Translation,
    /// The same meaning in the question's language.
    Synonym,
    /// A word of the other language that is spelt nearly so, as `función` for `function`.
    Cognate,
    /// A word of the same family, which shares nearly all its letters.
    Kin,
    /// A word of the store that is spelt nearly so.
    Typo,
    /// A word of the store that begins so.
    Prefix,
    /// A word that the store's own texts use together with it.
    Domain,
}

/// A dictionary of two languages.
pub trait Dictionary: LanguageEvidence {
    /// Words and phrases of the other language with the word's meanings, best first; weights are
    /// positive and comparable within one answer.
    fn translations(&self, word: &str, from: Language) -> Vec<(String, f32)>;
    /// Words with one of the word's first `senses` meanings, best first, itself left out.
    fn synonyms(&self, word: &str, language: Language, senses: usize) -> Vec<(String, f32)>;
    /// Dictionary words within `max_distance` edits, nearest first.
    fn near(&self, word: &str, language: Language, max_distance: u8) -> Vec<(String, u8)>;
}

/// Which kinds of alternatives to look for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExpansionOptions {
    /// Translations and synonyms.
    pub meanings: bool,
    /// Corrections and words that begin with an unknown word.
    pub spellings: bool,
}

/// A word of the question and what stands for it.
#[derive(Debug, Clone, PartialEq)]
pub struct ExpandedWord {
    /// The word, case folded.
    pub surface: String,
    /// The word, case and accents folded.
    pub word: String,
    /// What the index searches.
    pub group: Group,
    /// Of each alternative of the group, where it comes from and the word behind its term.
    pub origins: Vec<(Origin, String)>,
}

impl ExpandedWord {
    /// The word as it is spelt, and the spelling of what stands for it.
    #[must_use]
    pub fn asked(&self) -> AskedWord {
        let mut others = Vec::new();
        for (alternative, (origin, text)) in self.group.alternatives.iter().zip(&self.origins) {
            if *origin != Origin::Literal {
                for word in text.split_whitespace() {
                    others.push((fold_accents(word).into_owned(), alternative.weight));
                }
            }
        }
        AskedWord { spelling: self.word.clone(), others }
    }
}

/// Finds what stands for each word of the question, the same word asked twice counting double.
///
/// Words in `protected` (case and accents folded) are searched as they are. Words that are a slip
/// of the pen for a function word are left out, unless nothing else is asked.
#[must_use]
pub fn expand(
    question: &Question,
    index: &Index,
    dictionary: Option<&dyn Dictionary>,
    protected: &[String],
    options: ExpansionOptions,
) -> Vec<ExpandedWord> {
    let finder = Expander::new(question.language, index, dictionary, options);
    let mut expanded: Vec<ExpandedWord> = telling_words(question, index)
        .into_iter()
        .map(|(word, times)| {
            let mut held = finder.expand_word(word, protected.contains(&word.word));
            held.group.boost = times;
            held
        })
        .collect();
    let is_slip = |held: &ExpandedWord| {
        options.spellings
            && !protected.contains(&held.word)
            && finder.is_slip_for_function_word(held)
    };
    let slips: Vec<bool> = expanded.iter().map(is_slip).collect();
    if slips.contains(&false) {
        let mut slips = slips.into_iter();
        expanded.retain(|_| slips.next() != Some(true));
    }
    expanded
}

/// Adds what a dictionary of further languages says of each word: `found` has, for each of `words`,
/// words and phrases that mean the same, best first. Their spelling is looked up in the store as it
/// is, since no stemmer here knows their language; together they weigh as much as the translations
/// of a store that holds both languages.
pub fn add_foreign_words(words: &mut [ExpandedWord], index: &Index, found: &[Vec<(String, f32)>]) {
    for (held, foreign) in words.iter_mut().zip(found) {
        let mut terms: Vec<(String, &str, f32)> = Vec::new();
        for (text, weight) in foreign {
            let spelt: Vec<String> =
                tokens(text).iter().map(|token| fold_accents(&token.text).into_owned()).collect();
            for word in &spelt {
                let part = weight / spelt.len() as f32;
                for (term, _) in index.vocabulary().terms_of_word(word) {
                    match terms.iter_mut().find(|held| held.0 == term) {
                        Some(held) => held.2 += part,
                        None => terms.push((term.to_owned(), text.as_str(), part)),
                    }
                }
            }
        }
        terms.sort_by(|a, b| b.2.total_cmp(&a.2).then_with(|| a.0.cmp(&b.0)));
        terms.truncate(TRANSLATIONS);
        let sum: f32 = terms.iter().map(|(_, _, weight)| weight).sum();
        let mut collected = Collected {
            index,
            alternatives: std::mem::take(&mut held.group.alternatives),
            origins: std::mem::take(&mut held.origins),
        };
        for (term, text, weight) in terms {
            let reason = (Origin::Translation, text.to_owned());
            collected.add(&term, MIXED_STORE * weight / sum, reason);
        }
        held.group.alternatives = collected.alternatives;
        held.origins = collected.origins;
    }
}

/// Adds what the store's own texts use together with each word: `found` has, for each of `words`,
/// terms of the store with the weight that each gets as an alternative, below 1. Terms that no
/// document holds any more are left out.
pub fn add_domain_words(words: &mut [ExpandedWord], index: &Index, found: &[Vec<(String, f32)>]) {
    for (held, related) in words.iter_mut().zip(found) {
        let mut collected = Collected {
            index,
            alternatives: std::mem::take(&mut held.group.alternatives),
            origins: std::mem::take(&mut held.origins),
        };
        for (term, weight) in related {
            if index.document_frequency(term) > 0 {
                collected.add(term, *weight, (Origin::Domain, term.clone()));
            }
        }
        held.group.alternatives = collected.alternatives;
        held.origins = collected.origins;
    }
}

/// The distinct words of the question in order, each with how often it was asked: all of them, or
/// the [`WORDS`] that fewest documents hold (a word of no document tells nothing and goes first).
fn telling_words<'a>(question: &'a Question, index: &Index) -> Vec<(&'a QuestionWord, f32)> {
    let mut words: Vec<(&QuestionWord, f32)> = Vec::new();
    let mut place: FxHashMap<&str, usize> = FxHashMap::default();
    for word in &question.words {
        let at = *place.entry(word.word.as_str()).or_insert(words.len());
        if at == words.len() {
            words.push((word, 0.0));
        }
        words[at].1 += 1.0;
    }
    if words.len() <= WORDS {
        return words;
    }
    let documents = |word: &QuestionWord| -> usize {
        let held = word.terms.iter().map(|term| index.document_frequency(term)).max();
        held.filter(|&count| count > 0).unwrap_or(usize::MAX)
    };
    let mut by_rarity: Vec<usize> = (0..words.len()).collect();
    by_rarity.sort_by_key(|&at| documents(words[at].0));
    by_rarity.truncate(WORDS);
    by_rarity.sort_unstable();
    by_rarity.into_iter().map(|at| words[at]).collect()
}

struct Expander<'a> {
    language: Language,
    index: &'a Index,
    dictionary: Option<&'a dyn Dictionary>,
    options: ExpansionOptions,
    translation_mass: f32,
    has_own_language: bool,
}

impl<'a> Expander<'a> {
    fn new(
        language: Language,
        index: &'a Index,
        dictionary: Option<&'a dyn Dictionary>,
        options: ExpansionOptions,
    ) -> Self {
        let share = |language| index.count_of_language(language) as f32 / index.len().max(1) as f32;
        let has_own_language = share(language) >= NEXT_TO_NOTHING;
        let translation_mass =
            if !options.meanings || index.count_of_language(language.other()) == 0 {
                0.0
            } else if has_own_language {
                MIXED_STORE
            } else {
                TRANSLATED_STORE
            };
        Self { language, index, dictionary, options, translation_mass, has_own_language }
    }

    fn expand_word(&self, word: &QuestionWord, protected: bool) -> ExpandedWord {
        let mut collected =
            Collected { index: self.index, alternatives: Vec::new(), origins: Vec::new() };
        collected.add_literals(word);
        let present = collected.document_frequency();
        if !word.whole && !protected {
            let translated = self.add_translations(word, &mut collected);
            if !translated {
                self.add_cognates(&word.word, &mut collected);
            }
            self.add_synonyms(word, present, &mut collected);
            if self.options.meanings {
                collected.add_kin(word);
            }
            let known =
                self.dictionary.is_some_and(|words| words.knows(&word.surface, self.language));
            if present == 0 && !translated {
                self.add_foreign_meanings(word, &mut collected);
                if self.options.spellings && !known {
                    self.add_spellings(word, &mut collected);
                }
            }
        }
        ExpandedWord {
            surface: word.surface.clone(),
            word: word.word.clone(),
            group: Group {
                boost: 1.0,
                whole: word.whole,
                accented: word.surface != word.word,
                alternatives: collected.alternatives,
            },
            origins: collected.origins,
        }
    }

    fn add_translations(&self, word: &QuestionWord, collected: &mut Collected<'_>) -> bool {
        let Some(dictionary) = self.dictionary.filter(|_| self.translation_mass > 0.0) else {
            return false;
        };
        let found = dictionary.translations(&word.surface, self.language);
        self.add_meanings(
            &found,
            (self.language.other(), Origin::Translation),
            (self.translation_mass, TRANSLATIONS),
            collected,
        )
    }

    /// Translations of an absent word that may be the other language's: a bare `blue` asked of a
    /// Spanish store is read as Spanish, for want of other evidence.
    fn add_foreign_meanings(&self, word: &QuestionWord, collected: &mut Collected<'_>) {
        let other = self.language.other();
        let Some(dictionary) = self
            .dictionary
            .filter(|words| self.options.meanings && words.knows_lemma(&word.surface, other))
        else {
            return;
        };
        let found = dictionary.translations(&word.surface, other);
        let kind = (self.language, Origin::Translation);
        self.add_meanings(&found, kind, (FOREIGN_WORD, TRANSLATIONS), collected);
    }

    fn add_synonyms(&self, word: &QuestionWord, present: usize, collected: &mut Collected<'_>) {
        let rare = (present as f32) < RARE * self.index.len() as f32;
        let mass = match (present, rare) {
            (0, _) => SYNONYMS_OF_ABSENT,
            (_, true) => SYNONYMS_OF_RARE,
            (_, false) => return,
        };
        if !self.options.meanings || !self.has_own_language {
            return;
        }
        let Some(dictionary) = self.dictionary else { return };
        let mut found = dictionary.synonyms(&word.surface, self.language, SENSES);
        found.retain(|(text, _)| !text.contains(' '));
        let kind = (self.language, Origin::Synonym);
        self.add_meanings(&found, kind, (mass, SYNONYMS), collected);
    }

    /// Adds the best `most` terms of words and phrases, sharing `mass`; a phrase splits its weight
    /// among its words. Says whether any of them is in the store.
    fn add_meanings(
        &self,
        found: &[(String, f32)],
        (language, origin): (Language, Origin),
        (mass, most): (f32, usize),
        collected: &mut Collected<'_>,
    ) -> bool {
        let mut terms: Vec<(String, String, f32)> = Vec::new();
        let mut place: FxHashMap<String, usize> = FxHashMap::default();
        for (text, weight) in found {
            let words: Vec<String> = tokens(text)
                .into_iter()
                .filter(|token| token.kind != TokenKind::Whole)
                .map(|token| token.text)
                .filter(|token| !is_stop_word(token, language))
                .collect();
            for word in &words {
                let term = stem(word, language);
                if self.index.document_frequency(&term) == 0 {
                    continue;
                }
                let part = weight / words.len() as f32;
                let at = *place.entry(term.clone()).or_insert(terms.len());
                if at == terms.len() {
                    terms.push((term, text.clone(), 0.0));
                }
                terms[at].2 += part;
            }
        }
        terms.sort_by(|a, b| b.2.total_cmp(&a.2).then_with(|| a.0.cmp(&b.0)));
        terms.truncate(most);
        let sum: f32 = terms.iter().map(|(_, _, weight)| weight).sum();
        for (term, text, weight) in &terms {
            collected.add(term, mass * weight / sum, (origin, text.clone()));
        }
        !terms.is_empty()
    }
}

#[cfg(test)]
mod tests;
