//! Questions on their way to the index.

use std::borrow::Cow;

use pyo3::prelude::*;

use crate::kernels::expansion::{ExpandedWord, Origin};
use crate::kernels::index::certainty::AskedWord;
use crate::kernels::index::search::Group;
use crate::kernels::text::analysis::Question;

/// A question after analysis and expansion; the index searches it.
#[pyclass(frozen, module = "biorag._native")]
pub struct PreparedQuestion {
    pub(super) question: Question,
    pub(super) words: Vec<ExpandedWord>,
    pub(super) groups: Vec<Group>,
    pub(super) asked: Vec<AskedWord>,
}

impl PreparedQuestion {
    pub(super) fn new(question: Question, words: Vec<ExpandedWord>) -> Self {
        let groups = words.iter().map(|word| word.group.clone()).collect();
        let asked = words.iter().map(ExpandedWord::asked).collect();
        Self { question, words, groups, asked }
    }

    /// The groups that say whether anything answers: what the store's texts use with a word is none
    /// of its meanings.
    pub(super) fn meanings(&self) -> Cow<'_, [Group]> {
        let is_domain = |held: &(Origin, String)| held.0 == Origin::Domain;
        if !self.words.iter().any(|word| word.origins.iter().any(is_domain)) {
            return Cow::Borrowed(&self.groups);
        }
        let without = |word: &ExpandedWord| {
            let mut group = word.group.clone();
            let mut each = word.origins.iter();
            group.alternatives.retain(|_| !each.next().is_some_and(is_domain));
            group
        };
        Cow::Owned(self.words.iter().map(without).collect())
    }
}

#[pymethods]
impl PreparedQuestion {
    #[getter]
    fn language(&self) -> &'static str {
        self.question.language.code()
    }

    /// The content words, as asked.
    #[getter]
    fn words(&self) -> Vec<&str> {
        self.words.iter().map(|word| word.surface.as_str()).collect()
    }

    /// The content words, case and accents folded.
    #[getter]
    fn folded_words(&self) -> Vec<&str> {
        self.words.iter().map(|word| word.word.as_str()).collect()
    }

    /// The function words that are not searched.
    #[getter]
    fn ignored(&self) -> Vec<&str> {
        self.question.ignored.iter().map(String::as_str).collect()
    }

    /// Of each content word its literal terms.
    #[getter]
    fn terms(&self) -> Vec<Vec<&str>> {
        self.groups
            .iter()
            .map(|group| {
                group
                    .alternatives
                    .iter()
                    .filter(|alternative| alternative.literal)
                    .map(|alternative| alternative.term.as_str())
                    .collect()
            })
            .collect()
    }

    /// The question without the alternatives of some origins; the words themselves stay.
    #[allow(clippy::needless_pass_by_value)] // PyO3 hands over what it has converted
    fn without(&self, origins: Vec<String>) -> Self {
        let mut words = self.words.clone();
        for word in &mut words {
            let left_out = |(origin, _): &(Origin, String)| {
                *origin != Origin::Literal
                    && origins.iter().any(|name| name == origin_name(*origin))
            };
            let kept: Vec<bool> = word.origins.iter().map(|held| !left_out(held)).collect();
            let mut each = kept.iter();
            word.group.alternatives.retain(|_| each.next() == Some(&true));
            let mut each = kept.iter();
            word.origins.retain(|_| each.next() == Some(&true));
        }
        let groups = words.iter().map(|word| word.group.clone()).collect();
        Self { question: self.question.clone(), asked: self.asked.clone(), words, groups }
    }

    /// Of each content word its alternatives: spelling, weight and origin.
    #[getter]
    fn alternatives(&self) -> Vec<Vec<(&str, f32, &'static str)>> {
        self.words
            .iter()
            .map(|word| {
                let held = word.group.alternatives.iter().zip(&word.origins);
                held.map(|(alternative, (origin, text))| {
                    (text.as_str(), alternative.weight, origin_name(*origin))
                })
                .collect()
            })
            .collect()
    }
}

fn origin_name(origin: Origin) -> &'static str {
    match origin {
        Origin::Literal => "literal",
        Origin::Translation => "translation",
        Origin::Synonym => "synonym",
        Origin::Cognate => "cognate",
        Origin::Kin => "kin",
        Origin::Typo => "typo",
        Origin::Prefix => "prefix",
        Origin::Domain => "domain",
    }
}

/// Adds this family to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PreparedQuestion>()
}
