//! Which words can be verbs, in what form, and their base forms.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use crate::kernels::text::irregular::{english_base, spanish_infinitives};
use crate::kernels::text::stem::Language;

/// A dictionary that knows which lemmas are verbs and which are nouns.
pub trait PartsOfSpeech {
    /// Whether the language has a verb that is spelt like this, accents aside.
    fn is_verb(&self, lemma: &str, language: Language) -> bool;
    /// Whether the language has a noun that is spelt like this, accents aside.
    fn is_noun(&self, lemma: &str, language: Language) -> bool;
    /// Whether the first meaning of a lemma is a verb's.
    fn is_verb_first(&self, lemma: &str, language: Language) -> bool;
}

/// The form of a verb.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Hardly anything but a finite verb: `broke`, `cerraron`.
    Finite,
    /// A finite verb unless it is a noun: `leaks`, `copia`.
    Maybe,
    /// `walk`, `cerrar`.
    Base,
    /// `walked`: past, or participle.
    Ed,
    /// `broken`, `cerrado`.
    Participle,
    /// `walking`, `cerrando`.
    Gerund,
    /// `will`, `must`: only stands before a verb.
    Modal,
}

/// A word read as a verb.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verb {
    /// Its base form: without `to`, or the infinitive; accents folded.
    pub base: String,
    /// Its form.
    pub form: Form,
    /// It may as well be a noun.
    pub noun: bool,
    /// `be`, `have`, `do`, a modal; `ser`, `estar`, `haber`: no noun is spelt like it.
    pub auxiliary: bool,
}

/// Reads verbs, and remembers what it read: texts share most of their words.
pub struct Verbs<'a> {
    book: Option<&'a dyn PartsOfSpeech>,
    read: RefCell<[FxHashMap<Box<str>, Option<Verb>>; 2]>,
}

const ENGLISH_AUXILIARIES: &[(&str, &str)] = &[
    ("be", "am is are was were 's 're 'm isn't aren't wasn't weren't"),
    ("have", "has have had hasn't haven't hadn't"),
    ("do", "do does did don't doesn't didn't"),
    (
        "",
        "will would can could shall should may might must won't wouldn't can't cannot couldn't \
         shouldn't mustn't",
    ),
];

const SPANISH_AUXILIARIES: &[(&str, &str)] = &[
    ("ser", "es son soy eres somos era eran fue fueron sera seran seria serian"),
    ("estar", "está están estoy estamos estaba estaban estuvo estuvieron estará estarán"),
    ("haber", "ha han he hemos hay habia habian hubo habra habran"),
];

/// Beside the irregular forms that the analysis knows: those that are as often another word.
const ENGLISH_FORMS: &[(&str, &str, Form)] = &[
    ("leave", "left", Form::Finite),
    ("lead", "led", Form::Finite),
    ("do", "done", Form::Participle),
    ("be", "been", Form::Participle),
    ("be", "being", Form::Gerund),
    ("bite", "bit", Form::Finite),
    ("bind", "bound", Form::Ed),
    ("lie", "lay", Form::Maybe),
    ("lay", "laid", Form::Ed),
    ("light", "lit", Form::Ed),
];

/// Past and participle are spelt like the base.
const UNCHANGED: &str =
    " put set cut hit let cost hurt shut read spread quit split cast burst bet shed thrust ";

const PARTICIPLES: &str = " arisen awoken beaten begun bitten blown broken chosen drawn drunk driven \
    eaten fallen flown forbidden forgotten forgiven frozen gotten given gone grown hidden known \
    mistaken proven ridden risen seen shaken shown shrunk sung sunk spoken stolen stricken sworn \
    swum taken torn thrown undergone undertaken woken worn withdrawn written rewritten ";

const SPANISH_PARTICIPLES: &[(&str, &str)] = &[
    ("abrir", "abierto"),
    ("escribir", "escrito"),
    ("romper", "roto"),
    ("hacer", "hecho"),
    ("decir", "dicho"),
    ("poner", "puesto"),
    ("ver", "visto"),
    ("volver", "vuelto"),
    ("morir", "muerto"),
    ("cubrir", "cubierto"),
    ("descubrir", "descubierto"),
    ("resolver", "resuelto"),
    ("devolver", "devuelto"),
    ("imprimir", "impreso"),
    ("componer", "compuesto"),
    ("exponer", "expuesto"),
];

/// Where a form belongs to several verbs, the one of these is meant.
const COMMON: &str = " ser estar haber tener hacer poder decir ir ver dar saber querer llegar pasar \
    deber poner parecer quedar creer hablar llevar dejar seguir encontrar llamar venir pensar salir \
    volver tomar conocer vivir sentir tratar mirar contar empezar esperar buscar existir entrar \
    trabajar escribir perder producir ocurrir entender pedir recibir recordar terminar permitir \
    aparecer conseguir comenzar servir sacar necesitar mantener resultar leer caer cambiar presentar \
    crear abrir considerar oir acabar convertir ganar formar traer partir morir aceptar realizar \
    suponer comprender lograr explicar guardar usar cerrar correr mover subir bajar vender comprar \
    romper reparar instalar contener incluir colgar medir pintar ";

impl<'a> Verbs<'a> {
    /// Reads with a dictionary, or by endings and closed lists alone.
    #[must_use]
    pub fn new(book: Option<&'a dyn PartsOfSpeech>) -> Self {
        Self { book, read: RefCell::default() }
    }

    /// The word as a verb, if it can be one; case folded, accents on.
    #[must_use]
    pub fn read(&self, spelt: &str, key: &str, language: Language) -> Option<Verb> {
        let place = language as usize;
        if let Some(known) = self.read.borrow()[place].get(spelt) {
            return known.clone();
        }
        let found = match language {
            Language::English => self.english(key),
            Language::Spanish => self.spanish(spelt, key),
        };
        self.read.borrow_mut()[place].insert(spelt.into(), found.clone());
        found
    }

    fn is_verb(&self, lemma: &str, language: Language) -> bool {
        self.book.is_some_and(|book| book.is_verb(lemma, language))
    }

    fn is_noun(&self, word: &str, language: Language) -> bool {
        self.book.is_some_and(|book| book.is_noun(word, language))
    }

    fn english(&self, word: &str) -> Option<Verb> {
        let verb = |base: &str, form: Form, noun: bool| {
            Some(Verb { base: base.to_owned(), form, noun, auxiliary: false })
        };
        for &(base, forms) in ENGLISH_AUXILIARIES {
            if forms.split_whitespace().any(|form| form == word) {
                let form = if base.is_empty() { Form::Modal } else { Form::Finite };
                return Some(Verb { base: base.to_owned(), form, noun: false, auxiliary: true });
            }
        }
        if let Some(&(base, _, form)) = ENGLISH_FORMS.iter().find(|(_, held, _)| *held == word) {
            return verb(base, form, false);
        }
        if listed(PARTICIPLES, word) {
            return verb(english_base(word)?, Form::Participle, false);
        }
        if let Some(base) = english_base(word) {
            let of_verb = self.book.is_none_or(|book| book.is_verb_first(base, Language::English));
            return if of_verb { verb(base, Form::Finite, false) } else { None };
        }
        if listed(UNCHANGED, word) {
            return verb(word, Form::Maybe, false);
        }
        let is_verb = |base: &str| self.is_verb(base, Language::English);
        for (ending, form) in [("ing", Form::Gerund), ("ed", Form::Ed), ("s", Form::Maybe)] {
            let Some(stem) = word.strip_suffix(ending).filter(|stem| stem.len() > 1) else {
                continue;
            };
            if form == Form::Maybe && stem.ends_with('s') {
                continue;
            }
            if let Some(base) = english_stems(stem, form).into_iter().find(|base| is_verb(base)) {
                let noun = form == Form::Maybe && self.is_noun(&base, Language::English);
                return verb(&base, form, noun);
            }
        }
        if !is_verb(word) {
            return None;
        }
        let first = self.book.is_some_and(|book| book.is_verb_first(word, Language::English));
        verb(word, Form::Base, !first)
    }

    fn spanish(&self, spelt: &str, key: &str) -> Option<Verb> {
        for &(base, forms) in SPANISH_AUXILIARIES {
            if forms.split(' ').any(|form| form == spelt || (form == key && form != "esta")) {
                let form = Form::Finite;
                return Some(Verb { base: base.to_owned(), form, noun: false, auxiliary: true });
            }
        }
        let is_verb = |base: &str| self.is_verb(base, Language::Spanish);
        let verb = |base: String, form: Form, noun: bool| {
            Some(Verb { base, form, noun, auxiliary: false })
        };
        let bare = without_clitics(key);
        if bare.ends_with(['r']) && bare.len() > 3 && is_verb(bare) {
            return verb(bare.to_owned(), Form::Base, self.is_noun(key, Language::Spanish));
        }
        if key == "ir" || key == "ser" || key == "ver" || key == "dar" {
            return verb(key.to_owned(), Form::Base, false);
        }
        let singular = key.trim_end_matches('s');
        let neutral = singular.strip_suffix('a').map(|stem| format!("{stem}o"));
        let neutral = neutral.as_deref().unwrap_or(singular);
        if let Some(&(base, _)) = SPANISH_PARTICIPLES.iter().find(|(_, held)| *held == neutral) {
            return verb(base.to_owned(), Form::Participle, true);
        }
        for (ending, infinitives) in [("ado", &["ar"][..]), ("ido", &["er", "ir"])] {
            let Some(stem) = neutral.strip_suffix(ending).filter(|stem| stem.len() > 1) else {
                continue;
            };
            let whole = infinitives.iter().map(|ending| format!("{stem}{ending}"));
            if let Some(base) = whole.into_iter().find(|base| is_verb(base)) {
                return verb(base, Form::Participle, true);
            }
        }
        let gerund = bare.ends_with("ando") || bare.ends_with("iendo") || bare.ends_with("yendo");
        let read = if gerund { bare } else { spelt };
        let best = spanish_infinitives(read)
            .into_iter()
            .enumerate()
            .filter(|(_, held)| {
                held.text.len() > 1 && (listed(COMMON, &held.text) || is_verb(&held.text))
            })
            .max_by_key(|(nth, held)| {
                (
                    themed(key, &held.text) + 3 * i32::from(listed(COMMON, &held.text)),
                    usize::MAX - nth,
                )
            });
        let Some((_, found)) = best else { return self.short(spelt, key) };
        let form = match (gerund, found.surely) {
            (true, _) => Form::Gerund,
            (false, true) => Form::Finite,
            (false, false) => Form::Maybe,
        };
        let noun = form == Form::Maybe && self.is_noun(key, Language::Spanish);
        verb(found.text, form, noun)
    }
}

/// Endings of the commonest forms, for stems of two letters, which the analysis does not take apart.
const SHORT_ENDINGS: [(&str, bool); 14] = [
    ("aron", true),
    ("ando", true),
    ("aban", true),
    ("amos", true),
    ("aba", true),
    ("ieron", true),
    ("io", true),
    ("an", false),
    ("en", false),
    ("as", false),
    ("es", false),
    ("a", false),
    ("e", false),
    ("o", false),
];

impl Verbs<'_> {
    /// `usa`, `ama`, `une`.
    fn short(&self, spelt: &str, key: &str) -> Option<Verb> {
        let (stem, surely) = SHORT_ENDINGS.into_iter().find_map(|(ending, surely)| {
            key.strip_suffix(ending).filter(|stem| stem.len() == 2).map(|stem| (stem, surely))
        })?;
        let base = ["ar", "er", "ir"]
            .map(|ending| format!("{stem}{ending}"))
            .into_iter()
            .find(|base| self.is_verb(base, Language::Spanish))?;
        let surely = surely || spelt.ends_with(['ó', 'é']);
        let form = match (key.ends_with("ando"), surely) {
            (true, _) => Form::Gerund,
            (false, true) => Form::Finite,
            (false, false) => Form::Maybe,
        };
        let noun = form == Form::Maybe && self.is_noun(key, Language::Spanish);
        Some(Verb { base, form, noun, auxiliary: false })
    }
}

fn listed(list: &str, word: &str) -> bool {
    list.match_indices(word).any(|(at, _)| {
        let bytes = list.as_bytes();
        bytes.get(at.wrapping_sub(1)) == Some(&b' ') && bytes.get(at + word.len()) == Some(&b' ')
    })
}

/// What `-ing`, `-ed` and `-s` may have been put to.
fn english_stems(stem: &str, form: Form) -> Vec<String> {
    let mut stems = Vec::with_capacity(4);
    let bytes = stem.as_bytes();
    let doubled = bytes.len() > 3 && bytes[bytes.len() - 1] == bytes[bytes.len() - 2];
    if form == Form::Maybe {
        stems.push(stem.to_owned());
        if let Some(rest) = stem.strip_suffix("ie") {
            stems.push(format!("{rest}y"));
        }
        if let Some(rest) = stem.strip_suffix('e') {
            stems.push(rest.to_owned());
        }
        return stems;
    }
    if let Some(rest) = stem.strip_suffix('i') {
        stems.push(format!("{rest}y"));
    }
    if doubled {
        stems.push(stem[..stem.len() - 1].to_owned());
    }
    stems.push(format!("{stem}e"));
    stems.push(stem.to_owned());
    // `moved` is of `move`, `opened` of `open`: where both are verbs the longer one is meant,
    // unless the stem ends in a way that no silent e follows.
    if stem.ends_with(['n', 'r', 'l', 't', 'w', 'x', 'y', 'k']) {
        let last = stems.len() - 1;
        stems.swap(last - 1, last);
    }
    stems
}

/// An infinitive or gerund without the pronouns written at its end: `cerrarlo`, `abriéndose`.
fn without_clitics(key: &str) -> &str {
    let mut bare = key;
    for _ in 0..2 {
        for clitic in ["se", "lo", "la", "los", "las", "le", "les", "me", "te", "nos"] {
            let Some(rest) = bare.strip_suffix(clitic) else { continue };
            if rest.len() > 3 && (rest.ends_with('r') || rest.ends_with("ndo")) {
                bare = rest;
                break;
            }
        }
    }
    bare
}

/// How well the vowel of an ending goes with that of an infinitive.
fn themed(key: &str, infinitive: &str) -> i32 {
    let of_ar = infinitive.ends_with("ar");
    let ending = key.trim_end_matches(['s', 'n']);
    match ending.as_bytes().last() {
        Some(b'a') => 2 * i32::from(of_ar),
        Some(b'e') => 2 * i32::from(!of_ar),
        _ => 0,
    }
}
