//! The learning kernels alone, without Python: one page forward, one training cycle.

use std::hint::black_box;

use _native::kernels::mlp::{AdamState, FEATURES, PARAMETERS, Pages, Schedule, corrections, train};
use criterion::{Criterion, criterion_group, criterion_main};

const PAGES: usize = 1_200;
const PAGE: usize = 10;

/// Numbers in [0, 1) that are the same in every run.
fn spread(count: usize) -> Vec<f64> {
    (1..=count).map(|i| (i as f64 * 0.618_033_988_749_895).fract()).collect()
}

fn learning(criterion: &mut Criterion) {
    let features = spread(PAGES * PAGE * FEATURES);
    let scores = spread(PAGES * PAGE);
    let starts: Vec<i64> = (0..).step_by(PAGE).take(PAGES + 1).collect();
    let targets: Vec<i64> = (0..).map(|page| page * 7 % 10).take(PAGES).collect();
    let parameters: Vec<f64> = spread(PARAMETERS).iter().map(|x| 0.2 * (x - 0.5)).collect();
    let page = &features[..PAGE * FEATURES];
    criterion.bench_function("mlp forward, one page of 10", |bencher| {
        bencher.iter(|| corrections(black_box(&parameters), black_box(page)));
    });
    let pages = Pages { features: &features, scores: &scores, starts: &starts, targets: &targets };
    let schedule = Schedule { steps: 30, learning_rate: 0.03, l2: 1e-3, anchor: None };
    let trained = train(pages, &parameters, AdamState::default(), schedule);
    assert!(
        trained.is_ok_and(
            |trained| trained.steps_taken == 30 && trained.losses[29] < trained.losses[0]
        )
    );
    criterion.bench_function("mlp training, 30 steps on 1,200 pages of 10", |bencher| {
        bencher.iter(|| train(black_box(pages), &parameters, AdamState::default(), schedule));
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = learning
}
criterion_main!(benches);
