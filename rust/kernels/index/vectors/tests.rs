//! Vectors of documents and questions in a small space that can be worked out by hand.

use super::VectorSpace;
use crate::kernels::index::Index;
use crate::kernels::index::fixtures::{Texts, groups, index_of, options, put, search};

/// `boat` and `ship` point the same way, `bread` elsewhere.
fn space() -> VectorSpace {
    let terms = ["boat", "ship", "bread"].map(str::to_owned).to_vec();
    let vectors = vec![100, 0, 80, 60, 0, 100];
    VectorSpace::new(terms, vec![1.0; 3], vec![0.01; 3], vectors, 2).unwrap()
}

fn near(index: &Index, question: &str) -> Vec<(i64, f32)> {
    let space = space();
    space.nearest(index, &space.question_vector(&groups(question)), 10)
}

#[test]
fn a_document_without_the_word_is_near_by_its_meaning() {
    let index = index_of(&["bread", "ship", "lamp", "boat"]);
    let found = near(&index, "boat");
    assert_eq!(found.iter().map(|&(id, _)| id).collect::<Vec<_>>(), [4, 2]);
    assert!((found[0].1 - 1.0).abs() < 0.01 && (found[1].1 - 0.8).abs() < 0.02);
}

#[test]
fn a_word_outside_the_space_has_no_direction() {
    let index = index_of(&["boat"]);
    assert!(near(&index, "lamp").is_empty());
    let space = space();
    let ranking = search(&index, "boat", &options());
    let cosines =
        space.cosines(&index, &space.question_vector(&groups("lamp")), &ranking.candidates);
    assert_eq!(cosines, [0.0]);
}

#[test]
fn a_document_stored_or_changed_later_takes_part() {
    let mut index = index_of(&["bread"]);
    let space = space();
    let asked = space.question_vector(&groups("boat"));
    assert!(space.nearest(&index, &asked, 10).is_empty());
    put(&mut index, 2, &Texts::body("ship"));
    put(&mut index, 1, &Texts::body("boat"));
    let found: Vec<i64> = space.nearest(&index, &asked, 10).into_iter().map(|(id, _)| id).collect();
    assert_eq!(found, [1, 2]);
    index.delete(1);
    let found: Vec<i64> = space.nearest(&index, &asked, 10).into_iter().map(|(id, _)| id).collect();
    assert_eq!(found, [2]);
}

#[test]
fn one_space_serves_two_indexes_that_number_terms_differently() {
    let (one, other) = (index_of(&["boat", "bread"]), index_of(&["bread", "boat"]));
    let space = space();
    let asked = space.question_vector(&groups("boat"));
    for _ in 0..2 {
        assert_eq!(space.nearest(&one, &asked, 1)[0].0, 1);
        assert_eq!(space.nearest(&other, &asked, 1)[0].0, 2);
    }
}

#[test]
fn the_matrix_holds_the_counts_by_spelling() {
    let mut index = index_of(&["ship boat ship", "lamp", "boat"]);
    index.delete(2);
    let matrix = index.term_matrix(2);
    assert_eq!(matrix.terms, ["boat"]);
    assert_eq!((matrix.starts, matrix.columns, matrix.documents), (vec![0, 2], vec![0, 1], 2));
    let all = index.term_matrix(1);
    assert_eq!(all.terms, ["boat", "ship"]);
    assert_eq!(all.counts, [1.0, 1.0, 2.0]);
}

#[test]
fn parts_that_do_not_fit_are_refused() {
    assert!(VectorSpace::new(vec!["a".into()], vec![], vec![1.0], vec![1], 1).is_err());
    assert!(VectorSpace::new(vec!["a".into()], vec![1.0], vec![1.0], vec![1], 2).is_err());
    assert!(VectorSpace::new(vec!["a".into()], vec![1.0], vec![], vec![1], 1).is_err());
    assert!(VectorSpace::new(vec![], vec![], vec![], vec![], 0).is_err());
}
