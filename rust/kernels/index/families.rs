//! Terms of one family: `compete` and `competition`, `allergy` and `allergic`, `sistema` and
//! `systematic`.
//!
//! A stemmer cuts endings by rule and parts such words. They share nearly all of the shorter one's
//! letters from the front; what they mean is close enough to count a little.

use rustc_hash::FxHashMap;

/// Letters that two terms share from the front at the least, and the share of the shorter one.
const SHARED: usize = 5;
const SHARED_PART: f32 = 0.9;

/// Letters that the longer one may have beyond them: more make a compound of it.
const LONGEST_TAIL: usize = 4;

/// Terms by their first letters.
#[derive(Debug, Default)]
pub(super) struct Families {
    by_start: FxHashMap<[u8; SHARED], Vec<u32>>,
}

impl Families {
    /// Enters a term that is not there yet.
    pub(super) fn add(&mut self, term: &str, number: u32) {
        if let Some(start) = start(term) {
            self.by_start.entry(start).or_default().push(number);
        }
    }

    /// The other terms of a term's family, itself left out, in no particular order.
    pub(super) fn kin<'a>(
        &'a self,
        term: &'a str,
        spelling: impl Fn(u32) -> &'a str + 'a,
    ) -> impl Iterator<Item = u32> + 'a {
        let same = start(term).and_then(|start| self.by_start.get(&start));
        let numbers = same.map_or(&[][..], Vec::as_slice).iter().copied();
        numbers.filter(move |&number| are_kin(term, spelling(number)))
    }

    pub(super) fn heap_bytes(&self) -> usize {
        let lists = self.by_start.values().map(|numbers| numbers.capacity() * 4).sum::<usize>();
        lists + self.by_start.capacity() * (SHARED + std::mem::size_of::<Vec<u32>>())
    }
}

/// The bytes under which a term is kept: a term of letters only, long enough to have kin.
fn start(term: &str) -> Option<[u8; SHARED]> {
    let lettered = term.bytes().all(|byte| !byte.is_ascii() || byte.is_ascii_alphabetic());
    if lettered { term.as_bytes().first_chunk::<SHARED>().copied() } else { None }
}

fn are_kin(one: &str, other: &str) -> bool {
    let shared = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    let (shorter, longer) = (one.len().min(other.len()), one.len().max(other.len()));
    one != other && shared as f32 >= SHARED_PART * shorter as f32 && longer - shared <= LONGEST_TAIL
}

#[cfg(test)]
mod tests {
    use super::Families;

    fn kin<'a>(terms: &'a [&'a str], of: &'a str) -> Vec<&'a str> {
        let mut families = Families::default();
        for (number, term) in (0..).zip(terms) {
            families.add(term, number);
        }
        families.kin(of, |number| terms[number as usize]).map(|at| terms[at as usize]).collect()
    }

    #[test]
    fn what_the_stemmer_parts_is_kin() {
        let terms = ["competit", "compet", "compass", "allergi", "allerg", "competitor"];
        assert_eq!(kin(&terms, "compet"), ["competit", "competitor"]);
        assert_eq!(kin(&terms, "allergi"), ["allerg"]);
        assert_eq!(kin(&terms, "absent"), Vec::<&str>::new());
    }

    #[test]
    fn short_words_compounds_and_codes_have_no_kin() {
        assert_eq!(kin(&["cart", "carts"], "cart"), Vec::<&str>::new());
        assert_eq!(kin(&["waterproofing"], "water"), Vec::<&str>::new());
        assert_eq!(kin(&["error-501", "error-502"], "error-501"), Vec::<&str>::new());
    }
}
