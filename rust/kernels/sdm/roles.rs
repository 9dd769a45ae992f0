//! Who does what in a statement, in one code: hyperdimensional binding (Kanerva 2009).
//!
//! A role and a filler are random codes of 2,048 bits; XOR binds one to the other into a code that
//! is like neither, and undoes itself; a majority of bits bundles bound pairs into a code that is
//! like each of them. Asked with a role, the bundle gives back its filler, with noise.

use super::hashing::{hash, numbers};
use super::{CODE_BYTES, Code};
use crate::kernels::error::KernelError;

/// Seeds of the roles' own vectors and of the fillers', so that no word is taken for a role.
const ROLE_SEED: u64 = 0x526f_6c65;
const FILLER_SEED: u64 = 0x4669_6c6c;

/// The roles of a statement, in order.
pub const ROLES: [&str; 4] = ["subject", "action", "object", "context"];

/// The random code that stands for one of [`ROLES`].
///
/// # Errors
///
/// [`KernelError::OutOfRange`] for anything else.
pub fn role_code(role: &str) -> Result<Code, KernelError> {
    if ROLES.contains(&role) {
        return Ok(random(hash(role, ROLE_SEED)));
    }
    let known = ROLES.join(", ");
    Err(KernelError::OutOfRange { what: "role", rule: format!("{role:?} is none of {known}") })
}

/// The random code that stands for what fills a role: half its bits are set.
#[must_use]
pub fn filler_code(text: &str) -> Code {
    random(hash(text, FILLER_SEED))
}

/// One code bound to another: XOR. Binding twice to the same gives back the first.
#[must_use]
pub fn bind(one: &Code, other: &Code) -> Code {
    std::array::from_fn(|at| one[at] ^ other[at])
}

/// A code with its bits moved `places` on, those at the end to the start: a different code for
/// each place of a sequence.
#[must_use]
pub fn permute(code: &Code, places: usize) -> Code {
    let (bytes, bits) = (places / 8 % CODE_BYTES, places % 8);
    std::array::from_fn(|at| {
        let here = code[(at + CODE_BYTES - bytes) % CODE_BYTES];
        let before = code[(at + 2 * CODE_BYTES - bytes - 1) % CODE_BYTES];
        // A shift by a whole byte is no shift of a `u8`.
        if bits == 0 { here } else { here >> bits | before << (8 - bits) }
    })
}

/// The code that is like each of `codes`: the majority of each bit. Where as many have it as not,
/// a bit of a fixed random code decides.
#[must_use]
pub fn bundle(codes: &[Code]) -> Code {
    let deciding = random(0);
    std::array::from_fn(|at| {
        (0..8).fold(0, |byte, bit| {
            let mask = 0x80 >> bit;
            let set = 2 * codes.iter().filter(|code| code[at] & mask != 0).count();
            let decided = set == codes.len() && deciding[at] & mask != 0;
            if set > codes.len() || decided { byte | mask } else { byte }
        })
    })
}

/// The code of a statement: each filler bound to its role, all of them bundled.
///
/// # Errors
///
/// [`KernelError::OutOfRange`] when a role is none of [`ROLES`].
pub fn statement_code(fillers: &[(String, String)]) -> Result<Code, KernelError> {
    let bound =
        fillers.iter().map(|(role, filler)| Ok(bind(&role_code(role)?, &filler_code(filler))));
    Ok(bundle(&bound.collect::<Result<Vec<_>, KernelError>>()?))
}

/// How well each candidate fills a role of a statement, in [0, 1]: twice the share of bits above
/// one half that it has in common with what the statement holds in that role. A stranger is
/// near 0 (its spread is 1/45), a filler of one of four roles near 3/8.
///
/// # Errors
///
/// [`KernelError::OutOfRange`] when the role is none of [`ROLES`].
pub fn fills(statement: &Code, role: &str, candidates: &[String]) -> Result<Vec<f32>, KernelError> {
    let held = bind(statement, &role_code(role)?);
    let likeness = |candidate: &String| {
        let differing: u32 =
            bind(&held, &filler_code(candidate)).iter().map(|byte| byte.count_ones()).sum();
        (1.0 - differing as f32 / (4 * CODE_BYTES) as f32).max(0.0)
    };
    Ok(candidates.iter().map(likeness).collect())
}

fn random(seed: u64) -> Code {
    let mut code = [0; CODE_BYTES];
    for (bytes, number) in code.as_chunks_mut().0.iter_mut().zip(numbers(seed)) {
        *bytes = number.to_be_bytes();
    }
    code
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn statement(fillers: [&str; 4]) -> Code {
        let pairs: Vec<_> = ROLES
            .iter()
            .zip(fillers)
            .map(|(&role, text)| (role.to_owned(), text.to_owned()))
            .collect();
        statement_code(&pairs).unwrap()
    }

    #[test]
    fn a_statement_tells_who_fills_each_role() {
        let fillers = ["ana", "mend", "gate", "harbour"];
        let said = statement(fillers);
        let candidates = [&fillers[..], &["luis", "boat", "paint"]].concat();
        let candidates: Vec<String> = candidates.into_iter().map(str::to_owned).collect();
        for (nth, role) in ROLES.into_iter().enumerate() {
            let found = fills(&said, role, &candidates).unwrap();
            assert!(found[nth] > 0.3, "{role}: {found:?}");
            let others = found.iter().enumerate().filter(|(other, _)| *other != nth);
            assert!(others.into_iter().all(|(_, &value)| value < 0.15), "{role}: {found:?}");
        }
    }

    #[test]
    fn the_same_word_in_another_role_is_another_statement() {
        let bites = [
            statement(["dog", "bite", "man", "street"]),
            statement(["man", "bite", "dog", "street"]),
        ];
        let who = |said| fills(said, "subject", &["dog".to_owned(), "man".to_owned()]).unwrap();
        assert!(who(&bites[0])[0] > who(&bites[0])[1] && who(&bites[1])[1] > who(&bites[1])[0]);
    }

    #[test]
    fn a_role_that_there_is_not_is_refused() {
        assert!(matches!(role_code("verb"), Err(KernelError::OutOfRange { .. })));
        assert!(fills(&[0; 256], "verb", &[]).is_err());
        assert!(statement_code(&[("verb".to_owned(), "mend".to_owned())]).is_err());
    }

    #[test]
    fn one_code_is_its_own_bundle() {
        assert_eq!(bundle(&[filler_code("ana")]), filler_code("ana"));
    }

    proptest! {
        #[test]
        fn binding_undoes_itself_and_rotations_add_up(a: u64, b: u64, m in 0_usize..5000, n in 0_usize..5000) {
            let (a, b) = (random(a), random(b));
            prop_assert_eq!(bind(&bind(&a, &b), &b), a);
            prop_assert_eq!(permute(&permute(&a, m), n), permute(&a, m + n));
            prop_assert_eq!(permute(&a, 2048), a);
            // A rotation keeps what two codes have in common.
            let differing = |a: &Code, b: &Code| bind(a, b).iter().map(|byte| byte.count_ones()).sum::<u32>();
            prop_assert_eq!(differing(&permute(&a, m), &permute(&b, m)), differing(&a, &b));
        }

        #[test]
        fn a_bit_moves_as_many_places_as_asked(bit in 0_usize..2048, places in 0_usize..2048) {
            let at = |bit: usize| {
                let mut code = [0; CODE_BYTES];
                code[bit / 8] = 0x80 >> (bit % 8);
                code
            };
            prop_assert_eq!(permute(&at(bit), places), at((bit + places) % 2048));
        }
    }
}
