//! Edit distances over Unicode scalar values, and the words near a word.
//!
//! Two metrics: Levenshtein (insert, delete, substitute) and optimal string alignment (the same,
//! and the swap of two neighbours, no stretch edited twice). Patterns of up to 64 characters take
//! the bit-parallel path, one `u64` a column: Myers (1999), "A fast bit-vector algorithm for
//! approximate string matching based on dynamic programming", in the form of Hyyrö (2003), "A
//! bit-vector algorithm for computing Levenshtein and Damerau edit distances". Longer ones take a
//! band of the dynamic programme that doubles until it holds the answer (Ukkonen 1985).

mod banded;
mod letter_mask;
mod pattern;
mod word_list;

pub use word_list::{Near, WordList};

use pattern::Pattern;

/// Which edits count as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Metric {
    /// Insertion, deletion, substitution.
    Levenshtein,
    /// Those, and the transposition of two adjacent characters (restricted Damerau-Levenshtein).
    Osa,
}

/// The number of edits between two texts.
#[must_use]
pub fn distance(a: &str, b: &str, metric: Metric) -> u32 {
    // Both metrics are symmetric, so the shorter text can be the pattern.
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let short_chars: Vec<char> = short.chars().collect();
    match Pattern::new(&short_chars) {
        Some(pattern) => pattern.distance(long.chars(), metric),
        None => banded::distance(&short_chars, &long.chars().collect::<Vec<char>>(), metric),
    }
}

/// The number of edits from `query` to each of `words`, in their order.
#[must_use]
pub fn distances<S: AsRef<str>>(query: &str, words: &[S], metric: Metric) -> Vec<u32> {
    let query_chars: Vec<char> = query.chars().collect();
    match Pattern::new(&query_chars) {
        Some(pattern) => {
            words.iter().map(|word| pattern.distance(word.as_ref().chars(), metric)).collect()
        }
        None => words.iter().map(|word| distance(query, word.as_ref(), metric)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The textbook recurrence, every cell.
    fn oracle(a: &str, b: &str, metric: Metric) -> u32 {
        let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
        let mut cells = vec![vec![0_u32; b.len() + 1]; a.len() + 1];
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                cells[i][j] = if i == 0 || j == 0 {
                    u32::try_from(i + j).unwrap()
                } else {
                    let substitution = cells[i - 1][j - 1] + u32::from(a[i - 1] != b[j - 1]);
                    substitution.min(cells[i - 1][j] + 1).min(cells[i][j - 1] + 1)
                };
                let swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                if metric == Metric::Osa && swapped {
                    cells[i][j] = cells[i][j].min(cells[i - 2][j - 2] + 1);
                }
            }
        }
        cells[a.len()][b.len()]
    }

    const METRICS: [Metric; 2] = [Metric::Levenshtein, Metric::Osa];

    #[test]
    fn the_textbook_examples_hold() {
        assert_eq!(distance("kitten", "sitting", Metric::Levenshtein), 3);
        assert_eq!(distance("ca", "ac", Metric::Levenshtein), 2);
        assert_eq!(distance("ca", "ac", Metric::Osa), 1);
        assert_eq!(distance("ca", "abc", Metric::Osa), 3); // unrestricted Damerau says 2
    }

    #[test]
    fn an_empty_text_is_as_far_as_the_other_is_long() {
        for metric in METRICS {
            assert_eq!(distance("", "", metric), 0);
            assert_eq!(distance("", "ñandú", metric), 5);
            assert_eq!(distances("", &["ab", ""], metric), [2, 0]);
        }
    }

    #[test]
    fn a_character_counts_once_whatever_its_bytes() {
        assert_eq!(distance("año", "ano", Metric::Levenshtein), 1);
        assert_eq!(distance("日本語", "日语", Metric::Levenshtein), 2);
        assert_eq!(distance("😀a", "a😀", Metric::Osa), 1);
    }

    #[test]
    fn patterns_either_side_of_one_machine_word_agree_with_the_oracle() {
        for length in [63, 64, 65, 66] {
            let a: String = "abcde".chars().cycle().take(length).collect();
            let b: String = "abdce".chars().cycle().skip(1).take(length + 3).collect();
            for metric in METRICS {
                assert_eq!(distance(&a, &b, metric), oracle(&a, &b, metric));
                assert_eq!(distances(&a, &[&b], metric), [oracle(&a, &b, metric)]);
            }
        }
    }

    proptest! {
        #[test]
        fn short_texts_agree_with_the_oracle(a in "[abcñжщ日]{0,12}", b in "[abcñжщ日]{0,12}") {
            for metric in METRICS {
                prop_assert_eq!(distance(&a, &b, metric), oracle(&a, &b, metric));
            }
        }

        #[test]
        fn long_texts_agree_with_the_oracle(a in "[abñ]{60,150}", b in "[abñ]{60,150}") {
            for metric in METRICS {
                prop_assert_eq!(distance(&a, &b, metric), oracle(&a, &b, metric));
            }
        }

        #[test]
        fn any_two_texts_agree_with_the_oracle(a in ".{0,70}", b in ".{0,70}") {
            for metric in METRICS {
                prop_assert_eq!(distances(&a, &[&b], metric), [oracle(&a, &b, metric)]);
            }
        }
    }
}
