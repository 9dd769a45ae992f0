use proptest::prelude::*;

use super::format::signed;
use super::{Language, Lexicon};
use crate::kernels::error::KernelError;
use crate::kernels::expansion::Dictionary;

/// Two meanings: dog/domestic dog = perro, year = año/añada; sorted lemmas, ids from 0.
fn small_file() -> Vec<u8> {
    let english = Words {
        lemmas: &["dog", "domestic dog", "year"],
        stems: &["dog", "year"],
        stem_lemmas: &[&[0], &[2]],
        senses: &[&[0], &[0], &[1]],
        members: &[&[0, 1], &[2]],
        ranks: Some(&[0, 2, 1]),
    };
    let spanish = Words {
        lemmas: &["añada", "año", "perro"],
        stems: &["añad", "año", "perr"],
        stem_lemmas: &[&[0], &[1], &[2]],
        senses: &[&[1], &[1], &[0]],
        members: &[&[2], &[1, 0]],
        ranks: None,
    };
    let mut sections = english.sections(0);
    sections.extend(spanish.sections(16));
    sections.push((32, vec![5, 28]));
    assemble(&sections)
}

struct Words<'a> {
    lemmas: &'a [&'a str],
    stems: &'a [&'a str],
    stem_lemmas: &'a [&'a [u32]],
    senses: &'a [&'a [u32]],
    members: &'a [&'a [u32]],
    ranks: Option<&'a [u8]>,
}

impl Words<'_> {
    fn sections(&self, base: u32) -> Vec<(u32, Vec<u8>)> {
        let mut sections = vec![
            (base + 1, self.lemmas.concat().into_bytes()),
            (base + 2, ends(self.lemmas.iter().map(|text| text.len()))),
            (base + 3, self.stems.concat().into_bytes()),
            (base + 4, ends(self.stems.iter().map(|text| text.len()))),
        ];
        for (tag, lists) in [(5, self.stem_lemmas), (7, self.senses), (9, self.members)] {
            sections.push((base + tag, ends(lists.iter().map(|list| list.len()))));
            sections.push((base + tag + 1, lists.concat().into_iter().flat_map(packed).collect()));
        }
        sections.extend(self.ranks.map(|ranks| (base + 11, ranks.to_vec())));
        sections
    }
}

fn ends(lengths: impl Iterator<Item = usize>) -> Vec<u8> {
    lengths
        .scan(0_usize, |end, length| {
            *end += length;
            Some(u32::try_from(*end).unwrap())
        })
        .flat_map(packed)
        .collect()
}

fn packed(number: u32) -> impl Iterator<Item = u8> {
    number.to_le_bytes().into_iter().take(3)
}

fn assemble(sections: &[(u32, Vec<u8>)]) -> Vec<u8> {
    let mut table = Vec::new();
    let mut body = Vec::new();
    for (tag, content) in sections {
        let start = 32 + 12 * sections.len() + body.len();
        for number in [*tag as usize, start, content.len()] {
            table.extend(u32::try_from(number).unwrap().to_le_bytes());
        }
        body.extend_from_slice(content);
    }
    let mut payload = [table, body].concat();
    payload.resize(payload.len().next_multiple_of(8), 0);
    signed(u32::try_from(sections.len()).unwrap(), &payload)
}

fn ask_everything(lexicon: &Lexicon) {
    for language in Language::ALL {
        for index in 0..lexicon.lemma_count(language) {
            let lemma = lexicon.lemma(language, index).unwrap();
            let text = lexicon.text(language, lemma).to_owned();
            let _ = lexicon.knows(language, &text);
            let _ = lexicon.groups(language, lemma, 9);
            let _ = lexicon.synonyms(language, lemma, 9);
            let _ = Dictionary::translations(lexicon, &text, language);
            let _ = lexicon.near(language, &text, 2);
        }
    }
}

#[test]
fn words_are_found_by_spelling_and_by_stem() {
    let lexicon = Lexicon::from_bytes(small_file()).unwrap();
    assert!(lexicon.knows_lemma(Language::Spanish, "AÑO"));
    assert!(!lexicon.knows(Language::Spanish, "ano"));
    assert!(lexicon.knows(Language::Spanish, "perros"));
    assert!(!lexicon.knows_lemma(Language::Spanish, "perros"));
    assert!(!lexicon.knows(Language::English, "perro"));
    assert!(lexicon.lemma(Language::English, 3).is_none());
}

#[test]
fn translations_weigh_ranks_and_positions() {
    let lexicon = Lexicon::from_bytes(small_file()).unwrap();
    let about = |found: Vec<(String, f32)>, expected: [(&str, f32); 2]| {
        assert_eq!(found.len(), 2);
        for ((text, weight), (word, right)) in found.iter().zip(expected) {
            assert!(text == word && (weight - right).abs() < 1e-6, "{text} {weight}");
        }
    };
    about(
        Dictionary::translations(&lexicon, "perros", Language::Spanish),
        [("dog", 1.0), ("domestic dog", 1.0 / 6_f32.sqrt())],
    );
    // Into Spanish the rank of the year counts, and the place of each Spanish word.
    about(
        Dictionary::translations(&lexicon, "year", Language::English),
        [("año", 1.0 / 2_f32.sqrt()), ("añada", 0.5)],
    );
}

#[test]
fn groups_have_names() {
    let lexicon = Lexicon::from_bytes(small_file()).unwrap();
    let dog = lexicon.lemmas(Language::English, "dogs", 6)[0];
    assert_eq!(lexicon.groups(Language::English, dog, 1), ["noun.animal"]);
}

#[test]
fn files_of_other_kinds_and_versions_are_refused() {
    let refused = |bytes: &[u8]| match Lexicon::from_bytes(bytes.to_vec()) {
        Err(KernelError::Corrupt { reason, .. }) => reason,
        other => panic!("{other:?}"),
    };
    assert!(refused(b"").contains("does not begin"));
    assert!(refused(&[0; 64]).contains("does not begin"));
    let mut newer = small_file();
    newer[24] = 2;
    assert!(refused(&newer).contains("version 2"));
    assert!(refused(&assemble(&[])).contains("section 32 is missing"));
}

#[test]
fn every_cut_is_refused() {
    let file = small_file();
    for length in 0..file.len() {
        assert!(Lexicon::from_bytes(file[..length].to_vec()).is_err());
    }
}

proptest! {
    #[test]
    fn every_changed_byte_is_refused(at in any::<prop::sample::Index>(), change in 1_u8..) {
        let mut file = small_file();
        let at = at.index(file.len());
        file[at] ^= change;
        prop_assert!(Lexicon::from_bytes(file).is_err());
    }

    /// A file that was made wrong has a checksum that fits: the bounds must hold on their own.
    #[test]
    fn no_content_makes_a_look_up_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4)
    ) {
        let file = small_file();
        let count = u32::from_le_bytes([file[28], file[29], file[30], file[31]]);
        let mut payload = file[32..].to_vec();
        for (at, byte) in changes {
            let at = at.index(payload.len());
            payload[at] = byte;
        }
        if let Ok(lexicon) = Lexicon::from_bytes(signed(count, &payload)) {
            ask_everything(&lexicon);
        }
    }
}
