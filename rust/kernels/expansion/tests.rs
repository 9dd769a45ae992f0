//! What stands for the words of a question, with a dictionary small enough to read.

use super::{
    Dictionary, ExpandedWord, ExpansionOptions, Origin, WORDS, add_domain_words, add_foreign_words,
    expand,
};
use crate::kernels::index::Index;
use crate::kernels::index::fixtures::{Texts, index_of, index_of_texts, options};
use crate::kernels::text::analysis::analyse_question;
use crate::kernels::text::language::LanguageEvidence;
use crate::kernels::text::stem::Language;

use Language::{English, Spanish};

/// Words of one language with their meanings: translations or synonyms, each with a weight.
type Meanings = &'static [(&'static str, &'static [(&'static str, f32)])];

#[derive(Default)]
struct Tiny {
    /// English words and their Spanish translations.
    to_spanish: Meanings,
    english_synonyms: Meanings,
    known: &'static [(&'static str, Language)],
    near: &'static [(&'static str, u8)],
}

impl LanguageEvidence for Tiny {
    fn knows(&self, word: &str, language: Language) -> bool {
        self.known.contains(&(word, language))
    }

    fn knows_lemma(&self, word: &str, language: Language) -> bool {
        self.knows(word, language)
    }
}

fn look_up(meanings: Meanings, word: &str) -> Vec<(String, f32)> {
    let found = meanings.iter().find(|(held, _)| *held == word);
    let words = found.map_or(&[][..], |(_, words)| words);
    words.iter().map(|&(text, weight)| (text.to_owned(), weight)).collect()
}

impl Dictionary for Tiny {
    fn translations(&self, word: &str, from: Language) -> Vec<(String, f32)> {
        if from == English { look_up(self.to_spanish, word) } else { Vec::new() }
    }

    fn synonyms(&self, word: &str, language: Language, _senses: usize) -> Vec<(String, f32)> {
        if language == English { look_up(self.english_synonyms, word) } else { Vec::new() }
    }

    fn near(&self, _word: &str, _language: Language, max_distance: u8) -> Vec<(String, u8)> {
        let near = self.near.iter().filter(|(_, distance)| *distance <= max_distance);
        near.map(|&(word, distance)| (word.to_owned(), distance)).collect()
    }
}

const ALL: ExpansionOptions = ExpansionOptions { meanings: true, spellings: true };

fn expanded_by(
    question: &str,
    index: &Index,
    dictionary: &Tiny,
    protected: &[&str],
) -> Vec<ExpandedWord> {
    let question = analyse_question(question, English, None);
    let protected: Vec<String> = protected.iter().map(|&word| word.to_owned()).collect();
    expand(&question, index, Some(dictionary), &protected, ALL)
}

fn expanded(question: &str, index: &Index, dictionary: &Tiny) -> Vec<ExpandedWord> {
    expanded_by(question, index, dictionary, &[])
}

/// Term, weight and origin of each alternative of a word.
fn alternatives(word: &ExpandedWord) -> Vec<(&str, f32, Origin)> {
    let held = word.group.alternatives.iter().zip(&word.origins);
    held.map(|(held, (origin, _))| (held.term.as_str(), held.weight, *origin)).collect()
}

fn terms_of(word: &ExpandedWord, origin: Origin) -> Vec<&str> {
    let held = alternatives(word).into_iter().filter(|held| held.2 == origin);
    held.map(|(term, _, _)| term).collect()
}

fn weight_of(word: &ExpandedWord, origin: Origin) -> f32 {
    alternatives(word).iter().filter(|held| held.2 == origin).map(|held| held.1).sum()
}

fn words(expanded: &[ExpandedWord]) -> Vec<&str> {
    expanded.iter().map(|held| held.word.as_str()).collect()
}

fn spanish_store(bodies: &[&str]) -> Index {
    let texts = bodies.iter().map(|body| Texts { spanish: true, ..Texts::body(body) });
    index_of_texts(&texts.collect::<Vec<_>>())
}

const BOAT: Meanings = &[(
    "boat",
    &[
        ("barco", 4.0),
        ("barca", 2.0),
        ("bote de remos", 2.0),
        ("velero", 1.0),
        ("lancha", 0.5),
        ("nave", 0.4),
        ("buque", 0.3),
    ],
)];

#[test]
fn a_word_stands_for_itself_in_the_stems_of_both_languages() {
    let index = index_of_texts(&[
        Texts::body("casas seen"),
        Texts { spanish: true, ..Texts::body("casas") },
    ]);
    let word = &expanded("casas", &index, &Tiny::default())[0];
    assert_eq!(alternatives(word), [("casa", 1.0, Origin::Literal), ("cas", 1.0, Origin::Literal)]);
    assert!(word.group.alternatives.iter().all(|held| held.literal));
}

#[test]
fn a_missing_accent_finds_the_accented_word_under_its_own_stem() {
    let index = spanish_store(&["comió pan", "barco"]);
    let word = &expanded("comio", &index, &Tiny::default())[0];
    assert_eq!(terms_of(word, Origin::Literal), ["com"]);
}

#[test]
fn a_word_that_the_store_does_not_hold_is_kept_to_count_against_all() {
    let word = &expanded("unheard", &index_of(&["boat"]), &Tiny::default())[0];
    assert_eq!(word.group.alternatives.len(), 1);
    assert_eq!(word.surface, "unheard");
}

#[test]
fn translations_share_the_mass_in_the_group_of_their_word() {
    let index = spanish_store(&["barco", "barca", "velero blanco"]);
    let words = expanded("boat", &index, &Tiny { to_spanish: BOAT, ..Tiny::default() });
    assert_eq!(words.len(), 1);
    assert_eq!(terms_of(&words[0], Origin::Translation), ["barc", "veler"]);
    // barco and barca have one stem: 6 of the 7 points that the store holds.
    let weights: Vec<f32> = alternatives(&words[0])[1..].iter().map(|held| held.1).collect();
    assert!((weights[0] - 6.0 / 7.0).abs() < 1e-6 && (weights[1] - 1.0 / 7.0).abs() < 1e-6);
    assert!(words[0].group.alternatives[1..].iter().all(|held| !held.literal));
}

#[test]
fn a_store_of_both_languages_halves_the_trust_in_translations() {
    let mut texts = vec![Texts { spanish: true, ..Texts::body("barco") }; 3];
    texts.extend(vec![Texts::body("garden"); 3]);
    let word =
        &expanded("boat", &index_of_texts(&texts), &Tiny { to_spanish: BOAT, ..Tiny::default() })
            [0];
    assert!((weight_of(word, Origin::Translation) - 0.4).abs() < 1e-6);
}

#[test]
fn a_store_of_the_questions_language_alone_asks_for_no_translation() {
    let index = index_of(&["barco", "garden"]);
    let word = &expanded("boat", &index, &Tiny { to_spanish: BOAT, ..Tiny::default() })[0];
    assert!(terms_of(word, Origin::Translation).is_empty());
}

#[test]
fn the_five_best_translations_that_the_store_holds_are_kept() {
    const MANY: Meanings = &[(
        "thing",
        &[
            ("uno", 1.0),
            ("aaa", 9.0),
            ("bbb", 8.0),
            ("ccc", 7.0),
            ("ddd", 6.0),
            ("eee", 5.0),
            ("fff", 4.0),
        ],
    )];
    let index = spanish_store(&["bbb ccc ddd", "eee fff ggg", "aab fff xxx", "hhh iii aaab"]);
    let word = &expanded("thing", &index, &Tiny { to_spanish: MANY, ..Tiny::default() })[0];
    assert_eq!(terms_of(word, Origin::Translation), ["bbb", "ccc", "ddd", "eee", "fff"]);
    assert!((weight_of(word, Origin::Translation) - 1.0).abs() < 1e-6);
}

#[test]
fn a_phrase_splits_its_weight_among_its_content_words() {
    const ROWING: Meanings = &[("dinghy", &[("bote de remos", 1.0), ("lancha", 0.5)])];
    let index = spanish_store(&["bote", "remos", "lancha"]);
    let word = &expanded("dinghy", &index, &Tiny { to_spanish: ROWING, ..Tiny::default() })[0];
    let weights: Vec<f32> = alternatives(word)[1..].iter().map(|held| held.1).collect();
    assert_eq!(weights.len(), 3);
    assert!(weights.iter().all(|weight| (weight - 1.0 / 3.0).abs() < 1e-6));
}

#[test]
fn a_rare_word_takes_synonyms_and_a_common_one_none() {
    const SYNONYMS: Meanings = &[("heron", &[("wader", 1.0), ("grey bird", 3.0), ("egret", 1.0)])];
    let dictionary = Tiny { english_synonyms: SYNONYMS, ..Tiny::default() };
    let store = |herons: usize| {
        let mut bodies = vec!["boat"; 1_000];
        bodies[..herons].fill("heron");
        bodies.push("wader egret bird");
        index_of(&bodies)
    };
    let mass = |herons: usize| {
        weight_of(&expanded("heron", &store(herons), &dictionary)[0], Origin::Synonym)
    };
    assert!((mass(0) - 0.5).abs() < 1e-6);
    assert!((mass(4) - 0.3).abs() < 1e-6);
    assert!(terms_of(&expanded("heron", &store(20), &dictionary)[0], Origin::Synonym).is_empty());
    // A synonym of two words says less than each of them: it is left out.
    let word = &expanded("heron", &store(0), &dictionary)[0];
    assert_eq!(terms_of(word, Origin::Synonym), ["egret", "wader"]);
}

#[test]
fn an_unknown_word_is_corrected_by_the_words_of_the_store() {
    let index = index_of(&["heron lake", "heron", "heroin", "boat"]);
    let word = &expanded("hreon", &index, &Tiny::default())[0];
    assert_eq!(terms_of(word, Origin::Typo), ["heron"]);
    assert!((weight_of(word, Origin::Typo) - 0.8).abs() < 1e-6);
    assert_eq!(word.origins[1], (Origin::Typo, "heron".to_owned()));
}

#[test]
fn the_likelier_correction_weighs_more() {
    let index = index_of(&["garden", "warden"]);
    let word = &expanded("gsrden", &index, &Tiny::default())[0];
    let held = alternatives(word);
    // A neighbouring key and the same first letter, one slip against two.
    assert_eq!([held[1].0, held[2].0], ["garden", "warden"]);
    assert!(held[1].1 > 5.0 * held[2].1);
    assert!((weight_of(word, Origin::Typo) - 0.8).abs() < 1e-6);
}

#[test]
fn words_that_store_or_dictionary_know_are_not_corrected() {
    let index = index_of(&["heron", "herons nest", "boat"]);
    let held = &expanded("heron", &index, &Tiny::default())[0];
    assert!(terms_of(held, Origin::Typo).is_empty());
    let known = Tiny { known: &[("hero", English)], ..Tiny::default() };
    assert!(terms_of(&expanded("hero", &index, &known)[0], Origin::Typo).is_empty());
    assert_eq!(terms_of(&expanded("hero", &index, &Tiny::default())[0], Origin::Typo), ["heron"]);
}

#[test]
fn a_word_with_a_translation_in_the_store_is_not_corrected() {
    let index = spanish_store(&["barco", "boata"]);
    let word = &expanded("boat", &index, &Tiny { to_spanish: BOAT, ..Tiny::default() })[0];
    assert!(terms_of(word, Origin::Typo).is_empty());
}

#[test]
fn a_term_that_comes_twice_keeps_the_larger_weight() {
    let mut texts = vec![Texts { spanish: true, ..Texts::body("barc vela") }; 3];
    texts.extend(vec![Texts::body("garden"); 3]);
    let dictionary =
        Tiny { to_spanish: &[("boat", &[("barc", 1.0), ("vela", 9.0)])], ..Tiny::default() };
    let both = Tiny { english_synonyms: &[("boat", &[("barc", 1.0)])], ..dictionary };
    let word = &expanded("boat", &index_of_texts(&texts), &both)[0];
    let barc = alternatives(word).into_iter().find(|held| held.0 == "barc");
    assert_eq!(barc, Some(("barc", 0.5, Origin::Synonym)));
}

#[test]
fn words_under_four_letters_are_not_corrected_and_under_six_by_one_slip_only() {
    let index = index_of(&["cats", "crane", "garden"]);
    let corrected = |word: &str| {
        !terms_of(&expanded(word, &index, &Tiny::default())[0], Origin::Typo).is_empty()
    };
    assert!(!corrected("cts"));
    assert!(corrected("crame"));
    assert!(!corrected("crume"));
    assert!(corrected("gurdan"));
}

#[test]
fn a_number_is_never_corrected_nor_a_correction() {
    let index = index_of(&["4417 boats", "v21a heron", "abcd1"]);
    for question in ["4418", "v22a", "abcd"] {
        let word = &expanded(question, &index, &Tiny::default())[0];
        assert!(terms_of(word, Origin::Typo).is_empty(), "{question}");
    }
}

#[test]
fn an_unknown_foreign_word_is_translated_by_the_dictionary_words_near_it() {
    const GARDENS: Meanings = &[("garden", &[("jardín", 1.0)]), ("warden", &[("guarda", 1.0)])];
    let dictionary =
        Tiny { to_spanish: GARDENS, near: &[("garden", 1), ("warden", 2)], ..Tiny::default() };
    let index = spanish_store(&["jardín", "guarda", "barco"]);
    let word = &expanded("gardden", &index, &dictionary)[0];
    let held: Vec<(f32, Origin)> =
        alternatives(word)[1..].iter().map(|&(_, weight, origin)| (weight, origin)).collect();
    assert_eq!(held, [(0.7, Origin::Translation), (0.25, Origin::Translation)]);
}

#[test]
fn protected_words_are_searched_as_they_are() {
    let index = spanish_store(&["barco", "boats"]);
    let dictionary = Tiny { to_spanish: BOAT, ..Tiny::default() };
    let word = &expanded_by("boat", &index, &dictionary, &["boat"])[0];
    assert_eq!(alternatives(word).iter().filter(|held| held.2 != Origin::Literal).count(), 0);
    // Even one that looks like a slip of the pen for a function word.
    let held = expanded_by("boat whihc", &index, &dictionary, &["whihc"]);
    assert_eq!(words(&held), ["boat", "whihc"]);
}

#[test]
fn a_slip_for_a_function_word_is_left_out_unless_it_is_all() {
    let index = index_of(&["boat", "garden"]);
    assert_eq!(words(&expanded("whihc boat", &index, &Tiny::default())), ["boat"]);
    assert_eq!(words(&expanded("whihc", &index, &Tiny::default())), ["whihc"]);
    let spanish = analyse_question("dodne está el barco", Spanish, None);
    let held = expand(&spanish, &spanish_store(&["barco"]), None, &[], ALL);
    assert_eq!(words(&held), ["barco"]);
}

#[test]
fn a_word_that_store_or_dictionary_knows_is_no_slip() {
    let with_word = index_of(&["boat", "theme"]);
    assert_eq!(words(&expanded("theme boat", &with_word, &Tiny::default())).len(), 2);
    let known = Tiny { known: &[("theme", English)], ..Tiny::default() };
    assert_eq!(words(&expanded("theme boat", &index_of(&["boat"]), &known)).len(), 2);
    assert_eq!(words(&expanded("theme boat", &index_of(&["boat"]), &Tiny::default())), ["boat"]);
}

#[test]
fn a_word_asked_twice_counts_double() {
    let held = expanded("heron boat Heron", &index_of(&["heron boat"]), &Tiny::default());
    assert_eq!(words(&held), ["heron", "boat"]);
    assert_eq!(held[0].group.boost.to_bits(), 2.0_f32.to_bits());
    assert_eq!(held[1].group.boost.to_bits(), 1.0_f32.to_bits());
}

#[test]
fn of_a_long_text_the_rarest_words_are_searched_in_their_order() {
    let common: Vec<String> = (0..60).map(|nth| format!("common{nth:02}")).collect();
    let text = common.join(" ");
    let index = index_of(&[&text, &text, "rare1", "rare2"]);
    let question = format!("unheard rare1 {text} rare2");
    let held = expanded(&question, &index, &Tiny::default());
    let kept = words(&held);
    assert_eq!(kept.len(), WORDS);
    assert_eq!(kept.first(), Some(&"rare1"));
    assert_eq!(kept.last(), Some(&"rare2"));
    // Equally rare words are kept from the front.
    assert_eq!(kept[1..WORDS - 1], common[..WORDS - 2]);
}

#[test]
fn words_that_begin_like_an_unknown_one_share_a_weight_by_how_common_they_are() {
    let index = index_of(&["heronry", "heronry", "heronsbill", "boat"]);
    let word = &expanded("her", &index, &Tiny::default());
    assert_eq!(words(word), ["her"]); // a stop word, and all that is asked
    let word = &expanded("hero boat", &index, &Tiny::default())[0];
    assert_eq!(
        alternatives(word)[1..],
        [("heronri", 1.0 / 3.0, Origin::Prefix), ("heronsbil", 0.5 / 3.0, Origin::Prefix)]
    );
}

#[test]
fn a_corrected_word_takes_no_words_that_begin_so() {
    let index = index_of(&["heron", "heronsbill"]);
    let word = &expanded("herom", &index, &Tiny::default())[0];
    assert!(terms_of(word, Origin::Prefix).is_empty());
    assert_eq!(terms_of(word, Origin::Typo), ["heron"]);
}

#[test]
fn what_is_switched_off_is_not_looked_for() {
    let index = spanish_store(&["barco", "heron"]);
    let question = analyse_question("boat hreon", English, None);
    let dictionary = Tiny { to_spanish: BOAT, ..Tiny::default() };
    let none = ExpansionOptions { meanings: false, spellings: false };
    let held = expand(&question, &index, Some(&dictionary), &[], none);
    let origins = held.iter().flat_map(|word| &word.origins).map(|(origin, _)| *origin);
    assert!(origins.into_iter().all(|origin| origin == Origin::Literal));
}

#[test]
fn every_alternative_is_in_the_store_and_weighs_less_than_the_word() {
    let index = spanish_store(&["barco velero", "heron", "lancha buque nave"]);
    let dictionary = Tiny { to_spanish: BOAT, ..Tiny::default() };
    let held = expanded("boat heron hreon", &index, &dictionary);
    let groups: Vec<_> = held.iter().map(|word| word.group.clone()).collect();
    for other in groups.iter().flat_map(|group| &group.alternatives).filter(|held| !held.literal) {
        assert!(index.document_frequency(&other.term) > 0);
        assert!(other.weight < 1.0);
    }
    assert!(index.search(&groups, &options()).is_ok());
}

#[test]
fn foreign_words_pool_their_weight_whatever_phrase_they_come_in() {
    let store = index_of(&["chien du voisin", "maison au sud"]);
    let mut held = expanded("dog", &store, &Tiny::default());
    let said = [("chien", 1.0), ("maison", 0.5), ("chien domestique", 2.0)];
    let found = vec![said.map(|(text, weight)| (text.to_owned(), weight)).to_vec()];

    add_foreign_words(&mut held, &store, &found);

    assert_eq!(terms_of(&held[0], Origin::Translation), ["chien", "maison"]);
    let weights: Vec<f32> = held[0].group.alternatives.iter().map(|held| held.weight).collect();
    let (chien, maison) = (weights[weights.len() - 2], weights[weights.len() - 1]);
    assert!((chien / maison - 4.0).abs() < 1e-5, "{chien} against {maison}");
    assert!((chien + maison - 0.4).abs() < 1e-5);
}

#[test]
fn domain_words_stand_in_the_words_own_group_and_never_above_it() {
    let store = index_of(&["boiler valve", "valve gasket"]);
    let mut held = expanded("valve", &store, &Tiny::default());
    let term = |text| {
        let word = &expanded(text, &store, &Tiny::default())[0];
        terms_of(word, Origin::Literal)[0].to_owned()
    };
    let found = [(term("gasket"), 0.2), (term("valve"), 0.3), ("forgotten".to_owned(), 0.4)];

    add_domain_words(&mut held, &store, &[found.to_vec()]);

    assert_eq!(held.len(), 1);
    assert_eq!(terms_of(&held[0], Origin::Domain), [term("gasket")]);
    let literal = held[0].group.alternatives.iter().find(|held| held.literal);
    assert_eq!(literal.map(|held| held.weight), Some(1.0));
}

#[test]
fn a_word_without_a_translation_finds_its_cognate_in_a_store_of_the_other_language() {
    let spanish = |text: &str| Texts { spanish: true, ..Texts::body(text) };
    let index = index_of_texts(&[spanish("fotografia del lago"), spanish("fotosintesis y luz")]);
    let words = expanded("photography", &index, &Tiny::default());
    let found: Vec<&(Origin, String)> =
        words[0].origins.iter().filter(|(origin, _)| *origin == Origin::Cognate).collect();
    assert_eq!(found, [&(Origin::Cognate, "fotografia".to_owned())]);
    // With a translation, or where the store speaks the question's language, none is looked for.
    let tiny = Tiny { to_spanish: &[("photography", &[("lago", 1.0)])], ..Tiny::default() };
    let of_both = index_of_texts(&[spanish("fotografia del lago"), Texts::body("boat")]);
    for (index, tiny) in [(&index, &tiny), (&of_both, &Tiny::default())] {
        let words = expanded("photography", index, tiny);
        assert!(words[0].origins.iter().all(|(origin, _)| *origin != Origin::Cognate));
    }
}
