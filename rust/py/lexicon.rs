//! The lexicon as a class of words, and the spelling that its build script shares with it.

use std::fs;
use std::path::PathBuf;

use pyo3::prelude::*;

use super::KernelInputError;
use crate::kernels::lexicon;
use crate::kernels::text::fold;
use crate::kernels::text::stem::{Language, stem};

/// `(text, weight)`, best first.
type WeightedWords = Vec<(String, f32)>;

#[pyclass(frozen, module = "biorag._native")]
pub struct Lexicon(pub(super) lexicon::Lexicon);

#[pymethods]
impl Lexicon {
    #[new]
    #[pyo3(signature = (content, /))]
    fn new(py: Python<'_>, content: &[u8]) -> PyResult<Self> {
        Ok(Self(py.detach(|| lexicon::Lexicon::from_bytes(content.to_vec()))?))
    }

    /// Reads the file itself, so that its bytes never lie in memory twice.
    #[staticmethod]
    #[pyo3(signature = (path, /))]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        py.detach(|| Ok(Self(lexicon::Lexicon::from_bytes(fs::read(path)?)?)))
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

    fn translations(&self, source: &str, word: &str, max: usize) -> PyResult<WeightedWords> {
        let source = parse_language(source)?;
        Ok(owned(self.0.translations(source, &self.0.lemmas(source, word, max))))
    }

    fn synonyms(&self, language: &str, word: &str, senses: usize) -> PyResult<WeightedWords> {
        let language = parse_language(language)?;
        let lemma = self.0.lemmas(language, word, 1).pop();
        Ok(lemma.map(|lemma| owned(self.0.synonyms(language, lemma, senses))).unwrap_or_default())
    }

    fn groups(&self, language: &str, word: &str, senses: usize) -> PyResult<Vec<&'static str>> {
        let language = parse_language(language)?;
        let lemma = self.0.lemmas(language, word, 1).pop();
        Ok(lemma.map(|lemma| self.0.groups(language, lemma, senses)).unwrap_or_default())
    }
}

fn owned(words: Vec<lexicon::Weighted<'_>>) -> WeightedWords {
    words.into_iter().map(|word| (word.text.to_owned(), word.weight)).collect()
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
    Language::from_code(code)
        .ok_or_else(|| KernelInputError::new_err(format!("language={code:?}: en or es")))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Lexicon>()?;
    module.add_function(wrap_pyfunction!(fold_case_words, module)?)?;
    module.add_function(wrap_pyfunction!(fold_accents_words, module)?)?;
    module.add_function(wrap_pyfunction!(stem_words, module)?)
}
