//! Products of sparse and dense matrices: what a randomised decomposition of a term-document matrix
//! is made of.

use std::num::NonZero;
use std::thread;

use super::error::KernelError;

/// Multiplications from which on starting a thread costs less than it saves, and most of them:
/// memory, which all share, is what they wait for.
const WORTH_A_THREAD: usize = 4_000_000;
const MOST_THREADS: usize = 4;

/// Starts, columns and values of a matrix in compressed rows.
pub type Parts = (Vec<u32>, Vec<u32>, Vec<f32>);

/// A matrix of few values in compressed rows.
#[derive(Debug, Clone, Copy)]
pub struct Sparse<'a> {
    /// Where each row begins in the two that follow, and where the last one ends.
    pub starts: &'a [u32],
    /// The column of each value.
    pub columns: &'a [u32],
    /// The values.
    pub values: &'a [f32],
}

impl Sparse<'_> {
    /// How many rows there are.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    fn check(&self, columns: usize) -> Result<(), KernelError> {
        let held = self.columns.len();
        if self.values.len() != held {
            return Err(KernelError::Shape {
                what: "values",
                expected: held,
                found: self.values.len(),
            });
        }
        let rise = self.starts.is_sorted();
        let whole = self.starts.first() == Some(&0)
            && self.starts.last().map(|&end| end as usize) == Some(held);
        if !rise || !whole {
            let rule = "must rise from 0 to the number of values".to_owned();
            return Err(KernelError::OutOfRange { what: "starts", rule });
        }
        if self.columns.iter().any(|&column| column as usize >= columns) {
            let rule = format!("must lie below {columns}");
            return Err(KernelError::OutOfRange { what: "columns", rule });
        }
        Ok(())
    }

    /// The product with a dense matrix of `width` columns, row by row: rows × width.
    ///
    /// Sums run in the order of the values, so the result is the same on every machine but for the
    /// rounding of fused multiplication, which is not used.
    ///
    /// # Errors
    ///
    /// [`KernelError`] when the parts do not fit together.
    pub fn times(&self, dense: &[f32], width: usize) -> Result<Vec<f32>, KernelError> {
        if width == 0 || !dense.len().is_multiple_of(width) {
            return Err(KernelError::Shape { what: "dense", expected: width, found: dense.len() });
        }
        self.check(dense.len() / width)?;
        let mut product = vec![0.0_f32; self.rows() * width];
        let threads = if self.values.len() * width < WORTH_A_THREAD {
            1
        } else {
            thread::available_parallelism().map_or(1, NonZero::get).min(MOST_THREADS)
        };
        // Rows are independent: the parts change nothing but who computes which.
        let part = self.rows().div_ceil(threads).max(1);
        thread::scope(|scope| {
            for (nth, rows) in product.chunks_mut(part * width).enumerate() {
                let first = nth * part;
                let spans = &self.starts[first..=first + rows.len() / width];
                if threads == 1 {
                    self.multiply(rows, spans, dense, width);
                } else {
                    scope.spawn(move || self.multiply(rows, spans, dense, width));
                }
            }
        });
        Ok(product)
    }

    fn multiply(&self, rows: &mut [f32], spans: &[u32], dense: &[f32], width: usize) {
        for (row, span) in rows.chunks_exact_mut(width).zip(spans.windows(2)) {
            for at in span[0] as usize..span[1] as usize {
                let value = self.values[at];
                let start = self.columns[at] as usize * width;
                for (sum, factor) in row.iter_mut().zip(&dense[start..start + width]) {
                    *sum += value * factor;
                }
            }
        }
    }

    /// The same matrix by columns: starts, rows and values of its transpose.
    ///
    /// # Errors
    ///
    /// [`KernelError`] when the parts do not fit together.
    pub fn transposed(&self, columns: usize) -> Result<Parts, KernelError> {
        self.check(columns)?;
        let mut starts = vec![0_u32; columns + 1];
        for &column in self.columns {
            starts[column as usize + 1] += 1;
        }
        for at in 0..columns {
            starts[at + 1] += starts[at];
        }
        let mut next = starts.clone();
        let mut rows = vec![0_u32; self.columns.len()];
        let mut values = vec![0.0_f32; self.columns.len()];
        for (row, span) in (0..).zip(self.starts.windows(2)) {
            for at in span[0] as usize..span[1] as usize {
                let place = &mut next[self.columns[at] as usize];
                rows[*place as usize] = row;
                values[*place as usize] = self.values[at];
                *place += 1;
            }
        }
        Ok((starts, rows, values))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Sparse;

    /// A dense matrix as sparse parts.
    fn parts(dense: &[Vec<f32>]) -> (Vec<u32>, Vec<u32>, Vec<f32>) {
        let (mut starts, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
        for row in dense {
            for (column, &value) in (0..).zip(row).filter(|&(_, &value)| value != 0.0) {
                columns.push(column);
                values.push(value);
            }
            starts.push(u32::try_from(values.len()).unwrap());
        }
        (starts, columns, values)
    }

    fn matrix(rows: usize, columns: usize) -> impl Strategy<Value = Vec<Vec<f32>>> {
        let value = prop_oneof![3 => Just(0_i8), 1 => -4_i8..4].prop_map(f32::from);
        proptest::collection::vec(proptest::collection::vec(value, columns), rows)
    }

    proptest! {
        #[test]
        fn the_product_is_the_dense_one(a in matrix(5, 4), b in matrix(4, 3)) {
            let (starts, columns, values) = parts(&a);
            let sparse = Sparse { starts: &starts, columns: &columns, values: &values };
            let product = sparse.times(&b.concat(), 3).unwrap();
            for (row, line) in a.iter().enumerate() {
                for column in 0..3 {
                    let sum: f32 = line.iter().zip(&b).map(|(x, y)| x * y[column]).sum();
                    prop_assert!((product[row * 3 + column] - sum).abs() < 1e-4);
                }
            }
        }

        #[test]
        fn turned_twice_it_is_itself(a in matrix(5, 4)) {
            let (starts, columns, values) = parts(&a);
            let sparse = Sparse { starts: &starts, columns: &columns, values: &values };
            let (s, c, v) = sparse.transposed(4).unwrap();
            let turned = Sparse { starts: &s, columns: &c, values: &v };
            prop_assert_eq!(turned.transposed(5).unwrap(), (starts.clone(), columns.clone(), values.clone()));
        }
    }

    #[test]
    fn parts_that_do_not_fit_are_refused() {
        let sparse = |starts, columns, values| Sparse { starts, columns, values };
        assert!(sparse(&[0, 1], &[2], &[1.0]).times(&[1.0, 1.0], 1).is_err());
        assert!(sparse(&[0, 2], &[0], &[1.0]).times(&[1.0], 1).is_err());
        assert!(sparse(&[0, 1], &[0], &[]).times(&[1.0], 1).is_err());
        assert!(sparse(&[0, 1], &[0], &[1.0]).times(&[1.0], 0).is_err());
    }
}
