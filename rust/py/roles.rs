//! Statements of texts.

// Python's arguments arrive as owned handles.
#![allow(clippy::needless_pass_by_value)]

use pyo3::prelude::*;

use crate::kernels::error::KernelError;
use crate::kernels::text::roles::{PartsOfSpeech, Reader};
use crate::kernels::text::stem::Language;

use super::lexicon::Lexicon;

/// Subject, action, object, context.
type Roles = (String, String, String, String);

/// Of each text, in the language that it was read in, its statements in order.
#[pyfunction]
#[pyo3(signature = (texts, languages, lexicon, /))]
fn statements_of(
    py: Python<'_>,
    texts: Vec<String>,
    languages: Vec<String>,
    lexicon: Option<Py<Lexicon>>,
) -> PyResult<Vec<Vec<Roles>>> {
    if languages.len() != texts.len() {
        let (expected, found) = (texts.len(), languages.len());
        return Err(KernelError::Shape { what: "languages", expected, found }.into());
    }
    Ok(py.detach(|| {
        let book = lexicon.as_ref().map(|lexicon| &lexicon.get().0 as &dyn PartsOfSpeech);
        let reader = Reader::new(book);
        texts
            .iter()
            .zip(&languages)
            .map(|(text, code)| {
                let language = Language::from_code(code).unwrap_or(Language::English);
                let found = reader.statements(text, language);
                found.into_iter().map(|s| (s.subject, s.action, s.object, s.context)).collect()
            })
            .collect()
    }))
}

/// What each word is a form of as a verb, in either language; nothing for what is none.
#[pyfunction]
#[pyo3(signature = (words, lexicon, /))]
fn verb_bases(
    py: Python<'_>,
    words: Vec<String>,
    lexicon: Option<Py<Lexicon>>,
) -> Vec<Vec<String>> {
    py.detach(|| {
        let book = lexicon.as_ref().map(|lexicon| &lexicon.get().0 as &dyn PartsOfSpeech);
        let reader = Reader::new(book);
        let bases = |word: &String| {
            let languages = [Language::English, Language::Spanish];
            languages.into_iter().filter_map(|language| reader.base(word, language)).collect()
        };
        words.iter().map(bases).collect()
    })
}

/// Adds this family to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(statements_of, module)?)?;
    module.add_function(wrap_pyfunction!(verb_bases, module)?)
}
