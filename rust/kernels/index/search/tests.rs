//! The ranking against its formula, and what a caller may rely on.

use proptest::prelude::*;

use super::{Group, SearchOptions, inverse_document_frequency};
use crate::kernels::error::KernelError;
use crate::kernels::index::fixtures::{
    Texts, alternative, groups, ids, index_of, index_of_texts, of_id, options, search,
};
use crate::kernels::index::{Field, Index};

fn group(alternatives: &[(&str, f32)]) -> Group {
    let alternatives =
        alternatives.iter().map(|&(term, weight)| alternative(term, weight)).collect();
    Group { boost: 1.0, whole: false, accented: false, alternatives }
}

/// One BM25 part in double precision, as the formula is written.
fn bm25(n: f64, df: f64, tf: f64, length: f64, mean: f64) -> f64 {
    let (k1, b) = (0.9, 0.4);
    let df = df.clamp(0.5, n);
    let idf = (1.0 + (n - df + 0.5) / (df + 0.5)).ln();
    idf * tf / (tf + k1 * (1.0 - b + b * length / mean))
}

fn assert_close(found: f32, expected: f64) {
    assert!((f64::from(found) - expected).abs() <= 1e-5 * expected.abs(), "{found} {expected}");
}

#[test]
fn an_empty_index_answers_with_nothing() {
    let ranking = search(&Index::new(), "heron", &options());
    assert!(ranking.candidates.is_empty());
    assert_eq!(ranking.matched, 0);
}

#[test]
fn one_document_is_found_by_its_words_and_by_no_others() {
    let index = index_of(&["heron lake"]);
    assert_eq!(ids(&search(&index, "heron", &options())), [1]);
    assert_eq!(
        search(&index, "heron", &options()).candidates[0].relevance.to_bits(),
        1.0_f32.to_bits()
    );
    assert!(search(&index, "boat", &options()).candidates.is_empty());
}

#[test]
fn equal_documents_come_in_order_of_their_numbers() {
    let index = index_of(&["heron", "boat", "heron", "heron"]);
    assert_eq!(ids(&search(&index, "heron", &options())), [1, 3, 4]);
    let two = SearchOptions { limit: 2, ..options() };
    assert_eq!(ids(&search(&index, "heron", &two)), [1, 3]);
    assert_eq!(search(&index, "heron", &two).matched, 3);
}

#[test]
fn the_score_is_bm25_over_field_weights() {
    let index = index_of_texts(&[
        Texts::body("heron heron lake boat").with(Field::Name, "heron"),
        Texts::body("lake").with(Field::Synonyms, "heron"),
        Texts::body("boat garden"),
    ]);
    let ranking = search(&index, "heron", &options());
    // A name counts 2 and no length; a synonym 1.5. Lengths: 4, 2, 2.
    assert_close(of_id(&ranking, 1).bm25, bm25(3.0, 2.0, 4.0, 4.0, 8.0 / 3.0));
    assert_close(of_id(&ranking, 2).bm25, bm25(3.0, 2.0, 1.5, 2.0, 8.0 / 3.0));
}

#[test]
fn alternatives_pool_into_one_count_and_one_frequency() {
    let index = index_of(&["heron heron", "crane", "heron crane", "boat"]);
    let ranking = index.search(&[group(&[("heron", 1.0), ("crane", 0.5)])], &options()).unwrap();
    let df = 2.0 + 0.5 * 2.0;
    assert_close(of_id(&ranking, 1).bm25, bm25(4.0, df, 2.0, 2.0, 1.5));
    assert_close(of_id(&ranking, 2).bm25, bm25(4.0, df, 0.5, 1.0, 1.5));
    assert_close(of_id(&ranking, 3).bm25, bm25(4.0, df, 1.5, 2.0, 1.5));
}

#[test]
fn alternatives_help_their_word_and_never_outvote_it() {
    let index = index_of(&["heron", "crane egret", "boat lake"]);
    let question = [group(&[("heron", 1.0), ("crane", 0.4), ("egret", 0.4)])];
    assert_eq!(ids(&index.search(&question, &options()).unwrap()), [1, 2]);
}

#[test]
fn a_compound_piece_beside_its_parts_adds_no_length() {
    let with_code = index_of(&["order ord-417", "boat"]);
    let with_words = index_of(&["order ord 417", "boat"]);
    for question in ["order", "417"] {
        let one = search(&with_code, question, &options()).candidates[0].bm25;
        let other = search(&with_words, question, &options()).candidates[0].bm25;
        assert_eq!(one.to_bits(), other.to_bits());
    }
}

#[test]
fn a_boost_multiplies_its_words_part() {
    let index = index_of(&["heron", "crane", "boat"]);
    let boosted = Group { boost: 2.0, ..group(&[("crane", 1.0)]) };
    let ranking = index.search(&[group(&[("heron", 1.0)]), boosted], &options()).unwrap();
    assert_eq!(ids(&ranking), [2, 1]);
    assert_close(of_id(&ranking, 2).bm25, 2.0 * f64::from(of_id(&ranking, 1).bm25));
}

#[test]
fn only_allowed_documents_come_and_the_best_of_them_has_relevance_one() {
    let index = index_of(&["heron heron", "heron lake", "heron lake boat"]);
    let some = SearchOptions { allowed: Some(&[2, 3, 99]), ..options() };
    let ranking = search(&index, "heron", &some);
    assert_eq!(ids(&ranking), [2, 3]);
    assert_eq!(ranking.matched, 2);
    assert_eq!(ranking.candidates[0].relevance.to_bits(), 1.0_f32.to_bits());
    let none = SearchOptions { allowed: Some(&[]), ..options() };
    assert!(search(&index, "heron", &none).candidates.is_empty());
}

#[test]
fn an_excluded_document_never_comes_even_when_it_is_included() {
    let index = index_of(&["heron heron", "heron lake"]);
    let excluded = SearchOptions { excluded: &[1], included: &[1], ..options() };
    let ranking = search(&index, "heron", &excluded);
    assert_eq!(ids(&ranking), [2]);
    assert_eq!(ranking.matched, 1);
}

#[test]
fn included_documents_come_last_once_each_and_unranked_ones_have_no_score() {
    let index = index_of(&["heron heron", "heron lake", "boat"]);
    let included = SearchOptions { limit: 1, included: &[3, 2, 1, 3, 77], ..options() };
    let ranking = search(&index, "heron", &included);
    assert_eq!(ids(&ranking), [1, 3, 2]);
    assert_eq!(of_id(&ranking, 3).bm25.to_bits(), 0.0_f32.to_bits());
    assert!(of_id(&ranking, 2).bm25 > 0.0);
}

#[test]
fn options_out_of_range_are_refused_by_name() {
    let index = index_of(&["heron"]);
    let refused =
        |options: SearchOptions<'_>, groups: &[Group]| match index.search(groups, &options) {
            Err(KernelError::OutOfRange { what, .. }) => what,
            other => panic!("{other:?}"),
        };
    let heron = groups("heron");
    assert_eq!(refused(SearchOptions { k1: -1.0, ..options() }, &heron), "k1");
    assert_eq!(refused(SearchOptions { k1: f32::NAN, ..options() }, &heron), "k1");
    assert_eq!(refused(SearchOptions { b: 1.1, ..options() }, &heron), "b");
    let trust = SearchOptions { trust_in_order: f32::NAN, ..options() };
    assert_eq!(refused(trust, &heron), "trust in order");
    assert_eq!(refused(options(), &[group(&[("heron", 0.0)])]), "weight");
    let boosted = Group { boost: 0.0, ..group(&[("heron", 1.0)]) };
    assert_eq!(refused(options(), &[boosted]), "boost");
}

#[test]
fn a_word_of_every_document_still_counts_in_a_store_of_any_size() {
    for documents in [1_usize, 1_000, 100_000_000] {
        assert!(inverse_document_frequency(documents, documents as f32) > 0.0);
    }
}

proptest! {
    /// Documents and questions over few words, so that every kind of overlap is common.
    #[test]
    fn the_ranking_is_the_formula_in_double_precision(
        bodies in prop::collection::vec(prop::collection::vec(0_usize..6, 0..8), 1..12),
        asked in prop::collection::vec(
            prop::collection::vec((0_usize..6, 0.1_f32..=1.0), 1..4), 1..4),
        limit in 1_usize..12,
    ) {
        const WORDS: [&str; 6] = ["heron", "crane", "boat", "lake", "garden", "cellar"];
        let texts: Vec<String> = bodies
            .iter()
            .map(|body| body.iter().map(|&word| WORDS[word]).collect::<Vec<_>>().join(" "))
            .collect();
        let index = index_of(&texts.iter().map(String::as_str).collect::<Vec<_>>());
        let question: Vec<Group> = asked
            .iter()
            .map(|group_words| {
                let stems: Vec<(String, f32)> = group_words
                    .iter()
                    .map(|&(word, weight)| (groups(WORDS[word])[0].alternatives[0].term.clone(), weight))
                    .collect();
                group(&stems.iter().map(|(term, weight)| (term.as_str(), *weight)).collect::<Vec<_>>())
            })
            .collect();
        let n = bodies.len() as f64;
        let total: usize = bodies.iter().map(Vec::len).sum();
        let mean = (total as f64 / n).max(1.0);
        let expected: Vec<f64> = bodies
            .iter()
            .map(|body| {
                asked
                    .iter()
                    .map(|group_words| {
                        let count = |body: &[usize], word: usize| {
                            body.iter().filter(|&&held| held == word).count() as f64
                        };
                        let tf = group_words.iter()
                            .map(|&(word, weight)| f64::from(weight) * count(body, word)).sum();
                        let df = group_words.iter()
                            .map(|&(word, weight)| {
                                let held = bodies.iter().filter(|body| body.contains(&word)).count();
                                f64::from(weight) * held as f64
                            })
                            .sum();
                        bm25(n, df, tf, body.len() as f64, mean)
                    })
                    .sum()
            })
            .collect();
        let ranking = index.search(&question, &SearchOptions { limit, ..options() }).unwrap();
        let matched = expected.iter().filter(|&&score| score > 0.0).count();
        prop_assert_eq!(ranking.matched, matched);
        prop_assert_eq!(ranking.candidates.len(), matched.min(limit));
        for candidate in &ranking.candidates {
            let at = usize::try_from(candidate.id - 1).unwrap();
            prop_assert!((f64::from(candidate.bm25) - expected[at]).abs() < 1e-5 * expected[at]);
        }
        // What is left out scores no more than what is returned, up to rounding.
        let lowest = ranking.candidates.iter().map(|held| f64::from(held.bm25)).fold(f64::MAX, f64::min);
        let held = ids(&ranking);
        for (at, &score) in expected.iter().enumerate() {
            let id = i64::try_from(at).unwrap() + 1;
            prop_assert!(held.contains(&id) || score == 0.0 || score <= lowest * (1.0 + 1e-5));
        }
        let sorted = ranking.candidates.is_sorted_by(|a, b| {
            a.relevance > b.relevance || (a.relevance.to_bits() == b.relevance.to_bits() && a.id < b.id)
        });
        prop_assert!(sorted);
    }
}
