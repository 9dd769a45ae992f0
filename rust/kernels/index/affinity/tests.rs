//! Each rule on a store made for it.

use super::*;
use crate::kernels::index::fixtures::{Texts, index_of, index_of_texts};

fn links(index: &Index, id: i64) -> Vec<(i64, &'static str, f32)> {
    let own = index.own_words(id).expect("it is stored");
    let found = index.affinities(&own);
    found.into_iter().map(|link| (link.other, link.rule.name(), link.weight)).collect()
}

#[test]
fn texts_that_share_enough_words_co_occur() {
    let index = index_of(&["boiler valve wall", "boiler valve roof", "boiler lamp roof garden"]);
    assert_eq!(links(&index, 1), [(2, "co_ocurrencia", 0.5)]);
}

#[test]
fn a_label_that_is_another_name_links_explicitly() {
    let index = index_of_texts(&[
        Texts::body("red").with(Field::Name, "boiler valve"),
        Texts::body("green").with(Field::Name, "lamp").with(Field::Synonyms, "boiler valve"),
        Texts::body("blue").with(Field::Name, "roof").with(Field::KeyNouns, "boiler"),
    ]);
    assert_eq!(links(&index, 2)[0], (1, "sinonimo_explicito", 0.8));
    assert_eq!(links(&index, 1)[0], (2, "sinonimo_explicito", 0.8));
    // A part of a name is no name.
    assert!(links(&index, 3).iter().all(|link| link.1 != "sinonimo_explicito"));
}

#[test]
fn names_and_synonyms_link_by_what_they_share() {
    let index = index_of_texts(&[
        Texts::body("red").with(Field::Name, "cellar key").with(Field::Synonyms, "old key\nlatch"),
        Texts::body("blue").with(Field::Name, "cellar door").with(Field::Synonyms, "latch"),
    ]);
    let found = links(&index, 1);
    assert!(found.contains(&(2, "co_semantica", 0.5)));
    assert!(found.contains(&(2, "co_nombre", 0.4)));
}

#[test]
fn words_that_go_together_all_over_the_store_link_texts_that_share_little() {
    let mut bodies = vec!["sail mast keel harbour", "port crew deck harbour"];
    let together = "sail mast keel port crew deck";
    bodies.extend([together; 3]);
    let fillers: Vec<String> = (0..40).map(|n| format!("filler{n} page{n}")).collect();
    bodies.extend(fillers.iter().map(String::as_str));
    let index = index_of(&bodies);
    let found = links(&index, 1);
    assert!(found.iter().any(|link| (link.0, link.1) == (2, "pmi_hebbiano")), "{found:?}");
    assert!((index.npmi(1, 2) - 0.788).abs() < 0.001); // ln(45 · 3 / 4²) / ln(45 / 3)
    assert!(index.npmi(1, 10).abs() < 1e-9);
}

#[test]
fn a_memory_is_linked_alike_before_and_after_it_is_stored() {
    let texts = [
        Texts::body("boiler valve wall").with(Field::Name, "one"),
        Texts::body("boiler valve roof").with(Field::Name, "two"),
    ];
    let whole = index_of_texts(&texts);
    let before = index_of_texts(&texts[..1]);
    let fields = [vec![vec!["two"]], vec![], vec![], vec![], vec![vec!["boiler", "valv", "roof"]]];
    assert_eq!(
        before.affinities(&before.own_words_of(fields)),
        whole.affinities(&whole.own_words(2).expect("it is stored"))
    );
}

#[test]
fn links_are_bounded() {
    let bodies: Vec<String> = (0..60).map(|n| format!("boiler valve wall {n}x")).collect();
    let index = index_of(&bodies.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(links(&index, 1).len(), Rule::CoOccurrence.cap());
}
