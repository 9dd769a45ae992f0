//! Small stores for the tests of the index and of what reads it.

use super::attributes::NewAttributes;
use super::search::{Alternative, Candidate, Group, Order, Ranking, SearchOptions};
use super::{FIELDS, Field, Index, NewDocument};
use crate::kernels::text::analysis::{Form, analyse, analyse_question};
use crate::kernels::text::stem::Language;

/// A document before analysis; a line of a field is a value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Texts {
    pub spanish: bool,
    pub fields: [String; FIELDS],
}

impl Texts {
    pub fn body(text: &str) -> Self {
        let mut texts = Self::default();
        texts.fields[Field::Body as usize] = text.to_owned();
        texts
    }

    pub fn with(mut self, field: Field, text: &str) -> Self {
        text.clone_into(&mut self.fields[field as usize]);
        self
    }
}

pub fn put(index: &mut Index, id: i64, texts: &Texts) {
    let language = if texts.spanish { Language::Spanish } else { Language::English };
    let analysed: [Vec<Vec<Form>>; FIELDS] = texts.fields.each_ref().map(|text| {
        text.lines().map(|line| analyse(line, Some(language), language, None).forms).collect()
    });
    let fields = analysed.each_ref().map(Vec::as_slice);
    let body = analyse(&texts.fields[Field::Body as usize], Some(language), language, None);
    let attributes = NewAttributes {
        created_at: 0.0,
        traits: body.traits,
        speaker: body.speaker.as_ref(),
        function_words: &body.function_words,
    };
    index
        .put(&NewDocument { id, language, fields, attributes })
        .expect("the number is new or known");
}

/// An index of these documents, numbered from 1.
pub fn index_of_texts(documents: &[Texts]) -> Index {
    let mut index = Index::new();
    for (id, texts) in (1..).zip(documents) {
        put(&mut index, id, texts);
    }
    index
}

/// An index of documents that are bodies only, numbered from 1.
pub fn index_of(bodies: &[&str]) -> Index {
    index_of_texts(&bodies.iter().map(|body| Texts::body(body)).collect::<Vec<_>>())
}

pub fn alternative(term: &str, weight: f32) -> Alternative {
    Alternative { term: term.to_owned(), weight, literal: true }
}

/// One group a word of an English question, each word standing for itself.
pub fn groups(question: &str) -> Vec<Group> {
    analyse_question(question, Language::English, None)
        .words
        .into_iter()
        .map(|word| Group {
            boost: 1.0,
            whole: word.whole,
            accented: word.surface != word.word,
            alternatives: word.terms.iter().map(|term| alternative(term, 1.0)).collect(),
        })
        .collect()
}

pub fn options() -> SearchOptions<'static> {
    SearchOptions {
        k1: 0.9,
        b: 0.4,
        trust_in_order: 0.0,
        asking: None,
        order: Order::Relevance,
        limit: 100,
        allowed: None,
        excluded: &[],
        included: &[],
    }
}

pub fn search(index: &Index, question: &str, options: &SearchOptions<'_>) -> Ranking {
    index.search(&groups(question), options).expect("the options are in range")
}

pub fn ids(ranking: &Ranking) -> Vec<i64> {
    ranking.candidates.iter().map(|candidate| candidate.id).collect()
}

pub fn of_id(ranking: &Ranking, id: i64) -> Candidate {
    *ranking.candidates.iter().find(|candidate| candidate.id == id).expect("it is a candidate")
}
