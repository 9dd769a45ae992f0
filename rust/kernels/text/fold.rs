//! One spelling a word: case and accents folded, the ñ kept.

use std::borrow::Cow;

use unicode_normalization::{UnicodeNormalization, is_nfc};

/// The tilde that makes an ñ of an n: the one mark that tells Spanish words apart for good
/// (`año` is a year, `ano` is not), and that people who skip accents still type.
const COMBINING_TILDE: char = '\u{303}';

/// The word in NFC with full Unicode case folding (`STRASSE` and `straße` agree).
#[must_use]
pub fn fold_case(word: &str) -> Cow<'_, str> {
    if word.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
        return Cow::Borrowed(word);
    }
    if word.is_ascii() {
        return Cow::Owned(word.to_ascii_lowercase());
    }
    // Folding may leave a decomposed letter behind (`ǰ`), hence the second composition.
    let composed: String = word.nfc().collect();
    let folded = caseless::default_case_fold_str(&composed);
    Cow::Owned(if is_nfc(&folded) { folded } else { folded.nfc().collect() })
}

/// The word without accents, in NFC: `canción` gives `cancion`, `pingüino` gives `pinguino`;
/// ñ and the letters of other scripts keep the marks that make them letters.
///
/// Only the Combining Diacritical Marks block goes (U+0300 to U+036F): the vowel signs of Indic
/// scripts and the voicing marks of kana are combining characters too, but no accents.
#[must_use]
pub fn fold_accents(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        return Cow::Borrowed(word);
    }
    let mut base = '\0';
    let kept = word.nfd().filter(|&letter| {
        if is_accent(letter) {
            return letter == COMBINING_TILDE && matches!(base, 'n' | 'N');
        }
        base = letter;
        true
    });
    Cow::Owned(kept.nfc().collect())
}

fn is_accent(letter: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&letter)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{fold_accents, fold_case};

    #[test]
    fn accents_go_and_the_enye_stays() {
        assert_eq!(fold_accents("canción"), "cancion");
        assert_eq!(fold_accents("pingüino"), "pinguino");
        assert_eq!(fold_accents("año"), "año");
        assert_eq!(fold_accents("AN\u{303}O"), "AÑO");
        assert_eq!(fold_accents("a\u{303}o"), "ao");
    }

    #[test]
    fn marks_that_are_letters_stay() {
        assert_eq!(fold_accents("が"), "が");
        assert_eq!(fold_accents("हिन्दी"), "हिन्दी");
    }

    #[test]
    fn case_is_folded_in_full() {
        assert_eq!(fold_case("STRASSE"), fold_case("straße"));
        assert_eq!(fold_case("CANCIO\u{301}N"), "canción");
        assert_eq!(fold_case("ΟΔΟΣ"), fold_case("οδος"));
    }

    proptest! {
        #[test]
        fn folding_twice_changes_nothing(word in "\\PC{0,12}") {
            let once = fold_accents(&fold_case(&word)).into_owned();
            prop_assert_eq!(fold_accents(&once), once.as_str());
        }

        #[test]
        fn composed_and_decomposed_spellings_agree(word in "[a-zA-Zñáéíóúüç]{0,12}") {
            use unicode_normalization::UnicodeNormalization;
            let apart: String = word.nfd().collect();
            prop_assert_eq!(fold_case(&apart), fold_case(&word));
            prop_assert_eq!(fold_accents(&apart), fold_accents(&word));
        }
    }
}
