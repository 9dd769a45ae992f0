//! Saved and loaded an index answers alike; damaged bytes are refused or harmless.

use proptest::prelude::*;

use super::MAGIC;
use crate::kernels::bytes::checksum;
use crate::kernels::error::KernelError;
use crate::kernels::index::fixtures::{Texts, groups, index_of, options, put, search};
use crate::kernels::index::search::SearchOptions;
use crate::kernels::index::{Field, Index};

fn store() -> Index {
    let mut index = index_of(&["heron lake", "boat ORD-417", "garden", "canción del año"]);
    put(&mut index, 9, &Texts::body("heron").with(Field::Synonyms, "grey wader\nbird"));
    index.delete(3);
    put(&mut index, 1, &Texts::body("heron heron cellar"));
    index
}

#[test]
fn a_loaded_index_answers_as_the_saved_one() {
    let index = store();
    let (loaded, stamp) = Index::from_bytes(&index.to_bytes("state 7")).unwrap();
    assert_eq!(stamp, "state 7");
    assert_eq!(loaded.len(), index.len());
    for question in ["heron", "ord-417 boat", "año", "bird garden"] {
        let trusting = SearchOptions { trust_in_order: 1.0, ..options() };
        let (one, other) =
            (search(&index, question, &trusting), search(&loaded, question, &trusting));
        let rows = |ranking: &crate::kernels::index::search::Ranking| {
            ranking
                .candidates
                .iter()
                .map(|held| (held.id, held.bm25, held.lent))
                .collect::<Vec<_>>()
        };
        assert_eq!(rows(&one), rows(&other));
        let evidence =
            loaded.evidence(&other.candidates, &groups(question), &other.idf, &[], &options());
        assert_eq!(
            evidence,
            index.evidence(&one.candidates, &groups(question), &one.idf, &[], &options())
        );
    }
    assert_eq!(loaded.vocabulary().near("heron", 1), index.vocabulary().near("heron", 1));
}

#[test]
fn what_was_deleted_is_not_saved() {
    let bytes = store().to_bytes("");
    let (loaded, _) = Index::from_bytes(&bytes).unwrap();
    assert!(!loaded.contains(3));
    assert_eq!(loaded.to_bytes(""), bytes);
}

#[test]
fn the_stamp_is_read_without_the_rest() {
    let bytes = store().to_bytes("state 7");
    assert_eq!(Index::stamp_of(&bytes[..MAGIC.len() + 8 + 7]).unwrap(), "state 7");
}

#[test]
fn an_empty_index_is_saved_too() {
    let (loaded, _) = Index::from_bytes(&Index::new().to_bytes("")).unwrap();
    assert!(loaded.is_empty());
}

#[test]
fn bytes_of_another_make_are_refused() {
    let refused =
        |bytes: &[u8]| matches!(Index::from_bytes(bytes), Err(KernelError::Corrupt { .. }));
    assert!(refused(b""));
    assert!(refused(b"BIORAGI0 and more"));
    let mut longer = store().to_bytes("");
    longer.push(0);
    assert!(refused(&longer));
}

#[test]
fn a_count_beyond_the_bytes_is_refused_before_room_is_made() {
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&0_u64.to_le_bytes());
    bytes.extend_from_slice(&u64::MAX.to_le_bytes());
    assert!(Index::from_bytes(&bytes).is_err());
}

proptest! {
    #[test]
    fn a_truncated_index_is_refused(at in any::<prop::sample::Index>()) {
        let bytes = store().to_bytes("stamp");
        prop_assert!(Index::from_bytes(&bytes[..at.index(bytes.len())]).is_err());
    }

    #[test]
    fn a_damaged_index_is_refused(at in any::<prop::sample::Index>(), flip in 1_u8..) {
        let mut bytes = store().to_bytes("stamp");
        let at = at.index(bytes.len());
        bytes[at] ^= flip;
        prop_assert!(Index::from_bytes(&bytes).is_err());
    }

    /// What a faulty writer could produce: the checksum is right and the content is not.
    #[test]
    fn wrong_content_is_refused_or_answers_without_a_panic(
        flips in prop::collection::vec((any::<prop::sample::Index>(), 1_u8..), 1..4),
    ) {
        let mut bytes = store().to_bytes("stamp");
        bytes.truncate(bytes.len() - 8);
        for (at, flip) in flips {
            let at = at.index(bytes.len());
            bytes[at] ^= flip;
        }
        bytes.extend_from_slice(&checksum(&bytes).to_le_bytes());
        if let Ok((mut index, _)) = Index::from_bytes(&bytes) {
            let trusting = SearchOptions { trust_in_order: 1.0, ..options() };
            let ranking = search(&index, "heron ord-417 año", &trusting);
            let mut ids: Vec<i64> = ranking.candidates.iter().map(|held| held.id).collect();
            let question = groups("heron ord-417 año");
            let evidence = index.evidence(&ranking.candidates, &question, &ranking.idf, &[], &options());
            prop_assert_eq!(evidence.coverage.len(), ids.len());
            ids.sort_unstable();
            prop_assert!(ids.is_sorted_by(|a, b| a < b), "a document came twice");
            prop_assert!(ranking.candidates.iter().all(|held| held.relevance.is_finite()));
            for id in ids {
                prop_assert!(index.delete(id));
            }
            put(&mut index, i64::MAX, &Texts::body("heron"));
        }
    }
}
