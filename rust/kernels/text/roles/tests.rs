//! Plain sentences of both languages, with a dictionary of the words in them.

use super::*;

struct Words;

const VERBS: &[&str] = &[
    "hang", "turn", "buy", "water", "live", "write", "keep", "replace", "move", "open", "work",
    "colgar", "comprar", "regar", "vivir", "escribir", "abrir", "cambiar", "guardar", "trabajar",
    "llegar", "cerrar",
];
const NOUNS: &[&str] = &["water", "work", "llave", "casa", "cambio"];

impl PartsOfSpeech for Words {
    fn is_verb(&self, base: &str, _: Language) -> bool {
        VERBS.contains(&base)
    }

    fn is_noun(&self, base: &str, _: Language) -> bool {
        NOUNS.contains(&base)
    }
}

fn first(text: &str, language: Language) -> [String; 4] {
    let found = statements(text, language, &Words).into_iter().next().unwrap_or_default();
    [found.subject, found.action, found.object, found.context]
}

#[test]
fn plain_english_clauses_give_their_roles() {
    let cases: &[(&str, [&str; 4])] = &[
        ("The cellar key hangs under the pot.", ["cellar key", "hang", "", "under the pot"]),
        ("Ana bought a red bicycle in Madrid.", ["Ana", "buy", "red bicycle", "in Madrid"]),
        ("She waters the garden every Tuesday.", ["She", "water", "garden", "every Tuesday"]),
        ("The valve was replaced by the plumber.", ["valve", "replace", "", "by the plumber"]),
        ("The boiler is old.", ["boiler", "be", "old", ""]),
        ("My sister has lived in Oslo since 2019.", ["sister", "live", "", "in Oslo since 2019"]),
        ("The team will not move the database.", ["team", "move", "database", ""]),
        ("They have two cats.", ["They", "have", "two cats", ""]),
    ];
    for (text, expected) in cases {
        assert_eq!(first(text, Language::English), expected.map(str::to_owned), "{text}");
    }
}

#[test]
fn plain_spanish_clauses_give_their_roles() {
    let cases: &[(&str, [&str; 4])] = &[
        (
            "Ana compró una bicicleta roja en Madrid.",
            ["Ana", "comprar", "bicicleta roja", "en Madrid"],
        ),
        ("La válvula está en la pared norte.", ["válvula", "estar", "", "en la pared norte"]),
        ("El equipo ha cambiado la base de datos.", ["equipo", "cambiar", "base de datos", ""]),
        (
            "Los vecinos regaron el huerto por la noche.",
            ["vecinos", "regar", "huerto", "por la noche"],
        ),
        ("La casa es roja.", ["casa", "ser", "roja", ""]),
        ("Mi hermana vive en Oslo desde 2019.", ["hermana", "vivir", "", "en Oslo desde 2019"]),
        ("El fontanero no llegó hasta el lunes.", ["fontanero", "llegar", "", "hasta el lunes"]),
        ("Guardamos las copias en el disco.", ["", "guardar", "copias", "en el disco"]),
    ];
    for (text, expected) in cases {
        assert_eq!(first(text, Language::Spanish), expected.map(str::to_owned), "{text}");
    }
}

#[test]
fn questions_and_fragments_state_nothing() {
    for text in ["Who bought the bicycle?", "A red bicycle.", "", "Monday, Tuesday and Friday."] {
        assert_eq!(statements(text, Language::English, &Words), [], "{text}");
    }
}

#[test]
fn statements_are_bounded() {
    let text = "Ana bought bread. ".repeat(40);
    assert_eq!(statements(&text, Language::English, &Words).len(), SENTENCES);
}

#[test]
fn a_point_within_a_number_ends_no_sentence() {
    let found = first("Ana bought version 2.3 in Madrid.", Language::English);
    assert_eq!(found[2], "version 2.3");
}
