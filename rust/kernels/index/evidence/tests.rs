//! Where the words of a question are found.

use crate::kernels::index::fixtures::{
    Texts, alternative, groups, index_of, index_of_texts, options, search,
};
use crate::kernels::index::search::{Alternative, Group};
use crate::kernels::index::{FIELDS, Field, Index};

use super::Evidence;

/// The evidence in every document of the index, in their order.
fn evidence_of(index: &Index, groups: &[Group]) -> Evidence {
    let all: Vec<i64> = (1..=i64::try_from(index.len()).unwrap()).collect();
    let included = super::super::search::SearchOptions { included: &all, ..options() };
    let mut ranking = index.search(groups, &included).unwrap();
    ranking.candidates.sort_by_key(|held| held.id);
    index.evidence(&ranking.candidates, groups, &ranking.idf, &[], &options())
}

fn close(found: f32, expected: f32) -> bool {
    (found - expected).abs() < 1e-6
}

#[test]
fn each_field_has_its_share_of_the_questions_weight() {
    let index = index_of_texts(&[
        Texts::body("lake").with(Field::Name, "heron").with(Field::KeyNouns, "heron\nlake"),
        Texts::body("boat"),
    ]);
    let evidence = evidence_of(&index, &groups("heron lake"));
    // Both words are in one document of the two: half the weight each.
    assert_eq!(evidence.field_share[..FIELDS], [0.5, 0.0, 1.0, 0.0, 0.5]);
    assert_eq!(evidence.field_share[FIELDS..], [0.0; FIELDS]);
    assert_eq!(evidence.coverage, [1.0, 0.0]);
    assert_eq!(evidence.lengths, [4.0, 1.0]);
}

#[test]
fn rarer_words_have_the_larger_share() {
    let index = index_of(&["heron", "boat", "boat lake"]);
    let evidence = evidence_of(&index, &groups("heron boat"));
    assert!(evidence.coverage[0] > 0.5);
    assert!(close(evidence.coverage[0] + evidence.coverage[1], 1.0));
}

#[test]
fn an_alternative_covers_its_word_by_its_weight_and_is_not_the_users_own() {
    let index = index_of(&["crane", "heron crane", "boat"]);
    let crane = Alternative { literal: false, ..alternative("crane", 0.4) };
    let question = [Group {
        boost: 1.0,
        whole: false,
        accented: false,
        alternatives: vec![alternative("heron", 1.0), crane],
    }];
    let evidence = evidence_of(&index, &question);
    assert_eq!(evidence.found, [1, 0, -1]);
    assert!(close(evidence.coverage[0], 0.4));
    assert!(close(evidence.coverage[1], 1.0));
    assert_eq!(evidence.counts, [0.4, 1.4, 0.0]);
    let body = Field::Body as usize;
    assert!(close(evidence.field_share[body], 0.0));
    assert!(close(evidence.field_share[FIELDS + body], 1.0));
}

#[test]
fn counts_leave_field_weights_out() {
    let index = index_of_texts(&[Texts::body("heron heron").with(Field::Name, "heron")]);
    assert_eq!(evidence_of(&index, &groups("heron")).counts, [3.0]);
}

#[test]
fn a_memory_is_named_when_its_name_and_the_question_are_the_same_words() {
    let stored = ["heron lake", "lake of the heron", "heron", "heron lake boat", ""];
    let index = index_of_texts(&stored.map(|name| Texts::body("garden").with(Field::Name, name)));
    let named = |question: &str| evidence_of(&index, &groups(question)).named;
    assert_eq!(named("the heron's lake"), [true, true, false, false, false]);
    assert_eq!(named("heron"), [false, false, true, false, false]);
    assert_eq!(named("garden"), [false; 5]);
}

#[test]
fn a_code_is_named_by_its_parts() {
    let index = index_of_texts(&[Texts::body("boat").with(Field::Name, "ORD-417")]);
    assert_eq!(evidence_of(&index, &groups("ord 417")).named, [true]);
    assert_eq!(evidence_of(&index, &groups("ORD-417")).named, [true]);
    assert_eq!(evidence_of(&index, &groups("ORD-418")).named, [false]);
}

#[test]
fn a_question_that_says_a_word_in_two_forms_still_names_its_memory() {
    let index = index_of_texts(&[
        Texts::body("shoes").with(Field::Name, "running to run"),
        Texts::body("shoes").with(Field::Name, "run"),
    ]);
    assert_eq!(evidence_of(&index, &groups("running to run")).named, [true, true]);
}

#[test]
fn the_nearest_synonym_decides() {
    let index = index_of_texts(&[
        Texts::body("boat").with(Field::Synonyms, "grey heron\nheron of the lake\nbird"),
        Texts::body("boat").with(Field::Synonyms, "grey wader"),
        Texts::body("boat"),
    ]);
    let synonym = |question: &str| evidence_of(&index, &groups(question)).synonym;
    assert!(close(synonym("heron lake")[0], 1.0));
    // Two words of the question, two of the synonym, one shared: 1 of 3.
    assert!(close(synonym("heron garden")[0], 1.0 / 3.0));
    assert!(close(synonym("heron grey garden")[1], 1.0 / 4.0));
    assert!(close(synonym("heron lake")[2], 0.0));
}

#[test]
fn a_compound_piece_weighs_nothing_beside_its_parts() {
    let index = index_of(&["ORD-417", "boat"]);
    let question = groups("ORD-417 boat");
    assert!(question[0].whole);
    let evidence = evidence_of(&index, &question);
    // ord, 417 and boat are as rare as each other.
    assert!(close(evidence.coverage[0], 2.0 / 3.0));
    assert_eq!(evidence.found[..4], [0, 0, 0, -1]);
    assert_eq!(evidence.lengths, [2.0, 1.0]);
}

#[test]
fn a_question_of_nothing_known_finds_nothing() {
    let index = index_of(&["heron"]);
    assert!(search(&index, "unheard", &options()).candidates.is_empty());
    let evidence = evidence_of(&index, &groups("unheard"));
    assert_eq!(evidence.found, [-1]);
    assert_eq!(evidence.coverage, [0.0]);
}
