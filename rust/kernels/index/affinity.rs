//! Which memories a new one should be linked to, by what their words have in common.
//!
//! One small rule a relation; each says how strongly, and how many links it may make for one
//! memory. Candidates come from the postings of the memory's rarest words, so the cost depends on
//! how common those are and not on the size of the store.

use rustc_hash::FxHashMap;

use super::documents::VALUE_END;
use super::{FIELDS, Field, Index};

/// Why two memories are linked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// A synonym or key noun of one is the other's name or synonym, whole.
    ExplicitSynonym,
    /// Their texts share words: Jaccard.
    CoOccurrence,
    /// They share synonyms: Jaccard of whole values.
    SharedSynonyms,
    /// The words of one name stand in the other's.
    SharedName,
    /// Words of one go with words of the other all over the store: mean NPMI.
    Npmi,
}

impl Rule {
    /// What the relation is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ExplicitSynonym => "sinonimo_explicito",
            Self::CoOccurrence => "co_ocurrencia",
            Self::SharedSynonyms => "co_semantica",
            Self::SharedName => "co_nombre",
            Self::Npmi => "pmi_hebbiano",
        }
    }

    /// Links of one memory that the rule may make.
    fn cap(self) -> usize {
        match self {
            Self::ExplicitSynonym => 5,
            Self::CoOccurrence => 6,
            Self::SharedSynonyms | Self::SharedName | Self::Npmi => 4,
        }
    }
}

/// Strengths from which on each rule links.
const SHARED_WORDS: f32 = 0.4;
const SHARED_SYNONYMS: f32 = 0.4;
const SHARED_NAME: f32 = 0.3;
const MEAN_NPMI: f32 = 0.35;

/// What an explicit synonym is worth.
const EXPLICIT: f32 = 0.8;
/// A name shares words by chance more often than a text does.
const NAME_WORTH: f32 = 0.8;

/// Rarest words that bring candidates, and how many documents a word may have to bring any.
const BRINGING: usize = 12;
const COMMONEST: usize = 256;
/// Candidates that are compared in full, those with the most in common first.
const COMPARED: usize = 32;
/// All links that one memory gets.
const MOST: usize = 12;
/// Words of a memory that speak for it in NPMI, how many must, and in how many documents a pair
/// must stand together.
const SPEAKING: usize = 5;
const FEWEST_SPEAKING: usize = 3;
const FEWEST_TOGETHER: usize = 2;

/// One link to make.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Affinity {
    /// The other memory.
    pub other: i64,
    /// Why.
    pub rule: Rule,
    /// How strongly, in (0, 1].
    pub weight: f32,
}

/// A memory's words by number, as its links are looked for. A word that no document has yet is
/// there by how many of them there are.
#[derive(Debug, Clone, Default)]
pub struct Own {
    /// Distinct terms of the text, rising.
    pub body: Vec<u32>,
    /// Distinct terms of the text that the index does not know.
    pub unknown: usize,
    /// Distinct terms of the name.
    pub name: Vec<u32>,
    /// Words of the name, known or not.
    pub name_length: usize,
    /// The synonyms, then key nouns, each a list of terms; with an unknown word in it, none.
    pub labels: Vec<Vec<u32>>,
    /// How many of the labels are synonyms.
    pub synonyms: usize,
    slot: Option<u32>,
}

impl Index {
    /// The words of a document that is stored.
    #[must_use]
    pub fn own_words(&self, id: i64) -> Option<Own> {
        let slot = self.documents.slot_of(id)?;
        let name = self.terms_of(slot, Field::Name);
        let synonyms = self.values_of(slot, Field::Synonyms);
        Some(Own {
            body: self.terms_of(slot, Field::Body),
            unknown: 0,
            name_length: name.len(),
            name,
            synonyms: synonyms.len(),
            labels: synonyms.into_iter().chain(self.values_of(slot, Field::KeyNouns)).collect(),
            slot: Some(slot),
        })
    }

    /// The words of a document that is not stored yet, from the terms of each value of its fields.
    #[must_use]
    pub fn own_words_of(&self, fields: [Vec<Vec<&str>>; FIELDS]) -> Own {
        let [name, synonyms, key_nouns, _, body] = fields;
        let distinct = |values: &[Vec<&str>]| {
            let mut terms: Vec<&str> = values.iter().flatten().copied().collect();
            terms.sort_unstable();
            terms.dedup();
            let mut known: Vec<u32> =
                terms.iter().filter_map(|term| self.vocabulary.term(term)).collect();
            known.sort_unstable();
            (known, terms.len())
        };
        let value = |terms: &Vec<&str>| {
            let known: Option<Vec<u32>> =
                terms.iter().map(|term| self.vocabulary.term(term)).collect();
            known.unwrap_or_default()
        };
        let (body, words) = distinct(&body);
        let (name, name_length) = distinct(&name);
        Own {
            unknown: words - body.len(),
            body,
            name,
            name_length,
            synonyms: synonyms.len(),
            labels: synonyms.iter().chain(&key_nouns).map(value).collect(),
            slot: None,
        }
    }

    /// The links that the rules make for a memory, by descending weight, then rule and number.
    #[must_use]
    pub fn affinities(&self, own: &Own) -> Vec<Affinity> {
        let mut found: Vec<Affinity> = Vec::new();
        for slot in self.alike(own) {
            let id = self.documents.id(slot);
            let mut add = |rule, weight: f32, least: f32| {
                if weight >= least {
                    found.push(Affinity { other: id, rule, weight: weight.min(1.0) });
                }
            };
            let body = self.terms_of(slot, Field::Body);
            add(Rule::CoOccurrence, shared_words(own, &body), SHARED_WORDS);
            let labels = self.values_of(slot, Field::Synonyms);
            let synonyms = &own.labels[..own.synonyms];
            add(Rule::SharedSynonyms, jaccard(synonyms, &labels), SHARED_SYNONYMS);
            let name = self.terms_of(slot, Field::Name);
            let share = overlap(&own.name, &name) as f32 / own.name_length.max(1) as f32;
            add(Rule::SharedName, share * NAME_WORTH, SHARED_NAME * NAME_WORTH);
            let is_label = |label: &Vec<u32>| {
                !label.is_empty() && (sorted(label) == name || labels.contains(label))
            };
            let explicit = own.labels.iter().any(is_label)
                || (!own.name.is_empty()
                    && own.name.len() == own.name_length
                    && labels.iter().any(|label| sorted(label) == own.name));
            add(Rule::ExplicitSynonym, if explicit { EXPLICIT } else { 0.0 }, EXPLICIT);
            add(Rule::Npmi, self.mean_npmi(&own.body, &body), MEAN_NPMI);
        }
        found.sort_unstable_by(|a, b| {
            b.weight.total_cmp(&a.weight).then(a.rule.cmp(&b.rule)).then(a.other.cmp(&b.other))
        });
        let mut made: FxHashMap<u8, usize> = FxHashMap::default();
        found.retain(|link| {
            let count = made.entry(link.rule as u8).or_default();
            *count += 1;
            *count <= link.rule.cap()
        });
        found.truncate(MOST);
        found
    }

    /// How closely words of one document go with words of another, over the whole store: the mean,
    /// over the rarest words that only the first has, of the largest normalised pointwise mutual
    /// information (Bouma 2009) with a word that only the second has; 0 when too few words speak.
    #[must_use]
    pub fn npmi(&self, one: i64, other: i64) -> f32 {
        let slot = |id| self.documents.slot_of(id);
        let (Some(one), Some(other)) = (slot(one), slot(other)) else { return 0.0 };
        self.mean_npmi(&self.terms_of(one, Field::Body), &self.terms_of(other, Field::Body))
    }

    fn mean_npmi(&self, one: &[u32], other: &[u32]) -> f32 {
        let only = |of: &[u32], not: &[u32]| {
            let mut rare: Vec<(usize, u32)> = of
                .iter()
                .filter(|term| not.binary_search(term).is_err())
                .map(|&term| (self.postings[term as usize].len(), term))
                .filter(|&(documents, _)| (FEWEST_TOGETHER..=COMMONEST).contains(&documents))
                .collect();
            rare.sort_unstable_by(|a, b| {
                let text = |term: u32| self.vocabulary.term_text(term);
                a.0.cmp(&b.0).then_with(|| text(a.1).cmp(text(b.1)))
            });
            rare.truncate(SPEAKING);
            rare
        };
        let (mine, theirs) = (only(one, other), only(other, one));
        if mine.len() < FEWEST_SPEAKING || theirs.is_empty() {
            return 0.0;
        }
        let best = |&(_, a): &(usize, u32)| {
            theirs.iter().map(|&(_, b)| self.npmi_of_terms(a, b)).fold(0.0, f32::max)
        };
        mine.iter().map(best).sum::<f32>() / mine.len() as f32
    }

    fn npmi_of_terms(&self, a: u32, b: u32) -> f32 {
        let (a, b) = (self.postings[a as usize].slots(), self.postings[b as usize].slots());
        let together = overlap(a, b);
        if together < FEWEST_TOGETHER {
            return 0.0;
        }
        let n = self.len() as f32;
        let share = together as f32 / n;
        if share >= 1.0 {
            return 1.0;
        }
        (share / (a.len() as f32 / n * (b.len() as f32 / n))).ln() / -share.ln()
    }

    /// Documents that share rare words with a memory, those with the most in common first.
    fn alike(&self, own: &Own) -> Vec<u32> {
        let mut words: Vec<u32> = own.body.iter().chain(&own.name).copied().collect();
        words.extend(own.labels.iter().flatten());
        words.sort_unstable();
        words.dedup();
        let mut bringing: Vec<(usize, u32)> = words
            .into_iter()
            .map(|term| (self.postings[term as usize].len(), term))
            .filter(|&(documents, _)| documents <= COMMONEST)
            .collect();
        bringing.sort_unstable_by(|a, b| {
            let text = |term: u32| self.vocabulary.term_text(term);
            a.0.cmp(&b.0).then_with(|| text(a.1).cmp(text(b.1)))
        });
        bringing.truncate(BRINGING);
        let mut shared: FxHashMap<u32, f32> = FxHashMap::default();
        for (documents, term) in bringing {
            let idf = (1.0 + self.len() as f32 / documents.max(1) as f32).ln();
            for &slot in self.postings[term as usize].slots() {
                if own.slot != Some(slot) {
                    *shared.entry(slot).or_default() += idf;
                }
            }
        }
        let mut found: Vec<(u32, f32)> = shared.into_iter().collect();
        found.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found.truncate(COMPARED);
        found.into_iter().map(|(slot, _)| slot).collect()
    }

    /// The distinct terms of a field, rising; compound pieces are there as their parts.
    fn terms_of(&self, slot: u32, field: Field) -> Vec<u32> {
        let forms = self.documents.field(slot, field as usize).iter();
        let mut terms: Vec<u32> = forms
            .filter(|&&form| !self.is_no_word(form))
            .map(|&form| self.vocabulary.term_of(form))
            .collect();
        terms.sort_unstable();
        terms.dedup();
        terms
    }

    /// The values of a field, each as its terms in order.
    fn values_of(&self, slot: u32, field: Field) -> Vec<Vec<u32>> {
        let forms = self.documents.field(slot, field as usize);
        forms
            .split(|&form| form == VALUE_END)
            .map(|value| {
                let words = value.iter().filter(|&&form| !self.is_no_word(form));
                words.map(|&form| self.vocabulary.term_of(form)).collect()
            })
            .filter(|value: &Vec<u32>| !value.is_empty())
            .collect()
    }
}

/// Shared words over all words.
fn shared_words(own: &Own, body: &[u32]) -> f32 {
    let shared = overlap(&own.body, body);
    let all = own.body.len() + own.unknown + body.len() - shared;
    if all == 0 { 0.0 } else { shared as f32 / all as f32 }
}

/// How many values two rising lists share.
fn overlap(one: &[u32], other: &[u32]) -> usize {
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    short.iter().filter(|value| long.binary_search(value).is_ok()).count()
}

fn jaccard(one: &[Vec<u32>], other: &[Vec<u32>]) -> f32 {
    let shared = one.iter().filter(|value| !value.is_empty() && other.contains(value)).count();
    let all = one.len() + other.len() - shared;
    if shared == 0 { 0.0 } else { shared as f32 / all as f32 }
}

fn sorted(terms: &[u32]) -> Vec<u32> {
    let mut terms = terms.to_vec();
    terms.sort_unstable();
    terms.dedup();
    terms
}

#[cfg(test)]
mod tests;
