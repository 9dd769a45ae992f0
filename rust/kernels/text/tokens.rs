//! Where words begin and end.
//!
//! A token is a run of letters, digits and the marks that belong to them, as `\w+` finds it.
//! What programmers and ticket systems write in one piece (`ORD-417`, `shape::circle`, `v2.3`,
//! `snake_case`, `C++`) is kept whole beside its parts, so that it is found either way. Scripts
//! without spaces (Chinese, Japanese, Korean) give overlapping pairs of characters.

use std::borrow::Cow;

use unicode_normalization::char::is_combining_mark;

use super::fold::fold_case;

/// Longest piece kept whole; longer ones (a link, a hash) are found by their parts.
const LONGEST_WHOLE: usize = 64;

/// What a token is to the text that it came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// A word, or a part of a compound piece.
    Word,
    /// A compound piece kept whole beside its parts; it adds nothing to the text's length.
    Whole,
    /// Two neighbouring characters of a script without spaces.
    Pair,
}

/// One token, case-folded and in NFC, accents still on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// Its spelling.
    pub text: String,
    /// What it is.
    pub kind: TokenKind,
}

/// The tokens of a text, in order; a compound piece comes before its parts.
#[must_use]
pub fn tokens(text: &str) -> Vec<Token> {
    // Before folding: a mark composes with its letter once nothing stands between them.
    let visible = if text.contains(is_invisible) {
        Cow::Owned(text.chars().filter(|&letter| !is_invisible(letter)).collect())
    } else {
        Cow::Borrowed(text)
    };
    let folded = fold_case(&visible);
    let mut found = Vec::with_capacity(folded.len() / 6 + 1);
    for piece in folded.split(|letter: char| !(is_word(letter) || is_joiner(letter))) {
        push_piece(piece, &mut found);
    }
    found
}

fn push_piece(piece: &str, found: &mut Vec<Token>) {
    let piece = piece.trim_start_matches(is_joiner);
    let core = piece.trim_end_matches(is_joiner);
    if core.is_empty() {
        return;
    }
    let whole = &piece[..core.len() + symbol_suffix(core, &piece[core.len()..])];
    if is_compound(whole) && whole.len() <= LONGEST_WHOLE {
        found.push(Token { text: whole.to_owned(), kind: TokenKind::Whole });
    }
    for part in core.split(is_joiner).filter(|part| !part.is_empty()) {
        push_word(part, found);
    }
}

/// Bytes of a suffix that belongs to a name: the `++` of C++, the `#` of C#.
fn symbol_suffix(core: &str, rest: &str) -> usize {
    if !core.chars().all(char::is_alphanumeric) {
        return 0;
    }
    if rest.starts_with("++") {
        return 2;
    }
    usize::from(rest.starts_with('#'))
}

/// Whether a piece means more than its parts: code, a version, a path, a ticket. A hyphenated
/// word (`step-by-step`) does not.
fn is_compound(piece: &str) -> bool {
    let joined = piece.chars().any(is_joiner);
    joined && (piece.chars().any(|letter| letter.is_numeric() || "_.:/@#+\\".contains(letter)))
}

fn push_word(word: &str, found: &mut Vec<Token>) {
    let mut rest = word;
    while let Some(first) = rest.chars().next() {
        let unspaced = is_unspaced(first);
        let end = rest
            .char_indices()
            .find(|&(_, letter)| !is_combining_mark(letter) && is_unspaced(letter) != unspaced)
            .map_or(rest.len(), |(at, _)| at);
        let (run, tail) = rest.split_at(end);
        if unspaced {
            push_pairs(run, found);
        } else {
            found.push(Token { text: run.to_owned(), kind: TokenKind::Word });
        }
        rest = tail;
    }
}

fn push_pairs(run: &str, found: &mut Vec<Token>) {
    let letters: Vec<char> = run.chars().collect();
    if letters.len() == 1 {
        found.push(Token { text: run.to_owned(), kind: TokenKind::Pair });
    }
    for pair in letters.windows(2) {
        found.push(Token { text: pair.iter().collect(), kind: TokenKind::Pair });
    }
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || is_combining_mark(letter)
}

/// Characters that may hold a compound piece together.
fn is_joiner(letter: char) -> bool {
    matches!(letter, '_' | '-' | '.' | ':' | '/' | '\\' | '@' | '#' | '+')
}

/// Direction marks, joiners and other characters that leave no trace on paper.
fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{fe00}'..='\u{fe0f}')
}

/// Han, kana and Hangul: scripts whose words no space separates, or whose word forms are many.
fn is_unspaced(letter: char) -> bool {
    matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Token, TokenKind, tokens};

    fn spellings(text: &str) -> Vec<String> {
        tokens(text).into_iter().map(|token| token.text).collect()
    }

    #[test]
    fn punctuation_ends_a_word() {
        assert_eq!(spellings("The boat, (t=2%) \"drawn\"."), ["the", "boat", "t", "2", "drawn"]);
    }

    #[test]
    fn apostrophes_of_either_shape_split_alike() {
        assert_eq!(spellings("Don't"), spellings("don\u{2019}t"));
    }

    #[test]
    fn codes_are_kept_whole_and_split() {
        assert_eq!(spellings("ORD-417"), ["ord-417", "ord", "417"]);
        assert_eq!(spellings("shape::circle"), ["shape::circle", "shape", "circle"]);
        assert_eq!(spellings("v2.3"), ["v2.3", "v2", "3"]);
        assert_eq!(spellings("snake_case"), ["snake_case", "snake", "case"]);
        assert_eq!(spellings("C++ and C#"), ["c++", "c", "and", "c#", "c"]);
    }

    #[test]
    fn a_hyphenated_word_and_a_flag_are_their_parts() {
        assert_eq!(spellings("step-by-step --dry-run"), ["step", "by", "step", "dry", "run"]);
    }

    #[test]
    fn a_full_stop_is_no_part_of_the_word_before_it() {
        assert_eq!(spellings("the harbour."), ["the", "harbour"]);
    }

    #[test]
    fn unspaced_scripts_give_overlapping_pairs() {
        assert_eq!(spellings("设备清单 NAS"), ["设备", "备清", "清单", "nas"]);
        assert_eq!(tokens("设"), [Token { text: "设".into(), kind: TokenKind::Pair }]);
    }

    #[test]
    fn direction_marks_do_not_split_a_number() {
        assert_eq!(spellings("code \u{202a}4471\u{202c}"), ["code", "4471"]);
    }

    #[test]
    fn an_invisible_joiner_does_not_keep_an_accent_from_its_letter() {
        assert_eq!(spellings("cancio\u{200d}\u{301}n"), ["canción"]);
    }

    #[test]
    fn the_turkish_dotted_capital_keeps_its_word_in_one_piece() {
        assert_eq!(spellings("İzmir").len(), 1);
    }

    proptest! {
        #[test]
        fn composed_and_decomposed_text_give_the_same_tokens(text in "\\PC{0,40}") {
            use unicode_normalization::UnicodeNormalization;
            let apart: String = text.nfd().collect();
            prop_assert_eq!(tokens(&text), tokens(&apart));
        }

        #[test]
        fn no_token_is_empty_or_holds_a_space(text in "(?s).{0,60}") {
            for token in tokens(&text) {
                prop_assert!(!token.text.is_empty());
                prop_assert!(!token.text.chars().any(char::is_whitespace));
            }
        }
    }
}
