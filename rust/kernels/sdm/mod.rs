//! Binary codes of memories, after the sparse distributed memory (Kanerva 1988).
//!
//! A code has 2,048 bits in the segments of [`SDM_SEGMENTS`](super::hamming::SDM_SEGMENTS), the
//! first bit of a byte its highest. Words of the content and of the name, and the names of
//! neighbours, set four bits each, wherever their hash falls; a category sets eight. A value of a
//! dimension sets a run of bits, longer the rarer it is: what few memories have in common says more.

pub mod hashing;
pub mod roles;
pub mod table;

use std::ops::Range;

use hashing::hash;

/// Bytes of a code.
pub const CODE_BYTES: usize = 256;

/// A code.
pub type Code = [u8; CODE_BYTES];

/// Bits of each segment; every length is a power of two.
pub const CONTENT: Range<usize> = 0..512;
/// Words of the name.
pub const NAME: Range<usize> = 512..768;
/// Values of dimensions.
pub const DIMENSIONS: Range<usize> = 768..1792;
/// The category.
pub const CATEGORY: Range<usize> = 1792..1920;
/// Names of neighbours.
pub const NEIGHBOURS: Range<usize> = 1920..2048;

/// Bits that a word or a neighbour sets.
const WORD_PROJECTIONS: u64 = 4;

/// Bits that a category sets: there is but one, and none is to look like another.
const CATEGORY_PROJECTIONS: u64 = 8;

/// Different words of a content that count, first ones first: 200 bits fill a third of the segment,
/// and more would make all long texts alike.
const MOST_WORDS: usize = 50;

/// Up to which idf a value of a dimension sets how many bits.
const RUNS: [(f32, usize); 4] = [(0.5, 4), (1.5, 8), (3.0, 12), (f32::INFINITY, 16)];

/// What a memory's code is made of.
#[derive(Debug, Clone, Copy, Default)]
pub struct Features<'a> {
    /// Terms of its texts, separated by spaces.
    pub content: &'a str,
    /// Terms of its name, separated by spaces.
    pub name: &'a str,
    /// Values of dimensions, each with its idf.
    pub dimensions: &'a [(String, f32)],
    /// Its category; empty for none.
    pub category: &'a str,
    /// Names of the memories that it is linked to.
    pub neighbours: &'a [String],
}

/// The code of a memory.
#[must_use]
pub fn encode(features: &Features<'_>) -> Code {
    let mut code = [0; CODE_BYTES];
    let mut content: Vec<&str> = Vec::with_capacity(MOST_WORDS);
    for word in words_of(features.content) {
        if content.len() == MOST_WORDS {
            break;
        }
        if !content.contains(&word) {
            content.push(word);
            scatter(&mut code, &CONTENT, word, WORD_PROJECTIONS);
        }
    }
    for word in words_of(features.name) {
        scatter(&mut code, &NAME, word, WORD_PROJECTIONS);
    }
    for (value, idf) in features.dimensions {
        let bits = RUNS.iter().find(|(most, _)| idf <= most).map_or(16, |&(_, bits)| bits);
        let start = place(&DIMENSIONS, value, 0) - DIMENSIONS.start;
        for bit in start..start + bits {
            set(&mut code, DIMENSIONS.start + bit % DIMENSIONS.len());
        }
    }
    if !features.category.is_empty() {
        scatter(&mut code, &CATEGORY, features.category, CATEGORY_PROJECTIONS);
    }
    for neighbour in features.neighbours {
        scatter(&mut code, &NEIGHBOURS, neighbour, WORD_PROJECTIONS);
    }
    code
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(' ').filter(|word| !word.is_empty())
}

fn scatter(code: &mut Code, segment: &Range<usize>, text: &str, projections: u64) {
    for seed in 0..projections {
        set(code, place(segment, text, seed));
    }
}

#[allow(clippy::cast_possible_truncation)] // the rest is below the segment's length
fn place(segment: &Range<usize>, text: &str, seed: u64) -> usize {
    segment.start + (hash(text, seed) % segment.len() as u64) as usize
}

fn set(code: &mut Code, bit: usize) {
    code[bit / 8] |= 0x80 >> (bit % 8);
}

#[cfg(test)]
mod tests {
    use super::super::hamming::SDM_SEGMENTS;
    use super::*;

    fn bits(code: &Code) -> Vec<usize> {
        (0..2048).filter(|bit| code[bit / 8] & (0x80 >> (bit % 8)) != 0).collect()
    }

    fn count_in(code: &Code, segment: &Range<usize>) -> usize {
        bits(code).iter().filter(|bit| segment.contains(bit)).count()
    }

    #[test]
    fn the_segments_are_those_that_distances_are_weighed_by() {
        let lengths = [CONTENT, NAME, DIMENSIONS, CATEGORY, NEIGHBOURS].map(|range| range.len());
        assert_eq!(lengths, SDM_SEGMENTS.map(|(bits, _)| bits));
    }

    #[test]
    fn each_part_sets_bits_of_its_own_segment_alone() {
        let value = [("emocion:calma".to_owned(), 2.0)];
        let neighbour = ["boat".to_owned()];
        let parts = [
            (Features { content: "boiler", ..Features::default() }, CONTENT, 4),
            (Features { name: "boiler", ..Features::default() }, NAME, 4),
            (Features { dimensions: &value, ..Features::default() }, DIMENSIONS, 12),
            (Features { category: "Principle", ..Features::default() }, CATEGORY, 8),
            (Features { neighbours: &neighbour, ..Features::default() }, NEIGHBOURS, 4),
        ];
        for (features, segment, most) in parts {
            let code = encode(&features);
            let set = count_in(&code, &segment);
            assert!(set > 0 && set <= most, "{segment:?}: {set}");
            assert_eq!(set, bits(&code).len());
        }
        assert_eq!(encode(&Features::default()), [0; 256]);
    }

    #[test]
    fn a_rare_value_sets_a_longer_run_that_holds_the_common_ones() {
        let run = |idf: f32| {
            let values = [("tema:barcos".to_owned(), idf)];
            bits(&encode(&Features { dimensions: &values, ..Features::default() }))
        };
        let found = [0.5, 1.5, 3.0, 3.1].map(|idf| run(idf).len());
        assert_eq!(found, [4, 8, 12, 16]);
        assert!(run(0.2).iter().all(|bit| run(9.0).contains(bit)));
    }

    #[test]
    fn a_run_at_the_end_of_the_segment_goes_on_at_its_start() {
        let at_end = (0..100_000)
            .map(|nth| format!("v{nth}"))
            .find(|value| place(&DIMENSIONS, value, 0) == DIMENSIONS.end - 1)
            .unwrap();
        let values = [(at_end, 0.1)];
        let found = bits(&encode(&Features { dimensions: &values, ..Features::default() }));
        assert_eq!(found, [768, 769, 770, 1791]);
    }

    #[test]
    fn words_beyond_the_fiftieth_and_doublets_add_nothing() {
        let words = |from: usize, to: usize| {
            (from..to).map(|nth| format!("w{nth}")).collect::<Vec<_>>().join(" ")
        };
        let of = |content: &str| encode(&Features { content, ..Features::default() });
        assert_eq!(of(&words(0, 50)), of(&words(0, 80)));
        assert_ne!(of(&words(0, 49)), of(&words(0, 50)));
        assert_eq!(of("a b a"), of("b  a"));
    }

    #[test]
    fn the_first_bit_of_a_byte_is_its_highest() {
        let mut code = [0; 256];
        set(&mut code, 0);
        set(&mut code, 15);
        assert_eq!(code[..2], [0x80, 0x01]);
    }
}
