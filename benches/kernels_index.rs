//! The ranked index on a synthetic store: search, evidence and expansion.
//!
//! Words follow Zipf's law; questions of four words are drawn from its rare, middle or frequent
//! part, or from all three. `BIORAG_BENCH_DOCUMENTS` sets the sizes (default `1000,100000`).

use std::hint::black_box;

use _native::kernels::expansion::{ExpansionOptions, expand};
use _native::kernels::index::attributes::NewAttributes;
use _native::kernels::index::search::{Alternative, Group, Order, SearchOptions};
use _native::kernels::index::{FIELDS, Index, NewDocument};
use _native::kernels::text::analysis::{Form, analyse_question};
use _native::kernels::text::stem::Language;
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};

const WORDS: usize = 50_000;
const BODY_WORDS: usize = 60;
const QUESTIONS: usize = 64;

/// The ranks that a question's words come from.
const KINDS: [(&str, [std::ops::Range<usize>; 4]); 4] = [
    ("rare", [5_000..WORDS, 5_000..WORDS, 5_000..WORDS, 5_000..WORDS]),
    ("middle", [300..5_000, 300..5_000, 300..5_000, 300..5_000]),
    ("mixed", [20..300, 300..5_000, 300..5_000, 5_000..WORDS]),
    ("frequent", [20..300, 20..300, 20..300, 20..300]),
];

/// Marsaglia's xorshift64*: the same store on every machine.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn within(&mut self, range: &std::ops::Range<usize>) -> usize {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // below the range's end
        let offset = (self.unit() * range.len() as f64) as usize;
        range.start + offset
    }

    /// A rank by Zipf's law, by inverting the integral of 1/x.
    fn rank(&mut self) -> usize {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // in 1..=WORDS
        let rank = ((WORDS as f64 + 1.0).ln() * self.unit()).exp() as usize;
        rank.min(WORDS) - 1
    }
}

fn word(rank: usize) -> String {
    format!("w{rank}x")
}

fn store(documents: usize) -> Index {
    let forms: Vec<Form> = (0..WORDS)
        .map(|rank| Form { word: word(rank), term: word(rank), whole: false, accented: false })
        .collect();
    let mut random = Random(7);
    let mut index = Index::new();
    for id in 1..=i64::try_from(documents).unwrap_or(i64::MAX) {
        let mut drawn = |count: usize| -> Vec<Form> {
            (0..count).map(|_| forms[random.rank()].clone()).collect()
        };
        let (name, body) = ([drawn(3)], [drawn(BODY_WORDS)]);
        let fields: [&[Vec<Form>]; FIELDS] = [&name, &[], &[], &[], &body];
        let document = NewDocument {
            id,
            language: Language::English,
            fields,
            attributes: NewAttributes::default(),
        };
        index.put(&document).expect("numbers rise");
    }
    index.shrink();
    index
}

fn questions(ranks: &[std::ops::Range<usize>; 4]) -> Vec<Vec<Group>> {
    let mut random = Random(11);
    let group = |term: String| Group {
        boost: 1.0,
        whole: false,
        accented: false,
        alternatives: vec![Alternative { term, weight: 1.0, literal: true }],
    };
    (0..QUESTIONS)
        .map(|_| ranks.iter().map(|range| group(word(random.within(range)))).collect())
        .collect()
}

fn options(trust_in_order: f32) -> SearchOptions<'static> {
    SearchOptions {
        asking: None,
        order: Order::Relevance,
        k1: 0.9,
        b: 0.4,
        trust_in_order,
        limit: 100,
        allowed: None,
        excluded: &[],
        included: &[],
    }
}

fn sizes() -> Vec<usize> {
    let asked = std::env::var("BIORAG_BENCH_DOCUMENTS");
    let asked = asked.as_deref().unwrap_or("1000,100000");
    asked.split(',').filter_map(|size| size.trim().parse().ok()).collect()
}

fn search(criterion: &mut Criterion) {
    for documents in sizes() {
        let index = store(documents);
        let mut group = criterion.benchmark_group(format!("{documents} documents"));
        group.sample_size(20);
        for (kind, ranks) in &KINDS {
            let asked = questions(ranks);
            for trust in [0.0, 1.0] {
                let name = if trust > 0.0 { "search, lending" } else { "search" };
                group.bench_function(BenchmarkId::new(name, kind), |bencher| {
                    let mut next = asked.iter().cycle();
                    bencher.iter(|| index.search(black_box(next.next()?), &options(trust)).ok());
                });
            }
            let ranked: Vec<_> = asked
                .iter()
                .map(|groups| (index.search(groups, &options(0.0)).expect("in range"), groups))
                .collect();
            group.bench_function(BenchmarkId::new("evidence", kind), |bencher| {
                let mut next = ranked.iter().cycle();
                bencher.iter(|| {
                    let (ranking, groups) = next.next()?;
                    Some(index.evidence(
                        black_box(&ranking.candidates),
                        groups,
                        &ranking.idf,
                        &[],
                        &options(0.0),
                    ))
                });
            });
        }
        group.bench_function("expand, two words unknown", |bencher| {
            let question =
                analyse_question("w17x w4000x w29x3 unheardword", Language::English, None);
            let options = ExpansionOptions { meanings: true, spellings: true };
            bencher.iter(|| expand(black_box(&question), &index, None, &[], options));
        });
        group.finish();
    }
}

criterion_group!(benches, search);
criterion_main!(benches);
