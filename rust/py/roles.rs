//! Statements of texts.

use pyo3::prelude::*;

use crate::kernels::error::KernelError;
use crate::kernels::lexicon;
use crate::kernels::text::roles::{PartsOfSpeech, statements};
use crate::kernels::text::stem::Language;

use super::lexicon::Lexicon;

/// Senses of a word that are looked at, commonest first.
const SENSES: usize = 3;

/// Subject, action, object, context.
type Roles = (String, String, String, String);

impl PartsOfSpeech for lexicon::Lexicon {
    fn is_verb(&self, base: &str, language: Language) -> bool {
        is_a(self, base, language, |group| group.starts_with("verb."))
    }

    fn is_noun(&self, base: &str, language: Language) -> bool {
        is_a(self, base, language, |group| !group.starts_with("verb."))
    }
}

fn is_a(
    lexicon: &lexicon::Lexicon,
    base: &str,
    language: Language,
    fits: impl Fn(&str) -> bool,
) -> bool {
    lexicon.knows_lemma(language, base)
        && lexicon
            .lemmas(language, base, 2)
            .into_iter()
            .any(|lemma| lexicon.groups(language, lemma, SENSES).into_iter().any(&fits))
}

/// Of each text, in the language that it was read in, its statements in order.
#[pyfunction]
#[pyo3(signature = (texts, languages, lexicon, /))]
#[allow(clippy::needless_pass_by_value)] // PyO3 hands over what it has converted
fn statements_of(
    py: Python<'_>,
    texts: Vec<String>,
    languages: Vec<String>,
    lexicon: Py<Lexicon>,
) -> PyResult<Vec<Vec<Roles>>> {
    if languages.len() != texts.len() {
        let (expected, found) = (texts.len(), languages.len());
        return Err(KernelError::Shape { what: "languages", expected, found }.into());
    }
    Ok(py.detach(|| {
        let words = &lexicon.get().0;
        texts
            .iter()
            .zip(&languages)
            .map(|(text, code)| {
                let language = Language::from_code(code).unwrap_or(Language::English);
                let found = statements(text, language, words);
                found.into_iter().map(|s| (s.subject, s.action, s.object, s.context)).collect()
            })
            .collect()
    }))
}

/// Adds this family to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(statements_of, module)?)
}
