//! Finding the finite verb of a clause, and reading the group of words that it leads.

use crate::kernels::text::stem::Language;

use super::Word;
use super::verbs::Form;
use super::words::Class;

/// What the verb of a clause comes to.
#[derive(Debug, Clone)]
pub struct Group {
    /// Where the subject ends and the verb's own words begin.
    pub start: usize,
    /// After the last of them.
    pub end: usize,
    pub action: String,
    pub base: String,
    pub denied: bool,
    pub passive: bool,
    /// `there is`, `hay`: what follows is what exists.
    pub exists: bool,
}

/// How sure a word is the finite verb of its clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sure {
    Perhaps,
    Likely,
    Certain,
}

/// Verbs whose infinitive says what is done.
const ENGLISH_LEADING: [&str; 7] = ["have", "need", "use", "want", "try", "go", "plan"];
const SPANISH_LEADING: [&str; 14] = [
    "poder",
    "deber",
    "querer",
    "soler",
    "tener",
    "ir",
    "empezar",
    "comenzar",
    "acabar",
    "volver",
    "dejar",
    "necesitar",
    "haber",
    "intentar",
];
const PARTICLES: [&str; 7] = ["up", "down", "out", "off", "back", "away", "over"];

/// The verb of the clause that begins at `start`.
pub fn verb_group(words: &[Word<'_>], start: usize, language: Language) -> Option<Group> {
    let at = finite(words, start, language)?;
    Some(match language {
        Language::English => english(words, start, at),
        Language::Spanish => spanish(words, start, at),
    })
}

/// Whether a clause of its own begins here: a verb comes before the next comma.
pub fn is_clause(words: &[Word<'_>], start: usize, language: Language) -> bool {
    let end = (start..words.len()).find(|&at| words[at].breaks).map_or(words.len(), |at| at + 1);
    let mut at = start;
    // Not beyond a noun phrase and what may stand before its verb.
    while at < end && at < start + 6 {
        match words[at].class {
            Class::Preposition | Class::Relative | Class::Subordinate if at > start => {
                return false;
            }
            Class::Conjunction => return false,
            _ => {}
        }
        if sure(words, at, start, language).is_some_and(|sure| sure >= Sure::Likely) {
            return true;
        }
        at += 1;
    }
    false
}

fn finite(words: &[Word<'_>], start: usize, language: Language) -> Option<usize> {
    let mut perhaps: Option<usize> = None;
    let mut likely: Option<usize> = None;
    let mut of_relative = false;
    let mut passed = None;
    for at in start..words.len() {
        if at > start && words[at].class == Class::Relative {
            if likely.is_some() {
                break;
            }
            of_relative = true;
            continue;
        }
        if at > start && words[at].class == Class::Subordinate && likely.or(perhaps).is_some() {
            break;
        }
        let Some(how) = sure(words, at, start, language) else { continue };
        if of_relative && how >= Sure::Likely {
            // What `the server that hosts it` does comes after what is said of the server.
            of_relative = false;
            passed = passed.or(Some(at));
            continue;
        }
        match how {
            Sure::Certain if likely.is_none() => return Some(at),
            Sure::Certain => break,
            Sure::Likely if likely.is_none() => {
                likely = Some(at);
                if settles(words, at) {
                    break;
                }
            }
            Sure::Perhaps if perhaps.is_none() => perhaps = Some(at),
            _ => {}
        }
    }
    likely.or(perhaps).or(passed)
}

/// Whether what follows a likely verb leaves no doubt.
fn settles(words: &[Word<'_>], at: usize) -> bool {
    words[at].breaks
        || words.get(at + 1).is_none_or(|next| {
            next.capital || (next.class != Class::Content && next.class != Class::Conjunction)
        })
}

/// The word before, adverbs aside, unless a comma parts them.
fn before<'w, 't>(words: &'w [Word<'t>], at: usize, start: usize) -> Option<&'w Word<'t>> {
    let mut place = at;
    while place > start {
        place -= 1;
        let word = &words[place];
        if !matches!(word.class, Class::Filler | Class::Manner | Class::Negation) {
            return Some(word);
        }
    }
    None
}

fn sure(words: &[Word<'_>], at: usize, start: usize, language: Language) -> Option<Sure> {
    let verb = words[at].verb.as_ref()?;
    if verb.auxiliary {
        return Some(Sure::Certain);
    }
    if matches!(verb.form, Form::Participle | Form::Gerund) {
        return None;
    }
    match language {
        Language::English => english_sure(words, at, start),
        Language::Spanish => spanish_sure(words, at, start),
    }
}

fn is_strong(word: Option<&Word<'_>>) -> bool {
    word.and_then(|word| word.verb.as_ref())
        .is_some_and(|verb| verb.auxiliary || matches!(verb.form, Form::Finite))
}

fn english_sure(words: &[Word<'_>], at: usize, start: usize) -> Option<Sure> {
    let word = &words[at];
    let verb = word.verb.as_ref()?;
    let next = words.get(at + 1).filter(|_| !word.breaks);
    let opens = next.is_some_and(|next| {
        matches!(next.class, Class::Determiner | Class::Number | Class::Clitic) || next.capital
    });
    let Some(prior) = before(words, at, start) else {
        // Only an order begins with its verb.
        return match verb.form {
            Form::Base | Form::Maybe if verb.form == Form::Base && opens => Some(Sure::Likely),
            Form::Base if !verb.noun => Some(Sure::Perhaps),
            _ => None,
        };
    };
    match prior.class {
        Class::Pronoun => return Some(Sure::Certain),
        Class::Relative | Class::Conjunction if verb.form != Form::Base => {
            return Some(Sure::Likely);
        }
        Class::Determiner
        | Class::Preposition
        | Class::Number
        | Class::Of
        | Class::Relative
        | Class::Subordinate => return None,
        _ => {}
    }
    let following = words.get(at + 1);
    match verb.form {
        Form::Finite => Some(Sure::Certain),
        // `The wall painted last year fell`: a verb that follows is the main one.
        Form::Maybe if is_strong(following) => None,
        Form::Ed | Form::Maybe => Some(Sure::Likely),
        Form::Base => {
            let plural = prior.key.ends_with('s') && !prior.key.ends_with("ss");
            match (plural, opens) {
                (true, true) => Some(Sure::Likely),
                (true, false) if !verb.noun => Some(Sure::Likely),
                _ if !verb.noun => Some(Sure::Perhaps),
                _ => None,
            }
        }
        _ => None,
    }
}

fn spanish_sure(words: &[Word<'_>], at: usize, start: usize) -> Option<Sure> {
    let word = &words[at];
    let verb = word.verb.as_ref()?;
    let next = words.get(at + 1).filter(|_| !word.breaks);
    let opens = next.is_some_and(|next| {
        matches!(
            next.class,
            Class::Determiner | Class::Number | Class::Preposition | Class::Clitic | Class::Filler
        ) || next.capital
    });
    if verb.form == Form::Base {
        return (at == start).then_some(Sure::Perhaps);
    }
    if at > start && matches!(words[at - 1].class, Class::Clitic | Class::Negation) {
        return Some(Sure::Certain);
    }
    let surely = verb.form == Form::Finite;
    let Some(prior) = before(words, at, start) else {
        return match (verb.noun, opens) {
            (false, _) => Some(Sure::Certain),
            (true, true) => Some(Sure::Likely),
            (true, false) => Some(Sure::Perhaps),
        };
    };
    match prior.class {
        Class::Pronoun => return Some(Sure::Certain),
        Class::Determiner
            if matches!(&*prior.key, "la" | "los" | "las") && surely && !verb.noun =>
        {
            return Some(Sure::Certain);
        }
        Class::Determiner | Class::Preposition | Class::Number | Class::Of => return None,
        _ => {}
    }
    // `la versión completa incluye`: of two that stand together the second is the verb.
    let second = words.get(at + 1).filter(|_| !surely && !word.breaks);
    let doubled = second.and_then(|next| next.verb.as_ref()).is_some_and(|next| {
        next.auxiliary || (!next.noun && matches!(next.form, Form::Finite | Form::Maybe))
    });
    match (surely, verb.noun) {
        _ if doubled => None,
        (true, false) => Some(Sure::Certain),
        (true, true) | (false, false) => Some(Sure::Likely),
        (false, true) if opens => Some(Sure::Likely),
        (false, true) => Some(Sure::Perhaps),
    }
}

/// Goes back from a verb over the words that belong to it.
fn group_start(words: &[Word<'_>], start: usize, at: usize) -> (usize, bool) {
    let mut first = at;
    let mut denied = false;
    while first > start {
        let word = &words[first - 1];
        let own = match word.class {
            Class::Clitic | Class::Filler | Class::Manner => true,
            Class::Negation => {
                denied = true;
                true
            }
            // `la cerró`: the pronoun of what was closed.
            Class::Determiner => {
                first == at
                    && matches!(&*word.key, "la" | "los" | "las")
                    && words[at].verb.as_ref().is_some_and(|verb| verb.form == Form::Finite)
            }
            _ => false,
        };
        if !own || word.breaks {
            break;
        }
        first -= 1;
    }
    (first, denied)
}

fn english(words: &[Word<'_>], start: usize, at: usize) -> Group {
    let (first, mut denied) = group_start(words, start, at);
    let mut main = at;
    let mut passive = false;
    while let Some(verb) = words[main].verb.as_ref() {
        denied |= words[main].key.ends_with("n't") || words[main].key == "cannot";
        let leads = verb.auxiliary || verb.base == "be" || ENGLISH_LEADING.contains(&&*verb.base);
        if !leads || words[main].breaks {
            break;
        }
        let mut next = main + 1;
        let mut to = false;
        while let Some(word) = words.get(next) {
            match word.class {
                Class::Negation => denied = true,
                Class::Filler | Class::Manner => {}
                Class::Preposition if word.key == "to" && !to => to = true,
                _ => break,
            }
            next += 1;
        }
        let Some(follows) = words.get(next).and_then(|word| word.verb.as_ref()) else { break };
        let fits = match (&*verb.base, to) {
            ("" | "do", false) => matches!(follows.form, Form::Base | Form::Maybe | Form::Finite),
            ("have", false) => {
                verb.auxiliary && matches!(follows.form, Form::Ed | Form::Participle | Form::Finite)
                    || (follows.form == Form::Maybe && !follows.noun && verb.auxiliary)
            }
            ("be", false) => {
                matches!(follows.form, Form::Gerund | Form::Ed | Form::Participle | Form::Finite)
            }
            (base, true) => {
                base != "be"
                    && base != "do"
                    && matches!(follows.form, Form::Base | Form::Maybe | Form::Finite)
            }
            _ => false,
        };
        if !fits {
            break;
        }
        passive = verb.base == "be" && follows.form != Form::Gerund;
        main = next;
    }
    let mut end = main + 1;
    let base = match words[main].verb.as_ref() {
        Some(verb) if !verb.base.is_empty() => verb.base.clone(),
        // `It can.`
        _ => words[main].key.clone(),
    };
    let mut action = base.clone();
    if let Some(word) = words.get(end).filter(|word| PARTICLES.contains(&&*word.key))
        && !words[main].breaks
    {
        action = format!("{base} {}", word.key);
        end += 1;
    }
    let exists = base == "be" && first > start && words[first - 1].key == "there";
    Group { start: first, end, action, base, denied, passive, exists }
}

fn spanish(words: &[Word<'_>], start: usize, at: usize) -> Group {
    let (first, mut denied) = group_start(words, start, at);
    let mut main = at;
    let mut passive = false;
    while let Some(verb) = words[main].verb.as_ref() {
        if words[main].breaks {
            break;
        }
        let mut next = main + 1;
        while let Some(word) = words.get(next) {
            match word.class {
                Class::Negation => denied = true,
                Class::Filler | Class::Manner => {}
                _ => break,
            }
            next += 1;
        }
        let joined = words.get(next).is_some_and(|word| matches!(&*word.key, "a" | "de" | "que"));
        let after = if joined { next + 1 } else { next };
        let Some(follows) = words.get(after).and_then(|word| word.verb.as_ref()) else { break };
        let fits = match follows.form {
            Form::Base => {
                SPANISH_LEADING.contains(&&*verb.base)
                    || (verb.base == "ser"
                        && matches!(&*words[main].key, "fue" | "fueron")
                        && joined)
            }
            Form::Gerund => !joined && matches!(&*verb.base, "estar" | "seguir" | "llevar" | "ir"),
            Form::Participle => !joined && matches!(&*verb.base, "haber" | "ser"),
            _ => false,
        };
        if !fits {
            break;
        }
        passive = verb.base == "ser" && follows.form == Form::Participle;
        main = after;
        if follows.form != Form::Participle {
            continue;
        }
        // `ha sido reparada`: one more.
        if words[main].key != "sido" {
            break;
        }
    }
    let base = words[main].verb.as_ref().map_or_else(String::new, |verb| verb.base.clone());
    let exists = base == "haber" && main == at;
    Group { start: first, end: main + 1, action: base.clone(), base, denied, passive, exists }
}
