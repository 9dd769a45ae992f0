use super::super::fixtures::{Texts, alternative, groups, index_of, options, put, search};
use super::*;
use crate::kernels::index::search::Alternative;

fn words(groups: &[Group]) -> Vec<AskedWord> {
    groups
        .iter()
        .map(|group| AskedWord { spelling: group.alternatives[0].term.clone(), others: Vec::new() })
        .collect()
}

fn certainty(index: &Index, question: &str, hidden: &[i64]) -> Certainty {
    let groups = groups(question);
    let ranking = search(index, question, &SearchOptionsOf(hidden).options());
    index
        .certainty(&ranking.candidates, &groups, &words(&groups), &index.hide(hidden))
        .expect("one word a group")
}

struct SearchOptionsOf<'a>(&'a [i64]);

impl<'a> SearchOptionsOf<'a> {
    fn options(&self) -> crate::kernels::index::search::SearchOptions<'a> {
        crate::kernels::index::search::SearchOptions { excluded: self.0, ..options() }
    }
}

const HARBOUR: [&str; 5] = [
    "the boat lies in the harbour",
    "the harbour master keeps the keys",
    "a boat needs paint in spring",
    "paint the cellar door green",
    "the cellar keys hang by the door",
];

#[test]
fn a_question_that_nothing_matches_has_no_certainty() {
    let index = index_of(&HARBOUR);
    assert_eq!(certainty(&index, "quantum xylophone", &[]), Certainty::default());
    assert_eq!(certainty(&Index::new(), "boat", &[]), Certainty::default());
}

#[test]
fn unknown_words_make_a_question_less_certain() {
    let index = index_of(&HARBOUR);
    let known = certainty(&index, "harbour keys", &[]).value;
    let half_known = certainty(&index, "harbour keys zeppelin xylophone", &[]).value;
    assert!(known > half_known && half_known > 0.0);
}

#[test]
fn each_of_the_first_candidates_has_a_cosine() {
    let index = index_of(&HARBOUR);
    let found = certainty(&index, "harbour", &[]);
    assert_eq!(found.gram_cosine.len(), 2);
    assert!(found.gram_cosine.iter().all(|&cosine| cosine > 0.0 && cosine < 1.0));
}

#[test]
fn hiding_is_the_same_as_never_having_stored() {
    let all = index_of(&HARBOUR);
    let mut fewer = Index::new();
    for (id, text) in (1..).zip(HARBOUR) {
        if id != 2 && id != 5 {
            put(&mut fewer, id, &Texts::body(text));
        }
    }
    for question in ["harbour keys", "boat paint door", "cellar zeppelin"] {
        let hidden = certainty(&all, question, &[2, 5]);
        let absent = certainty(&fewer, question, &[]);
        assert!((hidden.value - absent.value).abs() < 1e-6, "{question}");
        assert_eq!(hidden.gram_cosine.len(), absent.gram_cosine.len());
    }
}

#[test]
fn what_is_hidden_twice_is_hidden_once() {
    let index = index_of(&HARBOUR);
    assert_eq!(certainty(&index, "keys", &[2, 2, 99]), certainty(&index, "keys", &[2]));
}

#[test]
fn a_translation_is_evidence() {
    let index = index_of(&HARBOUR);
    let asked = |others: &[(&str, f32)]| {
        let alternatives =
            std::iter::once(alternative("puerto", 1.0))
                .chain(others.iter().map(|&(term, weight)| Alternative {
                    literal: false,
                    ..alternative(term, weight)
                }))
                .collect();
        let groups = [Group { boost: 1.0, whole: false, accented: false, alternatives }];
        let words = [AskedWord {
            spelling: "puerto".into(),
            others: others.iter().map(|&(term, weight)| (term.to_owned(), weight)).collect(),
        }];
        let ranking = index.search(&groups, &options()).expect("the options are in range");
        index
            .certainty(&ranking.candidates, &groups, &words, &Hidden::default())
            .expect("one word a group")
            .value
    };
    assert!(asked(&[]) == 0.0);
    assert!(asked(&[("harbour", 1.0)]) > asked(&[("harbour", 0.3)]));
    assert!(asked(&[("harbour", 0.3)]) > 0.0);
}

#[test]
fn words_and_groups_must_be_as_many() {
    let index = index_of(&HARBOUR);
    let refused = index.certainty(&[], &groups("boat keys"), &[], &Hidden::default());
    assert!(matches!(refused, Err(KernelError::Shape { what: "words", expected: 2, found: 0 })));
}
