//! From the words of a sentence to its statements, clause by clause.

use crate::kernels::text::stem::Language;

use super::group::{Group, is_clause, verb_group};
use super::words::Class;
use super::{Statement, Word};

const LONGEST_PHRASE: usize = 6;
const LONGEST_CONTEXT: usize = 12;

/// Spanish verbs whose subject more often follows than goes before.
const PRESENTING: [&str; 17] = [
    "llegar", "fallar", "venir", "existir", "aparecer", "nacer", "morir", "faltar", "ocurrir",
    "caer", "salir", "entrar", "gustar", "surgir", "quedar", "suceder", "empezar",
];

/// Spanish verbs after which `a` tells a place.
const MOVING: [&str; 14] = [
    "ir", "llegar", "viajar", "volver", "venir", "entrar", "mudar", "subir", "bajar", "salir",
    "regresar", "caer", "acudir", "asistir",
];

/// The statements of a sentence, one a clause.
pub struct Clauses<'w, 't> {
    words: &'w [Word<'t>],
    language: Language,
    next: usize,
    /// Whom the next clause is about when it does not say.
    subject: String,
}

/// What one clause is made of while it is read.
#[derive(Default)]
struct Parts<'t> {
    subject: Vec<&'t str>,
    object: Vec<&'t str>,
    context: Vec<&'t str>,
    agent: Vec<&'t str>,
}

impl<'w, 't> Clauses<'w, 't> {
    /// Over the words of one sentence.
    pub fn new(words: &'w [Word<'t>], language: Language) -> Self {
        Self { words, language, next: 0, subject: String::new() }
    }

    fn class(&self, at: usize) -> Option<Class> {
        self.words.get(at).map(|word| word.class)
    }

    /// How many words from here on tell a time: `last week`, `el martes`, `hace dos años`.
    fn time_at(&self, at: usize) -> usize {
        let mut place = at;
        let mut pointed = false;
        while let Some(word) = self.words.get(place).filter(|_| place < at + 4) {
            let known = match word.class {
                // `the nightly job`
                Class::Moment
                    if word.key.ends_with("ly")
                        && self.class(place + 1) == Some(Class::Content) =>
                {
                    return 0;
                }
                Class::Moment => return place + 1 - at,
                Class::Period => {
                    let mut ends = place + 1;
                    if matches!(self.class(ends), Some(Class::Pointing))
                        || self.words.get(ends).is_some_and(|word| word.key == "ago")
                    {
                        ends += 1;
                        pointed = true;
                    }
                    let told = pointed || place > at;
                    return if told { ends - at } else { 0 };
                }
                Class::Pointing => {
                    pointed = true;
                    true
                }
                Class::Determiner | Class::Number => true,
                _ => false,
            };
            if !known || word.breaks {
                return 0;
            }
            place += 1;
        }
        0
    }

    /// What stands before the verb: the subject, and circumstances that open the sentence.
    fn before(&self, start: usize, end: usize, parts: &mut Parts<'t>) {
        let mut at = start;
        while at < end {
            let word = &self.words[at];
            let time = self.time_at(at).min(end - at);
            if time > 0 && parts.subject.is_empty() {
                parts.context.extend(self.words[at..at + time].iter().map(|word| word.text));
                at += time;
                continue;
            }
            match word.class {
                Class::Preposition => {
                    at = self.phrase(at, end, &mut parts.context);
                    if !parts.subject.is_empty() {
                        return;
                    }
                    continue;
                }
                Class::Relative if !parts.subject.is_empty() => return,
                Class::Manner => parts.context.push(word.text),
                Class::Conjunction | Class::Determiner if parts.subject.is_empty() => {}
                Class::Filler | Class::Negation | Class::Subordinate | Class::Relative => {}
                Class::Pronoun if matches!(&*word.key, "it" | "there") => {}
                _ => push(&mut parts.subject, word.text, LONGEST_PHRASE),
            }
            at += 1;
            if word.breaks && !parts.subject.is_empty() {
                // `Ana, the plumber, repaired it`: what is between commas only describes.
                return;
            }
        }
    }

    /// A phrase that a preposition opens; returns where it ends.
    fn phrase(&self, start: usize, end: usize, into: &mut Vec<&'t str>) -> usize {
        let mut at = start;
        let mut filled = false;
        while at < end {
            let word = &self.words[at];
            let prior = at.checked_sub(1).filter(|_| at > start).map(|prior| &self.words[prior]);
            let joined = prior.is_some_and(|prior| {
                matches!(prior.class, Class::Of | Class::Conjunction | Class::Preposition)
            });
            let other = match word.class {
                Class::Determiner | Class::Pronoun => filled && !joined,
                Class::Relative | Class::Subordinate | Class::Clitic => filled,
                Class::Conjunction => is_clause(self.words, at + 1, self.language),
                Class::Content => {
                    let named = word.capital && prior.is_some_and(|prior| !prior.capital);
                    filled && !joined && named && end < self.words.len()
                }
                _ => false,
            };
            if other {
                break;
            }
            push(into, word.text, LONGEST_CONTEXT);
            filled |= matches!(
                word.class,
                Class::Content | Class::Number | Class::Moment | Class::Period
            );
            at += 1;
            if word.breaks {
                break;
            }
        }
        at.max(start + 1)
    }

    /// What stands after the verb; returns where the next clause may begin.
    fn after(&self, group: &Group, parts: &mut Parts<'t>) -> usize {
        let mut at = group.end;
        let mut parted = self.words[at - 1].breaks;
        while let Some(word) = self.words.get(at) {
            if parted {
                return at;
            }
            // `el despliegue del martes`
            let of = at > group.end && self.words[at - 1].class == Class::Of;
            let time = if of { 0 } else { self.time_at(at) };
            if time > 0 {
                let told = &self.words[at..at + time];
                for word in told {
                    push(&mut parts.context, word.text, LONGEST_CONTEXT);
                }
                at += time;
                parted = told.last().is_some_and(|word| word.breaks);
                continue;
            }
            match word.class {
                Class::Relative | Class::Subordinate => return at,
                Class::Conjunction if is_clause(self.words, at + 1, self.language) => return at,
                Class::Conjunction | Class::Determiner if parts.object.is_empty() => {}
                Class::Preposition => {
                    let agent = group.passive && matches!(&*word.key, "by" | "por");
                    let whom = self.is_whom(at, group) && parts.object.is_empty();
                    let end = if agent && self.time_at(at + 1) == 0 {
                        self.noun_phrase(at + 1, &mut parts.agent)
                    } else if whom {
                        self.noun_phrase(at + 1, &mut parts.object)
                    } else {
                        self.phrase(at, self.words.len(), &mut parts.context)
                    };
                    parted = self.words[end - 1].breaks;
                    at = end;
                    continue;
                }
                Class::Manner => push(&mut parts.context, word.text, LONGEST_CONTEXT),
                Class::Filler | Class::Negation | Class::Clitic => {}
                Class::Pronoun if word.key != "it" || !parts.object.is_empty() => return at,
                _ => push(&mut parts.object, word.text, LONGEST_PHRASE),
            }
            at += 1;
            parted = word.breaks;
        }
        at
    }

    /// Whether a Spanish `a` tells whom, not where.
    fn is_whom(&self, at: usize, group: &Group) -> bool {
        self.language == Language::Spanish
            && matches!(&*self.words[at].key, "a" | "al")
            && !MOVING.contains(&&*group.base)
            && self.words.get(at + 1).is_some_and(|next| {
                next.class == Class::Determiner || next.capital || self.words[at].key == "al"
            })
    }

    fn noun_phrase(&self, start: usize, into: &mut Vec<&'t str>) -> usize {
        let mut at = start;
        while let Some(word) = self.words.get(at) {
            match word.class {
                Class::Determiner if into.is_empty() => {}
                Class::Content | Class::Number | Class::Of | Class::Determiner => {
                    push(into, word.text, LONGEST_PHRASE);
                }
                Class::Conjunction if !is_clause(self.words, at + 1, self.language) => {
                    push(into, word.text, LONGEST_PHRASE);
                }
                _ => break,
            }
            if self.time_at(at) > 0 {
                into.pop();
                break;
            }
            at += 1;
            if word.breaks {
                break;
            }
        }
        at.max(start)
    }

    fn statement(&mut self, group: &Group, mut parts: Parts<'t>) -> Statement {
        for role in [&mut parts.subject, &mut parts.object, &mut parts.agent] {
            while role.last().is_some_and(|word| is_joint(word)) {
                role.pop();
            }
        }
        let spanish = self.language == Language::Spanish;
        if spanish
            && parts.subject.is_empty()
            && PRESENTING.contains(&&*group.base)
            && self.subject.is_empty()
        {
            std::mem::swap(&mut parts.subject, &mut parts.object);
        }
        let mut subject = parts.subject.join(" ");
        if subject.is_empty() && !group.exists {
            subject.clone_from(&self.subject);
        }
        let mut object = parts.object.join(" ");
        if !parts.agent.is_empty() {
            object = std::mem::replace(&mut subject, parts.agent.join(" "));
        }
        let action = match (group.denied, spanish) {
            (false, _) => group.action.clone(),
            (true, true) => format!("no {}", group.action),
            (true, false) => format!("not {}", group.action),
        };
        Statement { subject, action, object, context: parts.context.join(" ") }
    }
}

impl Iterator for Clauses<'_, '_> {
    type Item = Statement;

    fn next(&mut self) -> Option<Statement> {
        let start = self.next;
        if start >= self.words.len() {
            return None;
        }
        let group = verb_group(self.words, start, self.language)?;
        let mut parts = Parts::default();
        self.before(start, group.start, &mut parts);
        self.next = self.after(&group, &mut parts).max(group.end);
        let of_what = self.class(self.next) == Some(Class::Relative) && !parts.object.is_empty();
        let says = self.class(self.next) == Some(Class::Relative) && parts.object.is_empty();
        let statement = self.statement(&group, parts);
        self.subject = match (of_what, says) {
            (true, _) => statement.object.clone(),
            (_, true) => String::new(),
            _ => statement.subject.clone(),
        };
        Some(statement)
    }
}

fn push<'t>(into: &mut Vec<&'t str>, word: &'t str, longest: usize) {
    if into.len() < longest {
        into.push(word);
    }
}

/// Words that join two things, left over at the end of a phrase that was cut.
fn is_joint(word: &str) -> bool {
    matches!(
        word,
        "and" | "or" | "but" | "of" | "y" | "e" | "o" | "u" | "ni" | "de" | "del" | "the"
    )
}
