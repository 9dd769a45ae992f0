//! The k smallest of a stream of distances.

use std::collections::BinaryHeap;

/// Keeps the `k` smallest pairs of distance and row that it was offered, in any order.
pub struct TopK {
    k: usize,
    /// The largest pair on top.
    heap: BinaryHeap<(u32, u32)>,
    /// Distances above this cannot get in. It comes from the top of a full heap.
    bar: u32,
}

impl TopK {
    pub fn new(k: usize) -> Self {
        Self { k, heap: BinaryHeap::with_capacity(k), bar: u32::MAX }
    }

    /// Offers the distances of consecutive rows from `first` on.
    #[inline(always)]
    #[allow(clippy::inline_always)] // target_feature functions need the body to get their features
    pub fn offer(&mut self, first: usize, distances: &[u32]) {
        // One look a group: nearly every group of a long table is too far as a whole.
        if distances.iter().min().is_some_and(|&least| least <= self.bar) {
            self.offer_each(first, distances);
        }
    }

    #[inline(never)]
    #[allow(clippy::cast_possible_truncation)] // a scan has fewer than 2^32 rows
    fn offer_each(&mut self, first: usize, distances: &[u32]) {
        for (row, &distance) in (first as u32..).zip(distances) {
            if self.heap.len() < self.k {
                self.heap.push((distance, row));
            } else if let Some(mut largest) = self.heap.peek_mut()
                && (distance, row) < *largest
            {
                *largest = (distance, row);
            }
        }
        if self.heap.len() == self.k {
            self.bar = self.heap.peek().map_or(0, |&(distance, _)| distance);
        }
    }

    /// What was kept: pairs of distance and row, smallest first.
    pub fn into_sorted(self) -> Vec<(u32, u32)> {
        self.heap.into_sorted_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_distances_keep_the_lower_row_whatever_the_order_of_arrival() {
        let mut kept = TopK::new(2);
        kept.offer(8, &[5, 9, 5]);
        kept.offer(0, &[7, 5]);
        assert_eq!(kept.into_sorted(), [(5, 1), (5, 8)]);
    }

    #[test]
    fn no_room_keeps_nothing() {
        let mut kept = TopK::new(0);
        kept.offer(0, &[0, 1]);
        assert_eq!(kept.into_sorted(), []);
    }
}
