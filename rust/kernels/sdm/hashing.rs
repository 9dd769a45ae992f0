//! The hash that places words in codes. Codes are stored, so it must never change.

/// Offset and prime of FNV-1a for 64 bits (Fowler, Noll and Vo).
const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// Increment of a splitmix64 sequence (Steele, Lea and Flood 2014).
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// Hash of a text under a seed: FNV-1a of its bytes, spread by the end of splitmix64.
///
/// FNV alone leaves near words near in the low bits that a code's places are taken from.
#[must_use]
pub fn hash(text: &str, seed: u64) -> u64 {
    let fnv = text.bytes().fold(OFFSET, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME));
    spread(fnv ^ seed.wrapping_mul(GOLDEN))
}

/// The numbers of a splitmix64 sequence that starts at `seed`.
pub fn numbers(seed: u64) -> impl Iterator<Item = u64> {
    (1_u64..).map(move |nth| spread(seed.wrapping_add(nth.wrapping_mul(GOLDEN))))
}

fn spread(mut value: u64) -> u64 {
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_of_a_text_is_the_same_for_ever() {
        assert_eq!(numbers(0).next(), Some(0xe220_a839_7b1d_cdaf));
        let found = [("", 0), ("boiler", 0), ("boiler", 3), ("válvula", 1)];
        let expected = [
            0xf52a_15e9_a9b5_e89b,
            0x0ee1_995b_f1d9_3960,
            0x9a53_76f8_5051_a081,
            0xaa6f_e3a5_2ef2_ab09,
        ];
        assert_eq!(found.map(|(text, seed)| hash(text, seed)), expected);
    }

    #[test]
    fn seeds_and_letters_give_other_hashes() {
        assert_ne!(hash("boiler", 0), hash("boiler", 1));
        assert_ne!(hash("boiler", 0), hash("boiles", 0));
    }
}
