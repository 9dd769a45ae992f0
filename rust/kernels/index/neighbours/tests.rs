//! What is lent and what is not, and when the order of storage is believed.

use crate::kernels::index::Index;
use crate::kernels::index::fixtures::{ids, index_of, of_id, options, search};
use crate::kernels::index::search::SearchOptions;

fn trusting() -> SearchOptions<'static> {
    SearchOptions { trust_in_order: 1.0, ..options() }
}

/// A conversation's question and answer among enough other texts that no word is common.
fn conversation() -> Index {
    index_of(&[
        "boat paint",
        "garden wall",
        "cellar door",
        "copper pipe",
        "where heron nests",
        "reeds beyond lake",
        "window glass",
        "bread oven",
        "winter coat",
        "paper lamp",
        "stone bridge",
        "apple cider",
    ])
}

#[test]
fn a_memory_borrows_what_its_neighbour_has() {
    let ranking = search(&conversation(), "heron reeds", &trusting());
    let mut first = ids(&ranking)[..2].to_vec();
    first.sort_unstable();
    assert_eq!(first, [5, 6]);
    let without = search(&conversation(), "heron reeds", &options());
    assert!(of_id(&ranking, 6).lent > 0.0);
    assert_eq!(of_id(&ranking, 6).bm25.to_bits(), of_id(&without, 6).bm25.to_bits());
    // Three on either side, and no further.
    assert_eq!(ranking.matched, 8);
    assert_eq!(without.matched, 2);
}

#[test]
fn what_came_before_explains_more_than_what_follows() {
    let ranking = search(&conversation(), "heron nests", &trusting());
    assert!(of_id(&ranking, 6).lent > of_id(&ranking, 4).lent);
    assert!(of_id(&ranking, 6).lent > of_id(&ranking, 7).lent);
    assert!(of_id(&ranking, 7).lent > of_id(&ranking, 8).lent);
}

#[test]
fn a_verbatim_hit_never_loses_to_its_neighbour() {
    for at in 0..6 {
        let mut bodies = ["boat", "garden", "cellar", "copper", "window", "bread"];
        bodies[at] = "heron nests beyond reeds";
        let index = index_of(&bodies);
        let ranking = search(&index, "heron nests beyond reeds", &trusting());
        assert_eq!(ids(&ranking)[0], i64::try_from(at).unwrap() + 1);
    }
}

#[test]
fn nothing_is_lent_without_trust_nor_for_one_word() {
    let untrusting = search(&conversation(), "heron reeds", &options());
    assert!(untrusting.candidates.iter().all(|held| held.lent == 0.0));
    let one_word = search(&conversation(), "heron", &trusting());
    assert_eq!(ids(&one_word), [5]);
    assert_eq!(one_word.candidates[0].lent.to_bits(), 0.0_f32.to_bits());
}

#[test]
fn a_question_of_two_words_borrows_half_of_what_a_longer_one_does() {
    let two = of_id(&search(&conversation(), "heron unheard", &trusting()), 6).lent;
    let three = of_id(&search(&conversation(), "heron unheard unseen", &trusting()), 6).lent;
    assert!((three - 2.0 * two).abs() < 1e-6 * three);
}

#[test]
fn a_word_of_more_than_a_fifth_of_the_store_is_not_lent() {
    let bodies = |times: usize| {
        let mut bodies = ["boat"; 10];
        bodies[..times].fill("ana boat");
        bodies
    };
    let lent = |times: usize| {
        let ranking = search(&index_of(&bodies(times)), "ana unheard unseen", &trusting());
        ranking.candidates.iter().any(|held| held.lent > 0.0)
    };
    assert!(lent(2));
    assert!(!lent(3));
}

#[test]
fn a_deleted_memory_neither_lends_nor_stands_between_neighbours() {
    let mut index = conversation();
    assert!(index.delete(6));
    let ranking = search(&index, "heron nests", &trusting());
    let fresh = search(
        &index_of(&[
            "boat paint",
            "garden wall",
            "cellar door",
            "copper pipe",
            "where heron nests",
            "window glass",
            "bread oven",
            "winter coat",
            "paper lamp",
            "stone bridge",
            "apple cider",
        ]),
        "heron nests",
        &trusting(),
    );
    assert_eq!(of_id(&ranking, 7).lent.to_bits(), of_id(&fresh, 6).lent.to_bits());
    index.delete(5);
    assert!(search(&index, "heron nests", &trusting()).candidates.is_empty());
}

#[test]
fn among_documents_that_only_borrow_the_best_still_comes_first() {
    let neighbours = SearchOptions { allowed: Some(&[4, 6, 7]), ..trusting() };
    let ranking = search(&conversation(), "heron nests", &neighbours);
    assert_eq!(ids(&ranking)[0], 6);
    assert_eq!(ranking.candidates[0].relevance.to_bits(), 1.0_f32.to_bits());
    assert!(ranking.candidates[0].relevance > ranking.candidates[1].relevance);
}

/// 20 subjects of 10 words, 10 texts each; `step` 1 keeps a subject's texts together.
fn subjects(step: usize) -> Index {
    let texts: Vec<String> = (0..200)
        .map(|nth| {
            let at = nth * step % 200;
            let (subject, start) = (at / 10, at % 10);
            let words = (0..6).map(|word| format!("s{subject}w{}", (start + word) % 10));
            words.collect::<Vec<_>>().join(" ")
        })
        .collect();
    index_of(&texts.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn order_is_believed_where_consecutive_texts_are_alike() {
    assert_eq!(subjects(1).trust_in_order().to_bits(), 1.0_f32.to_bits());
    // 63 is coprime to 200: the same texts, each far from its likes.
    assert_eq!(subjects(63).trust_in_order().to_bits(), 0.0_f32.to_bits());
}

#[test]
fn few_documents_allow_no_judgement() {
    let same = vec!["heron lake"; 49];
    assert_eq!(index_of(&same).trust_in_order().to_bits(), 0.0_f32.to_bits());
}

#[test]
fn documents_without_words_neither_harm_nor_help_the_judgement() {
    assert_eq!(index_of(&[""; 60]).trust_in_order().to_bits(), 0.0_f32.to_bits());
}

#[test]
fn the_judgement_is_made_anew_a_tenth_further_each_time() {
    let mut index = Index::new();
    let mut milestones = Vec::new();
    for id in 1..=80 {
        crate::kernels::index::fixtures::put(
            &mut index,
            id,
            &crate::kernels::index::fixtures::Texts::body("heron"),
        );
        milestones.push(index.order_milestone());
    }
    assert_eq!(milestones[48], 0);
    milestones.dedup();
    assert_eq!(milestones, [0, 50, 55, 60, 66, 72, 79]);
}

#[test]
fn documents_past_the_milestone_do_not_change_the_judgement() {
    let mut index = subjects(1);
    // 196 is the last milestone below 200: the last documents are not looked at.
    assert_eq!(index.order_milestone(), 196);
    let before = index.trust_in_order();
    index.delete(199);
    index.delete(200);
    assert_eq!(index.trust_in_order().to_bits(), before.to_bits());
}
