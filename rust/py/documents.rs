//! Documents on their way into the full-text table and the index.

use pyo3::prelude::*;

use crate::kernels::error::KernelError;
use crate::kernels::index::FIELDS;
use crate::kernels::text::ANALYSIS_VERSION;
use crate::kernels::text::analysis::{Form, analyse, forms_of};
use crate::kernels::text::language::{LanguageEvidence, Remembered};
use crate::kernels::text::stem::Language;
use crate::kernels::text::traits::{Speaker, Traits};

use super::lexicon::Lexicon;

/// The texts of one document: name, synonyms, key nouns, bridges, body.
type Texts = (String, String, String, String, String);

/// Documents after analysis, ready for the full-text table and for the index.
#[pyclass(frozen, module = "biorag._native")]
pub struct AnalysedDocuments {
    pub(super) documents: Vec<AnalysedDocument>,
}

pub(super) struct AnalysedDocument {
    pub(super) language: Language,
    /// Of each field its values; of each value its forms.
    pub(super) fields: [Vec<Vec<Form>>; FIELDS],
    pub(super) traits: Traits,
    pub(super) speaker: Option<Speaker>,
    pub(super) function_words: Vec<u16>,
}

impl AnalysedDocument {
    /// Of each field its values, of each value its terms; compound pieces are there as their parts.
    pub(super) fn terms(&self) -> [Vec<Vec<&str>>; FIELDS] {
        self.fields.each_ref().map(|values| values.iter().map(|forms| part_terms(forms)).collect())
    }
}

#[pymethods]
impl AnalysedDocuments {
    fn __len__(&self) -> usize {
        self.documents.len()
    }

    #[getter]
    fn languages(&self) -> Vec<&'static str> {
        self.documents.iter().map(|document| document.language.code()).collect()
    }

    /// Of each document the terms of its five fields, joined by spaces.
    #[getter]
    fn texts(&self) -> Vec<Texts> {
        self.documents
            .iter()
            .map(|document| {
                let [name, synonyms, key_nouns, bridges, body] =
                    document.fields.each_ref().map(|values| joined_terms(values));
                (name, synonyms, key_nouns, bridges, body)
            })
            .collect()
    }
}

fn part_terms(forms: &[Form]) -> Vec<&str> {
    forms.iter().filter(|form| !form.whole).map(|form| form.term.as_str()).collect()
}

fn joined_terms(values: &[Vec<Form>]) -> String {
    let terms: Vec<&str> = values.iter().flatten().map(|form| form.term.as_str()).collect();
    terms.join(" ")
}

/// Analyses documents of five texts each; in synonyms, key nouns and bridges a line is a value.
#[pyfunction]
#[pyo3(signature = (documents, languages, fallback, lexicon, /))]
#[allow(clippy::needless_pass_by_value)] // PyO3 hands over what it has converted
fn analyse_documents(
    py: Python<'_>,
    documents: Vec<Texts>,
    languages: Vec<Option<String>>,
    fallback: &str,
    lexicon: Option<Py<Lexicon>>,
) -> PyResult<AnalysedDocuments> {
    let fallback = language(fallback)?;
    if languages.len() != documents.len() {
        let (expected, found) = (documents.len(), languages.len());
        return Err(KernelError::Shape { what: "languages", expected, found }.into());
    }
    let languages: Vec<Option<Language>> = languages
        .iter()
        .map(|code| code.as_deref().map(language).transpose())
        .collect::<PyResult<_>>()?;
    let analysed = py.detach(|| {
        let remembered = lexicon.as_ref().map(|lexicon| Remembered::new(&lexicon.get().0));
        let words = remembered.as_ref().map(|words| words as &dyn LanguageEvidence);
        documents
            .iter()
            .zip(languages)
            .map(|(texts, language)| analyse_document(texts, language, fallback, words))
            .collect()
    });
    Ok(AnalysedDocuments { documents: analysed })
}

fn analyse_document(
    (name, synonyms, key_nouns, bridges, body): &Texts,
    language: Option<Language>,
    fallback: Language,
    words: Option<&dyn LanguageEvidence>,
) -> AnalysedDocument {
    let text = analyse(body, language, fallback, words);
    let of = |value: &str| forms_of(value, text.language, words);
    let lines = |values: &str| values.lines().map(of).collect::<Vec<_>>();
    AnalysedDocument {
        language: text.language,
        fields: [
            vec![of(name)],
            lines(synonyms),
            lines(key_nouns),
            lines(bridges),
            vec![text.forms],
        ],
        traits: text.traits,
        speaker: text.speaker,
        function_words: text.function_words,
    }
}

fn language(code: &str) -> PyResult<Language> {
    Language::from_code(code).ok_or_else(|| {
        let rule = format!("{code:?} is not one of en, es");
        KernelError::OutOfRange { what: "language", rule }.into()
    })
}

/// Adds this family to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("ANALYSIS_VERSION", ANALYSIS_VERSION)?;
    module.add_class::<AnalysedDocuments>()?;
    module.add_function(wrap_pyfunction!(analyse_documents, module)?)
}
