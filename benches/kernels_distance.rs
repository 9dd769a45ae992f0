//! The distance kernels without Python: binary codes beside a plain read of them, and word lists.

#![allow(missing_docs, clippy::unwrap_used)] // what Criterion's macros make; a bench may fail

use std::hint::black_box;

use _native::kernels::hamming::{self, SegmentWeights};
use _native::kernels::levenshtein::{Metric, WordList};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

const CODE_BYTES: usize = 256;

/// A small linear congruential generator: the same numbers on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(self.0 >> 33).unwrap() % bound
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    /// Two to four syllables, with endings as frequent as in Spanish.
    fn word(&mut self) -> String {
        let onsets = ["", "b", "c", "d", "g", "l", "m", "n", "p", "r", "s", "t", "v", "br", "ch"];
        let vowels = ["a", "a", "e", "e", "i", "o", "o", "u", "á", "ó", "io"];
        let endings = ["", "", "s", "n", "r", "ción", "mente", "do", "ñas"];
        let mut word = String::new();
        for _ in 0..2 + self.below(3) {
            word += self.pick(&onsets);
            word += self.pick(&vowels);
        }
        word + self.pick(&endings)
    }
}

fn codes(criterion: &mut Criterion) {
    let weights = SegmentWeights::default();
    let mut group = criterion.benchmark_group("codes");
    for count in [10_000, 100_000] {
        let mut random = Random(1);
        let rows: Vec<u8> =
            (0..count * CODE_BYTES).map(|_| random.below(256).try_into().unwrap()).collect();
        let row = count / 3 * CODE_BYTES;
        let query = rows[row..row + CODE_BYTES].to_vec();
        group.throughput(Throughput::Bytes(rows.len() as u64));
        group.bench_function(BenchmarkId::new("nearest 10, weighted", count), |bencher| {
            let nearest = || hamming::nearest(&query, &rows, &weights, 10).unwrap();
            assert_eq!(nearest()[0], (u32::try_from(count / 3).unwrap(), 0.0));
            bencher.iter(nearest);
        });
        group.bench_function(BenchmarkId::new("all distances", count), |bencher| {
            bencher.iter(|| hamming::distances(&query, &rows).unwrap());
        });
        group.bench_function(BenchmarkId::new("plain read", count), |bencher| {
            bencher.iter(|| {
                // One cache line at a time, folded into one.
                let lines = black_box(&rows).as_chunks::<64>().0;
                lines.iter().fold([0_u8; 64], |mut folded, line| {
                    folded.iter_mut().zip(line).for_each(|(sum, byte)| *sum |= byte);
                    folded
                })
            });
        });
    }
    group.finish();
}

fn words(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("words");
    for count in [10_000, 100_000] {
        let mut random = Random(2);
        let words: Vec<String> = (0..count).map(|_| random.word()).collect();
        let list: WordList = words.iter().collect();
        // Words of the list with a letter put in the middle, so that each has an answer.
        let questions: Vec<String> = (0..100)
            .map(|_| {
                let mut letters: Vec<char> = words[random.below(count)].chars().collect();
                letters.insert(letters.len() / 2, 'z');
                letters.into_iter().collect()
            })
            .collect();
        group.throughput(Throughput::Elements(questions.len() as u64));
        for metric in [Metric::Levenshtein, Metric::Osa] {
            let id = BenchmarkId::new(format!("near 2, {metric:?}"), count);
            group.bench_function(id, |bencher| {
                let near = || questions.iter().map(|word| list.near(word, 2, metric).len()).sum();
                assert!(near() >= questions.len());
                bencher.iter::<usize, _>(near);
            });
        }
        group.throughput(Throughput::Elements(count as u64));
        group.bench_function(BenchmarkId::new("push", count), |bencher| {
            bencher.iter(|| words.iter().collect::<WordList>());
        });
    }
    group.finish();
}

criterion_group!(benches, codes, words);
criterion_main!(benches);
