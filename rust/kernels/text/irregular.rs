//! Forms that a stemmer cannot bring together: `bought` and `buy`, `children` and `child`, `murió`
//! and `morir`.
//!
//! English irregular forms are few and rarely mean anything else, so they are indexed under their
//! base. Spanish ones are many and often nouns too (`cuenta` is an account before it is a form of
//! `contar`), so their infinitives are only offered to the lexicon, as further lemmas of a word.

use rustc_hash::FxHashMap;
use std::sync::LazyLock;

use super::fold::fold_accents;

/// The base, then its irregular forms. Left out: forms that are as often another word (`left`,
/// `bit`, `led`, `ground`, `wound`, `lives`).
const ENGLISH: &str = "\
arise arose arisen|awake awoke awoken|beat beaten|become became|begin began begun|bend bent|\
bite bitten|blow blew blown|break broke broken|bring brought|build built|buy bought|catch caught|\
choose chose chosen|cling clung|come came|creep crept|deal dealt|dig dug|draw drew drawn|\
drink drank|drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|\
find found|flee fled|fly flew flown|forbid forbade forbidden|forget forgot forgotten|\
forgive forgave forgiven|freeze froze frozen|get got gotten|give gave given|go went gone|\
grow grew grown|hang hung|hear heard|hide hid hidden|hold held|keep kept|know knew known|\
lend lent|lose lost|make made|mean meant|meet met|mistake mistook mistaken|overcome overcame|\
pay paid|prove proven|ride rode ridden|ring rang|rise risen|run ran|say said|see saw seen|\
seek sought|sell sold|send sent|shake shook shaken|shine shone|show shown|shrink shrank shrunk|\
sing sang sung|sink sank sunk|sit sat|sleep slept|speak spoke spoken|spend spent|spin spun|\
stand stood|steal stole stolen|stick stuck|sting stung|strike struck stricken|swear swore sworn|\
sweep swept|swim swam swum|swing swung|take took taken|teach taught|tear tore torn|tell told|\
think thought thoughts|throw threw thrown|undergo underwent undergone|\
understand understood|undertake undertook undertaken|wake woke woken|wear wore worn|weep wept|\
win won|withdraw withdrew withdrawn|write wrote written|rewrite rewrote rewritten|\
child children|man men|woman women|foot feet|tooth teeth|mouse mice|goose geese|wife wives|\
knife knives|half halves|shelf shelves|wolf wolves|thief thieves|loaf loaves|\
criterion criteria|phenomenon phenomena|index indices|matrix matrices|vertex vertices|\
appendix appendices";

/// The infinitive, then beginnings of its forms that no rule below gives, accents folded.
const SPANISH: &str = "\
andar anduv|caber quep cup|caer cay caig|conducir conduj conduzc|conocer conozc|dar di dier dab|\
decir dij dig dic dicho dir|deducir deduj|detener detuv deteng detien|elegir elij|estar estuv|\
hacer hic hiz hag hecho har|introducir introduj|ir vay iba|leer ley|mantener mantuv manteng mantien|\
obtener obtuv obteng obtien|oir oy oig|poder pud pued podr|poner pus pong puesto pondr|\
producir produj produzc|proponer propus propong propuesto|querer quis quier querr|\
reducir reduj reduzc|saber sup sepa sabr|salir salg saldr|sostener sostuv|suponer supus supong|\
tener tuv teng tien tendr|traducir traduj traduzc|traer traj traig|valer valg valdr|\
venir vin veng vien vendr|ver vio visto vea veia|volver vuelto|morir muerto|escribir escrito|\
abrir abierto|romper roto|cubrir cubierto|descubrir descubierto|resolver resuelto|devolver devuelto|\
imprimir impreso|construir construy|destruir destruy|incluir incluy|huir huy|contribuir contribuy|\
sustituir sustituy|oponer opus opuesto|disponer dispus dispuesto|componer compus compuesto|\
exponer expus expuesto";

/// Endings of Spanish verbs, accents folded, longest first.
const ENDINGS: [&str; 63] = [
    "ariamos", "eriamos", "iriamos", "asteis", "isteis", "aremos", "eremos", "iremos", "abamos",
    "ieron", "iendo", "eron", "arian", "erian", "irian", "asen", "iesen", "ieran", "iera", "aron",
    "aran", "eran", "iran", "aste", "iste", "ando", "amos", "emos", "imos", "abas", "aban", "aria",
    "eria", "iria", "ados", "adas", "idos", "idas", "aba", "ado", "ada", "ido", "ida", "ias",
    "ian", "are", "ere", "ire", "ara", "ase", "io", "ia", "an", "en", "as", "es", "ar", "er", "ir",
    "o", "a", "e", "i",
];

/// Endings that hardly any noun or adjective has.
const VERBAL: [&str; 27] = [
    "ariamos", "eriamos", "iriamos", "asteis", "isteis", "aremos", "eremos", "iremos", "abamos",
    "ieron", "iendo", "eron", "arian", "erian", "irian", "asen", "iesen", "ieran", "iera", "aron",
    "aste", "iste", "ando", "abas", "aban", "aba", "iria",
];

fn table(list: &'static str) -> FxHashMap<&'static str, &'static str> {
    let mut bases = FxHashMap::default();
    for line in list.split('|') {
        let mut words = line.split_whitespace();
        if let Some(base) = words.next() {
            bases.extend(words.map(|form| (form, base)));
        }
    }
    bases
}

static ENGLISH_BASES: LazyLock<FxHashMap<&'static str, &'static str>> =
    LazyLock::new(|| table(ENGLISH));
static SPANISH_BASES: LazyLock<FxHashMap<&'static str, &'static str>> =
    LazyLock::new(|| table(SPANISH));

/// The base of an English irregular form, case folded.
#[must_use]
pub fn english_base(word: &str) -> Option<&'static str> {
    ENGLISH_BASES.get(word).copied()
}

/// An infinitive that a Spanish word may be a form of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Infinitive {
    /// Accents folded. Most are no words: a lexicon has to say which are.
    pub text: String,
    /// The form can hardly be anything but a verb's: `-ieron`, `-ando`, `murió` for its accent.
    pub surely: bool,
}

/// Infinitives that a Spanish word (case folded) may be a form of, likeliest first.
#[must_use]
pub fn spanish_infinitives(spelt: &str) -> Vec<Infinitive> {
    let word = fold_accents(spelt);
    let word = &*word;
    let stressed = spelt.ends_with(['ó', 'é', 'í', 'á']);
    let mut found: Vec<Infinitive> = Vec::new();
    let mut add = |text: String, surely: bool| {
        if text != word && !found.iter().any(|held| held.text == text) {
            found.push(Infinitive { text, surely });
        }
    };
    if let Some(&base) = SPANISH_BASES.get(word) {
        add(base.to_owned(), true);
    }
    for ending in ENDINGS {
        let Some(stem) = word.strip_suffix(ending).filter(|stem| stem.len() > 1) else { continue };
        if let Some(&base) = SPANISH_BASES.get(stem) {
            add(base.to_owned(), true);
        }
        if stem.len() < 3 {
            continue;
        }
        for stem in unchanged(stem) {
            for infinitive in ["ar", "er", "ir"] {
                let surely = VERBAL.contains(&ending) || (stressed && ending.len() < 3);
                add(format!("{stem}{infinitive}"), surely);
            }
        }
    }
    found
}

/// A stem, and what it may be changed from: `ue` from `o` or `u`, `ie` from `e`, `u` from `o`, `i`
/// from `e` (always the last vowels), and the spellings that keep a sound before another vowel.
fn unchanged(stem: &str) -> Vec<String> {
    let mut stems = vec![stem.to_owned()];
    for (changed, plain) in [("ue", "o"), ("ie", "e"), ("ue", "u")] {
        if let Some(at) = stem.rfind(changed) {
            stems.push(format!("{}{plain}{}", &stem[..at], &stem[at + changed.len()..]));
        }
    }
    for (changed, plain) in [("u", "o"), ("i", "e")] {
        let last = stem.rfind(['a', 'e', 'i', 'o', 'u']);
        if let Some(at) = last.filter(|&at| stem[at..].starts_with(changed)) {
            stems.push(format!("{}{plain}{}", &stem[..at], &stem[at + 1..]));
        }
    }
    for nth in 0..stems.len() {
        for (written, plain) in [("qu", "c"), ("gu", "g"), ("c", "z"), ("j", "g"), ("z", "c")] {
            if let Some(rest) = stems[nth].strip_suffix(written) {
                stems.push(format!("{rest}{plain}"));
            }
        }
    }
    stems
}

#[cfg(test)]
mod tests {
    use super::{english_base, spanish_infinitives};

    #[test]
    fn english_forms_have_their_base() {
        assert_eq!(english_base("bought"), Some("buy"));
        assert_eq!(english_base("children"), Some("child"));
        assert_eq!(english_base("left"), None);
        assert_eq!(english_base("buy"), None);
    }

    #[test]
    fn spanish_forms_offer_their_infinitive() {
        for (form, infinitive) in [
            ("murió", "morir"),
            ("puede", "poder"),
            ("encontró", "encontrar"),
            ("encuentra", "encontrar"),
            ("juegan", "jugar"),
            ("pidieron", "pedir"),
            ("tuvo", "tener"),
            ("hizo", "hacer"),
            ("dijeron", "decir"),
            ("explique", "explicar"),
            ("llegué", "llegar"),
            ("empezó", "empezar"),
            ("empiece", "empezar"),
            ("construyeron", "construir"),
            ("escrito", "escribir"),
            ("escribió", "escribir"),
            ("exigiría", "exigir"),
            ("dirigen", "dirigir"),
        ] {
            assert!(
                spanish_infinitives(form).iter().any(|found| found.text == infinitive),
                "{form}"
            );
        }
    }

    #[test]
    fn what_can_only_be_a_verb_is_said_to_be_one() {
        let surely = |form: &str, infinitive: &str| {
            spanish_infinitives(form).iter().any(|held| held.text == infinitive && held.surely)
        };
        assert!(surely("murió", "morir") && surely("murieron", "morir") && surely("tuvo", "tener"));
        assert!(!surely("partidos", "partir") && !surely("cuenta", "contar"));
    }
}
