//! The dynamic programme in a diagonal band: for texts too long for one machine word.

use super::Metric;

/// Larger than any distance, and still safe to add to.
const FAR: u32 = u32::MAX / 2;

/// Half the width of the first band; each further one is twice as wide.
const FIRST_BAND: usize = 16;

/// The number of edits between two texts, in time proportional to length times distance.
#[allow(clippy::cast_possible_truncation)] // a text of 2^32 characters does not fit a `Vec<char>`
pub fn distance(a: &[char], b: &[char], metric: Metric) -> u32 {
    let longest = a.len().max(b.len());
    let mut limit = FIRST_BAND;
    loop {
        if let Some(found) = distance_within(a, b, metric, limit.min(longest) as u32) {
            return found;
        }
        limit *= 2;
    }
}

/// The number of edits between two texts, or `None` when it is more than `limit`.
///
/// A path of at most `limit` edits never leaves the cells with `|i - j| <= limit`.
pub fn distance_within(a: &[char], b: &[char], metric: Metric, limit: u32) -> Option<u32> {
    let band = limit as usize;
    if a.len().abs_diff(b.len()) > band {
        return None;
    }
    // Rows i - 2, i - 1 and i. A cell outside its row's band reads as FAR: to the right because
    // no earlier row reached it, to the left because each row writes FAR before its first cell.
    let mut before = vec![FAR; b.len() + 1];
    let mut above = vec![FAR; b.len() + 1];
    let mut row = vec![FAR; b.len() + 1];
    for (cell, value) in row.iter_mut().zip(0..=limit) {
        *cell = value;
    }
    for i in 1..=a.len() {
        (before, above, row) = (above, row, before);
        let first = i.saturating_sub(band);
        let last = (i + band).min(b.len());
        let mut lowest = FAR;
        if first == 0 {
            row[0] = above[0] + 1;
            lowest = row[0];
        } else {
            row[first - 1] = FAR;
        }
        for j in first.max(1)..=last {
            let substitution = above[j - 1] + u32::from(a[i - 1] != b[j - 1]);
            let mut best = substitution.min(above[j] + 1).min(row[j - 1] + 1);
            let swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if swapped && metric == Metric::Osa {
                best = best.min(before[j - 2] + 1);
            }
            row[j] = best;
            lowest = lowest.min(best);
        }
        // Values never fall from one row's lowest to the next's; a swap, which skips a row, costs
        // no less than the substitution that passes through it.
        if lowest > limit {
            return None;
        }
    }
    Some(row[b.len()]).filter(|&found| found <= limit)
}
