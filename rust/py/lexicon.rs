//! The lexicon as a class of words, and the spelling that its build script shares with it.

use std::fs;
use std::path::PathBuf;

use pyo3::prelude::*;

use crate::kernels::error::KernelError;
use crate::kernels::expansion::Dictionary;
use crate::kernels::lexicon;
use crate::kernels::text::fold;
use crate::kernels::text::stem::{Language, stem};

/// A word of the lexicon and its weight.
type WeightedWord = (String, f32);

/// What Spanish and English words mean to each other; immutable, shared by every thread.
#[pyclass(frozen, module = "biorag._native")]
pub struct Lexicon(pub(super) lexicon::Lexicon);

#[pymethods]
impl Lexicon {
    #[new]
    #[pyo3(signature = (content, /))]
    fn new(py: Python<'_>, content: &[u8]) -> PyResult<Self> {
        let lexicon = py.detach(|| lexicon::Lexicon::from_bytes(content.to_vec()))?;
        Ok(Self(lexicon))
    }

    /// Reads the file itself, so that its bytes never lie in memory twice.
    #[staticmethod]
    #[pyo3(signature = (path, /))]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let lexicon =
            py.detach(|| -> PyResult<_> { Ok(lexicon::Lexicon::from_bytes(fs::read(path)?)?) })?;
        Ok(Self(lexicon))
    }

    fn lemma_count(&self, language: &str) -> PyResult<usize> {
        Ok(self.0.lemma_count(parse_language(language)?))
    }

    fn knows(&self, language: &str, word: &str) -> PyResult<bool> {
        Ok(self.0.knows(parse_language(language)?, word))
    }

    fn knows_lemma(&self, language: &str, word: &str) -> PyResult<bool> {
        Ok(self.0.knows_lemma(parse_language(language)?, word))
    }

    fn lemmas(&self, language: &str, word: &str, max: usize) -> PyResult<Vec<String>> {
        let language = parse_language(language)?;
        let lemmas = self.0.lemmas(language, word, max);
        Ok(lemmas.into_iter().map(|lemma| self.0.text(language, lemma).to_owned()).collect())
    }

    fn translations(&self, source: &str, word: &str) -> PyResult<Vec<WeightedWord>> {
        Ok(Dictionary::translations(&self.0, word, parse_language(source)?))
    }

    fn synonyms(&self, language: &str, word: &str, senses: usize) -> PyResult<Vec<WeightedWord>> {
        Ok(Dictionary::synonyms(&self.0, word, parse_language(language)?, senses))
    }

    fn near(
        &self,
        py: Python<'_>,
        language: &str,
        word: &str,
        max_distance: u8,
    ) -> PyResult<Vec<(String, u8)>> {
        let language = parse_language(language)?;
        Ok(py.detach(|| Dictionary::near(&self.0, word, language, max_distance)))
    }

    fn groups(&self, language: &str, word: &str, senses: usize) -> PyResult<Vec<&'static str>> {
        let language = parse_language(language)?;
        let lemma = self.0.lemmas(language, word, 1).pop();
        Ok(lemma.map(|lemma| self.0.groups(language, lemma, senses)).unwrap_or_default())
    }
}

#[pyfunction]
#[pyo3(signature = (words, /))]
fn fold_case_words(words: Vec<String>) -> Vec<String> {
    words.into_iter().map(|word| fold::fold_case(&word).into_owned()).collect()
}

#[pyfunction]
#[pyo3(signature = (words, /))]
fn fold_accents_words(words: Vec<String>) -> Vec<String> {
    words.into_iter().map(|word| fold::fold_accents(&word).into_owned()).collect()
}

#[pyfunction]
#[pyo3(signature = (words, language, /))]
fn stem_words(words: Vec<String>, language: &str) -> PyResult<Vec<String>> {
    let language = parse_language(language)?;
    Ok(words.into_iter().map(|word| stem(&word, language)).collect())
}

fn parse_language(code: &str) -> PyResult<Language> {
    Language::from_code(code).ok_or_else(|| {
        let rule = format!("{code:?} is not one of en, es");
        KernelError::OutOfRange { what: "language", rule }.into()
    })
}

/// Adds this family to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Lexicon>()?;
    module.add_function(wrap_pyfunction!(fold_case_words, module)?)?;
    module.add_function(wrap_pyfunction!(fold_accents_words, module)?)?;
    module.add_function(wrap_pyfunction!(stem_words, module)?)
}
