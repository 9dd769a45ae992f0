//! The terms and word forms of an index, and which of them are spelt nearly alike.

use super::families::Families;
use super::interned::{Interned, Numbers};
use crate::kernels::levenshtein::{Metric, Near, WordList};
use crate::kernels::text::analysis::Form;

/// No form: the end of a word's chain.
const NONE: u32 = u32::MAX;

/// A word as documents spell it, and the term that this spelling is indexed under. A word has more
/// than one form when documents of two languages hold it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FormEntry {
    pub(super) word: u32,
    pub(super) whole: bool,
    pub(super) accented: bool,
    /// The next form of the same word.
    next: u32,
    documents: u32,
}

/// Everything that the documents of an index are spelt with. Nothing leaves it: a word that no
/// document holds any more has a document count of 0.
#[derive(Debug, Default)]
pub struct Vocabulary {
    terms: Interned,
    forms: Vec<FormEntry>,
    /// The term of each form, apart from the rest: it is read for every word of every candidate.
    form_terms: Vec<u32>,
    first_form: Vec<u32>,
    words: Numbers,
    spellings: WordList,
    families: Families,
}

impl Vocabulary {
    /// How many terms there are.
    #[must_use]
    pub fn terms(&self) -> usize {
        self.terms.len()
    }

    /// How many forms there are.
    #[must_use]
    pub fn forms(&self) -> usize {
        self.forms.len()
    }

    /// The number of a term.
    #[must_use]
    pub fn term(&self, term: &str) -> Option<u32> {
        self.terms.find(term)
    }

    /// The spelling of a term.
    #[must_use]
    pub fn term_text(&self, term: u32) -> &str {
        self.terms.get(term)
    }

    /// The term of a form.
    #[must_use]
    pub fn term_of(&self, form: u32) -> u32 {
        self.form_terms[form as usize]
    }

    /// Whether a form is a compound piece kept whole.
    #[must_use]
    pub fn is_whole(&self, form: u32) -> bool {
        self.forms[form as usize].whole
    }

    /// Whether a form is written with accents that its spelling here has lost.
    #[must_use]
    pub fn is_accented(&self, form: u32) -> bool {
        self.forms[form as usize].accented
    }

    /// The spelling of a form.
    #[must_use]
    pub fn word_of(&self, form: u32) -> &str {
        self.spellings.get(self.forms[form as usize].word)
    }

    /// The terms that a word (case and accents folded) is indexed under, with the documents that
    /// spell it so, by spelling; terms that no document holds any more are left out.
    pub fn terms_of_word<'a>(&'a self, word: &str) -> impl Iterator<Item = (&'a str, u32)> + 'a {
        let first = self.word(word).map_or(NONE, |word| self.first_form[word as usize]);
        self.chain(first)
    }

    /// Words within `max_distance` edits (insert, delete, replace, swap neighbours) of a word, with
    /// their distance, nearest first and then by spelling; words of no document are left out.
    #[must_use]
    pub fn near(&self, word: &str, max_distance: u8) -> Vec<(&str, u8)> {
        let mut found: Vec<(&str, u8)> = self
            .spellings
            .near(word, max_distance, Metric::Osa)
            .into_iter()
            .filter(|near| self.is_used(near.index))
            .map(|Near { index, distance }| (self.spellings.get(index), distance))
            .collect();
        found.sort_unstable_by(|a, b| a.1.cmp(&b.1).then(a.0.cmp(b.0)));
        found
    }

    /// Terms that share nearly all their letters with a term, itself left out, in no particular
    /// order; some may be of no document any more.
    pub fn kin<'a>(&'a self, term: &'a str) -> impl Iterator<Item = u32> + 'a {
        self.families.kin(term, |number| self.term_text(number))
    }

    /// Words that begin with `prefix` and are longer, by descending documents and then spelling.
    #[must_use]
    pub fn with_prefix(&self, prefix: &str, limit: usize) -> Vec<(&str, u32)> {
        let mut found: Vec<(&str, u32)> = (0..self.first_form.len())
            .filter_map(|word| {
                let word = u32::try_from(word).ok()?;
                let text = self.spellings.get(word);
                let longer = text.len() > prefix.len() && text.starts_with(prefix);
                let documents: u32 = if longer {
                    self.chain(self.first_form[word as usize]).map(|(_, count)| count).sum()
                } else {
                    0
                };
                (documents > 0).then_some((text, documents))
            })
            .collect();
        found.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        found.truncate(limit);
        found
    }

    pub(super) fn add(&mut self, form: &Form) -> u32 {
        let word = self.word_number(&form.word);
        let known_terms = self.terms.len();
        let term = self.terms.insert(&form.term);
        if self.terms.len() > known_terms && !form.whole {
            self.families.add(&form.term, term);
        }
        let mut known = self.first_form[word as usize];
        // A word has one form or two, so its chain is as good as a table of them.
        while known != NONE
            && (self.term_of(known) != term || self.is_accented(known) != form.accented)
        {
            known = self.forms[known as usize].next;
        }
        if known != NONE {
            return known;
        }
        let fresh = u32::try_from(self.forms.len()).unwrap_or(NONE);
        self.forms.push(FormEntry {
            word,
            whole: form.whole,
            accented: form.accented,
            next: NONE,
            documents: 0,
        });
        self.form_terms.push(term);
        self.chain_up(word, fresh);
        fresh
    }

    /// Puts a new form among those of its word, by the spelling of its term: so that what stands
    /// for a word does not depend on the order in which documents came and went.
    fn chain_up(&mut self, word: u32, fresh: u32) {
        let term = self.term_text(self.term_of(fresh));
        let mut before = NONE;
        let mut next = self.first_form[word as usize];
        while next != NONE && self.term_text(self.term_of(next)) < term {
            before = next;
            next = self.forms[next as usize].next;
        }
        self.forms[fresh as usize].next = next;
        if before == NONE {
            self.first_form[word as usize] = fresh;
        } else {
            self.forms[before as usize].next = fresh;
        }
    }

    pub(super) fn count_document(&mut self, form: u32, by: i32) {
        let count = &mut self.forms[form as usize].documents;
        *count = count.saturating_add_signed(by);
    }

    pub(super) fn shrink(&mut self) {
        self.terms.shrink();
        self.spellings.shrink_to_fit();
        self.forms.shrink_to_fit();
        self.form_terms.shrink_to_fit();
        self.first_form.shrink_to_fit();
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.terms.heap_bytes()
            + self.words.heap_bytes()
            + self.spellings.heap_bytes()
            + self.families.heap_bytes()
            + self.forms.capacity() * std::mem::size_of::<FormEntry>()
            + (self.form_terms.capacity() + self.first_form.capacity()) * 4
    }

    /// The forms in order of arrival: spelling and term, whole piece or not, accented or not.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&str, &str, [bool; 2])> + '_ {
        self.forms.iter().zip(&self.form_terms).map(|(form, &term)| {
            let kind = [form.whole, form.accented];
            (self.spellings.get(form.word), self.term_text(term), kind)
        })
    }

    fn word(&self, word: &str) -> Option<u32> {
        self.words.find(word, |number| self.spellings.get(number))
    }

    fn word_number(&mut self, word: &str) -> u32 {
        if let Some(number) = self.word(word) {
            return number;
        }
        let number = self.spellings.push(word);
        let spellings = &self.spellings;
        self.words.insert(word, number, |number| spellings.get(number));
        self.first_form.push(NONE);
        number
    }

    fn is_used(&self, word: u32) -> bool {
        self.chain(self.first_form[word as usize]).next().is_some()
    }

    fn chain(&self, first: u32) -> impl Iterator<Item = (&str, u32)> + '_ {
        let follow = |&form: &u32| {
            let next = self.forms[form as usize].next;
            (next != NONE).then_some(next)
        };
        std::iter::successors((first != NONE).then_some(first), follow)
            .map(|form| (self.term_of(form), self.forms[form as usize].documents))
            .filter(|&(_, documents)| documents > 0)
            .map(|(term, documents)| (self.term_text(term), documents))
    }
}
