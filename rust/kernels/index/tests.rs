//! Whatever was stored, changed and deleted, the index is the one that a fresh build gives.

use proptest::prelude::*;

use super::fixtures::{Texts, groups, index_of, index_of_texts, options, put, search};
use super::search::{Ranking, SearchOptions};
use super::{FIELDS, Field, Index};
use crate::kernels::error::KernelError;
use crate::kernels::expansion::{ExpandedWord, ExpansionOptions, expand};
use crate::kernels::index::evidence::Evidence;
use crate::kernels::text::analysis::{Form, analyse_question};
use crate::kernels::text::stem::Language;

/// A candidate without its slot, which a store's history decides.
type Row = (i64, f32, f32, f32);

/// Everything that can be asked of an index, for a few questions.
#[derive(Debug, PartialEq)]
struct Answers {
    documents: [usize; 3],
    frequencies: Vec<usize>,
    rankings: Vec<(Vec<Row>, usize, Vec<f32>)>,
    evidence: Vec<Evidence>,
    expanded: Vec<Vec<ExpandedWord>>,
    near: Vec<(String, u8)>,
    prefixed: Vec<(String, u32)>,
}

const QUESTIONS: [&str; 6] = [
    "heron",
    "Where did the herons nest?",
    "canción cancion",
    "ORD-417 boat",
    "hreon nets cellar",
    "nadad",
];

fn answers(index: &Index) -> Answers {
    let all = SearchOptions { trust_in_order: 0.5, limit: 4, ..options() };
    let expanded = |question: &str| {
        let question = analyse_question(question, Language::English, None);
        let options = ExpansionOptions { meanings: true, spellings: true };
        expand(&question, index, None, &[], options)
    };
    let searched: Vec<(Ranking, Evidence)> = QUESTIONS
        .iter()
        .map(|question| {
            let groups: Vec<_> = expanded(question).into_iter().map(|word| word.group).collect();
            let ranking = index.search(&groups, &all).unwrap();
            let evidence =
                index.evidence(&ranking.candidates, &groups, &ranking.idf, &[], &options());
            (ranking, evidence)
        })
        .collect();
    let vocabulary = index.vocabulary();
    let owned = |(word, count): (&str, u8)| (word.to_owned(), count);
    Answers {
        documents: [
            index.len(),
            index.count_of_language(Language::English),
            index.count_of_language(Language::Spanish),
        ],
        frequencies: ["heron", "nest", "cancion", "ord-417", "417", "boat"]
            .map(|term| index.document_frequency(term))
            .to_vec(),
        rankings: searched
            .iter()
            .map(|(ranking, _)| {
                let rows = ranking.candidates.iter();
                let rows = rows.map(|held| (held.id, held.bm25, held.lent, held.relevance));
                (rows.collect(), ranking.matched, ranking.idf.clone())
            })
            .collect(),
        evidence: searched.into_iter().map(|(_, evidence)| evidence).collect(),
        expanded: QUESTIONS.iter().map(|question| expanded(question)).collect(),
        near: vocabulary.near("heron", 2).into_iter().map(owned).collect(),
        prefixed: vocabulary
            .with_prefix("her", 3)
            .into_iter()
            .map(|(word, count)| (word.to_owned(), count))
            .collect(),
    }
}

#[test]
fn a_replaced_document_is_found_by_its_new_words_alone() {
    let mut index = index_of(&["heron lake", "boat"]);
    put(&mut index, 1, &Texts::body("cellar"));
    assert_eq!(index.len(), 2);
    assert!(search(&index, "heron", &options()).candidates.is_empty());
    assert_eq!(answers(&index), answers(&index_of(&["cellar", "boat"])));
}

#[test]
fn a_deleted_document_leaves_no_trace() {
    let mut index = index_of(&["heron", "boat heron"]);
    assert!(index.delete(2));
    assert!(!index.delete(2));
    assert!(!index.contains(2));
    assert_eq!(index.document_frequency("boat"), 0);
    assert!(index.vocabulary().near("boat", 1).is_empty());
    assert_eq!(answers(&index), answers(&index_of(&["heron"])));
}

#[test]
fn the_last_document_to_go_leaves_an_empty_index() {
    let mut index = index_of(&["heron"]);
    assert!(index.delete(1));
    assert!(index.is_empty());
    assert_eq!(answers(&index), answers(&Index::new()));
}

#[test]
fn a_number_below_the_others_is_refused_and_changes_nothing() {
    let mut index = Index::new();
    put(&mut index, 5, &Texts::body("heron"));
    let fields: [&[Vec<Form>]; FIELDS] = [&[]; FIELDS];
    let late = super::NewDocument {
        id: 4,
        language: Language::English,
        fields,
        attributes: super::NewAttributes::default(),
    };
    assert!(matches!(index.put(&late), Err(KernelError::OutOfRange { .. })));
    assert_eq!(index.len(), 1);
    assert!(!index.contains(4));
}

#[test]
fn a_deleted_number_can_be_stored_again_in_its_old_place() {
    let mut index = index_of(&["heron", "boat", "lake"]);
    index.delete(2);
    put(&mut index, 2, &Texts::body("boat cellar"));
    assert_eq!(answers(&index), answers(&index_of(&["heron", "boat cellar", "lake"])));
}

#[test]
fn shrinking_changes_no_answer_and_takes_no_more_room() {
    let mut index = index_of(&["heron lake", "boat", "garden wall"]);
    let (before, room) = (answers(&index), index.heap_bytes());
    index.shrink();
    assert_eq!(answers(&index), before);
    assert!(index.heap_bytes() <= room);
}

#[test]
fn a_word_of_two_languages_is_one_word_with_two_terms() {
    let spanish = Texts { spanish: true, ..Texts::body("casas de piedra") };
    let index = index_of_texts(&[Texts::body("casas seen"), spanish]);
    let held = index.vocabulary().terms_of_word("casas");
    assert_eq!(held.map(|(_, documents)| documents).collect::<Vec<_>>(), [1, 1]);
    assert_eq!(groups("casas")[0].alternatives.len(), 2);
    assert_eq!(search(&index, "casas", &options()).matched, 2);
}

#[test]
fn what_stands_for_a_word_does_not_depend_on_the_order_of_arrival() {
    let spanish = Texts { spanish: true, ..Texts::body("nadadoras") };
    let english = Texts::body("nadadoras");
    let fresh = index_of_texts(&[english.clone(), spanish.clone()]);
    let mut index = index_of_texts(&[spanish.clone(), spanish]);
    put(&mut index, 1, &english);
    assert_eq!(answers(&index), answers(&fresh));
}

#[derive(Debug, Clone)]
enum Step {
    Append(Texts),
    Replace(usize, Texts),
    Delete(usize),
    Reopen,
}

fn texts() -> impl Strategy<Value = Texts> {
    let word = prop::sample::select(vec![
        "heron",
        "herons",
        "nest",
        "nests",
        "boat",
        "lake",
        "canción",
        "cancion",
        "canciones",
        "ORD-417",
        "417",
        "the",
        "cellar",
        "heroic",
        "año",
        "nadadoras",
    ]);
    let text = |most: usize| {
        prop::collection::vec(word.clone(), 0..most).prop_map(|words| words.join(" "))
    };
    let lines = prop::collection::vec(text(3), 0..3).prop_map(|lines| lines.join("\n"));
    (any::<bool>(), text(3), lines.clone(), lines, text(7)).prop_map(
        |(spanish, name, synonyms, key_nouns, body)| {
            let texts = Texts { spanish, ..Texts::body(&body) };
            texts
                .with(Field::Name, &name)
                .with(Field::Synonyms, &synonyms)
                .with(Field::KeyNouns, &key_nouns)
        },
    )
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => texts().prop_map(Step::Append),
        2 => (any::<prop::sample::Index>(), texts())
            .prop_map(|(at, texts)| Step::Replace(at.index(16), texts)),
        2 => any::<prop::sample::Index>().prop_map(|at| Step::Delete(at.index(16))),
        1 => Just(Step::Reopen),
    ]
}

proptest! {
    #[test]
    fn any_history_gives_the_index_of_a_fresh_build(
        steps in prop::collection::vec(step(), 0..24),
    ) {
        let mut index = Index::new();
        let mut kept: Vec<(i64, Texts)> = Vec::new();
        let mut next = 1;
        for step in steps {
            match step {
                Step::Append(texts) => {
                    put(&mut index, next, &texts);
                    kept.push((next, texts));
                    next += 1;
                }
                Step::Replace(at, texts) => {
                    if let Some((id, held)) = kept.get_mut(at) {
                        put(&mut index, *id, &texts);
                        *held = texts;
                    }
                }
                Step::Delete(at) if at < kept.len() => {
                    prop_assert!(index.delete(kept.remove(at).0));
                }
                Step::Delete(_) => {}
                Step::Reopen => index = Index::from_bytes(&index.to_bytes("")).unwrap().0,
            }
        }
        let mut fresh = Index::new();
        for (id, texts) in &kept {
            put(&mut fresh, *id, texts);
        }
        prop_assert_eq!(answers(&index), answers(&fresh));
    }
}
