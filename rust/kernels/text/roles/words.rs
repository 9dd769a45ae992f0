//! Closed classes of words: what a word can be to a statement, whatever it means.

use rustc_hash::FxHashMap;
use std::sync::LazyLock;

use crate::kernels::text::stem::Language;

/// What a word is to the statement that it stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// A word of an open class: a noun, an adjective, a verb.
    Content,
    /// Opens a noun phrase: `the`, `su`.
    Determiner,
    /// A number, in digits or letters.
    Number,
    /// Opens a phrase of circumstance: `in`, `con`.
    Preposition,
    /// Joins two nouns into one phrase: `of`, `de`.
    Of,
    /// `and`, `pero`.
    Conjunction,
    /// `that`, `which`, `que`.
    Relative,
    /// Opens a clause of its own: `because`, `cuando`.
    Subordinate,
    /// Can only be a subject: `they`, `ellos`.
    Pronoun,
    /// Stands before a Spanish verb: `se`, `lo`.
    Clitic,
    /// `not`, `nunca`.
    Negation,
    /// Says nothing that is kept: `already`, `también`.
    Filler,
    /// How or where: `here`, `despacio`, and what ends in `-ly` or `-mente`.
    Manner,
    /// A point in time: `yesterday`, `martes`.
    Moment,
    /// `last`, `next`, `hace`.
    Pointing,
    /// `week`, `noche`.
    Period,
}

const ENGLISH: &[(Class, &str)] = &[
    (
        Class::Determiner,
        "the a an this these those my your his her its our their some any each every no all both \
         another other several many few most more much",
    ),
    (
        Class::Preposition,
        "in on at to from with without by for about into onto over under after before during \
         between among through against within across behind near since until till inside outside \
         above below beside toward towards via per upon around along despite like as than",
    ),
    (Class::Of, "of"),
    (Class::Conjunction, "and or but nor so yet"),
    (Class::Relative, "that which who whom whose where"),
    (Class::Subordinate, "when because although though if while unless whereas once whenever"),
    (Class::Pronoun, "i you he she it we they there everyone everybody someone nobody"),
    (Class::Clitic, "me him us them"),
    (Class::Negation, "not never n't cannot"),
    (
        Class::Filler,
        "also already still just even only however then therefore always often sometimes usually \
         again ever too very quite rather soon thus hence instead meanwhile please first finally \
         additionally",
    ),
    (Class::Manner, "here together everywhere abroad home fast well online"),
    (
        Class::Moment,
        "yesterday tomorrow tonight today ago january february march april june july august \
         september october november december monday tuesday wednesday thursday friday saturday \
         sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays now twice daily \
         weekly nightly monthly yearly",
    ),
    (Class::Pointing, "last next past previous"),
    (
        Class::Period,
        "day days week weeks weekend weekends month months year years decade decades century \
         summer winter spring autumn night nights morning mornings evening evenings afternoon \
         minute minutes hour hours second seconds time times",
    ),
    (
        Class::Number,
        "one two three four five six seven eight nine ten eleven twelve twenty thirty \
         forty fifty hundred thousand million dozen",
    ),
];

const SPANISH: &[(Class, &str)] = &[
    (
        Class::Determiner,
        "el la los las un una unos unas este esta estos estas ese esa esos esas aquel aquella \
         aquellos aquellas mi mis tu tus su sus nuestro nuestra nuestros nuestras cada todo toda \
         todos todas algun algunos alguna algunas ningun ninguna otro otra otros otras varios \
         varias muchos muchas pocos pocas ambos ambas cualquier",
    ),
    (
        Class::Preposition,
        "a al en con sin por para sobre entre hasta desde ante bajo contra durante hacia segun tras \
         mediante dentro despues antes detras debajo encima junto cerca lejos como excepto fuera",
    ),
    (Class::Of, "de del"),
    (Class::Conjunction, "y e o u pero sino ni"),
    (Class::Relative, "que quien quienes cual cuales donde cuyo cuya"),
    (Class::Subordinate, "cuando porque aunque si mientras pues"),
    (Class::Pronoun, "yo ella nosotros nosotras ellos ellas usted ustedes alguien nadie"),
    (Class::Clitic, "se lo le les me te nos"),
    (Class::Negation, "no nunca jamas tampoco"),
    (
        Class::Filler,
        "tambien ya aun todavia solo siempre casi muy mas menos bien asi luego entonces ademas \
         incluso tan tanto sin_embargo apenas quizas primero finalmente",
    ),
    (Class::Manner, "aqui alli ahi alla despacio rapido juntos arriba abajo"),
    (
        Class::Moment,
        "ayer hoy mañana anteayer anoche enero febrero marzo abril mayo junio julio agosto \
         septiembre octubre noviembre diciembre lunes martes miercoles jueves viernes sabado \
         domingo sabados domingos ahora",
    ),
    (Class::Pointing, "pasado pasada pasados pasadas proximo proxima hace"),
    (
        Class::Period,
        "dia dias semana semanas mes meses año años decada decadas siglo verano invierno primavera \
         otoño noche noches tarde tardes minuto minutos hora horas segundo segundos vez veces",
    ),
    (
        Class::Number,
        "uno dos tres cuatro cinco seis siete ocho nueve diez once doce veinte treinta cuarenta \
         cincuenta cien ciento mil millon millones docena",
    ),
];

type Classes = FxHashMap<&'static str, Class>;

fn classes(lists: &'static [(Class, &'static str)]) -> Classes {
    let of_list = |&(class, words): &(Class, &'static str)| {
        words.split_whitespace().map(move |word| (word, class))
    };
    // Of a word in two lists the first counts.
    let mut found = Classes::default();
    for (word, class) in lists.iter().flat_map(of_list) {
        found.entry(word).or_insert(class);
    }
    found
}

static ENGLISH_CLASSES: LazyLock<Classes> = LazyLock::new(|| classes(ENGLISH));
static SPANISH_CLASSES: LazyLock<Classes> = LazyLock::new(|| classes(SPANISH));

/// The class of a word by itself; `spelt` has its accents, `key` has not, both case folded.
#[must_use]
pub fn class_of(spelt: &str, key: &str, language: Language) -> Class {
    if key.starts_with(|letter: char| letter.is_ascii_digit()) {
        return Class::Number;
    }
    match (language, spelt) {
        (Language::Spanish, "él" | "tú" | "éste" | "ésta") => return Class::Pronoun,
        // An accent makes another word of these: `está`, `sé`, `té`, `mí`.
        (Language::Spanish, _) if spelt != key && is_told_apart(key) => return Class::Content,
        _ => {}
    }
    let listed = match language {
        Language::English => ENGLISH_CLASSES.get(key),
        Language::Spanish => SPANISH_CLASSES.get(key),
    };
    if let Some(&class) = listed {
        return class;
    }
    match language {
        Language::English if key.len() > 4 && key.ends_with("ly") => Class::Manner,
        Language::Spanish if key.len() > 7 && key.ends_with("mente") => Class::Manner,
        _ => Class::Content,
    }
}

fn is_told_apart(key: &str) -> bool {
    matches!(key, "esta" | "estas" | "este" | "se" | "te" | "mi" | "de" | "el" | "tu")
}
