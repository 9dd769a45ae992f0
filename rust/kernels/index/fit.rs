//! How well a document fits what is asked, beyond the words that it shares with the question.
//!
//! Who is asked about, whether a time, a span or a number is wanted, the date that the question
//! speaks of: each multiplies a document's relevance, so that it lifts what is relevant and brings
//! up nothing that is not. The factors were chosen on the training halves of public conversations,
//! where each lies on a plateau; a store without speakers, dates or questions never sees them.

use super::Index;
use super::attributes::Attributes;
use crate::kernels::text::asking::{AskedDate, Asking};
use crate::kernels::text::traits::Traits;

/// The one whom the question names is the one who speaks (.6 to 1.2 measured alike).
const BY_THE_NAMED: f32 = 0.8;
/// A time is wanted and one is told; likewise a span, and a number.
const TELLS_TIME: f32 = 0.3;
const TELLS_SPAN: f32 = 0.3;
const TELLS_NUMBER: f32 = 0.2;
/// A document that is a question answers none.
const ASKS_ITSELF: f32 = 0.1;
/// It was stored at the date that the question speaks of.
const OF_THE_DATE: f32 = 2.0;

/// Fewest documents, and the smallest share of the store, that make a name a speaker.
const FEWEST_SPOKEN: u32 = 5;
const SMALLEST_PART: f32 = 0.02;

/// A name of this many letters is also known by its first three.
const SHORTENED_FROM: usize = 5;
const SHORT_NAME: usize = 3;

/// Days after a date within which what happened then is usually told, and of the month after it
/// how much of it still speaks of the month before.
const TOLD_WITHIN_DAYS: f64 = 15.0;
const EARLY_NEXT_MONTH: (u32, f32) = (12, 0.6);
const LATE_NEXT_MONTH: f32 = 0.2;

const DAY_S: f64 = 86_400.0;

/// What one question wants of a document beyond its words.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Fit {
    speaker: Option<u32>,
    wanted: [(Traits, f32); 3],
    /// What a document that asks loses.
    asking: f32,
    date: Option<AskedDate>,
    most: f32,
}

impl Fit {
    /// Reads the question against the store; `trust` says how far the order of storage means
    /// something, and with it whether the store may be a conversation.
    pub(super) fn of(index: &Index, asking: &Asking, trust: f32) -> Self {
        let attributes = index.documents.attributes();
        let live = index.len();
        let wanted = [
            (Traits::TIME, if asking.when { TELLS_TIME } else { 0.0 }),
            (Traits::SPAN, if asking.how_long { TELLS_SPAN } else { 0.0 }),
            (Traits::NUMBER, if asking.how_many { TELLS_NUMBER } else { 0.0 }),
        ];
        let share = if live == 0 { 0.0 } else { attributes.asking() as f32 / live as f32 };
        let speaker = speaker_named(asking, attributes, live);
        let mut most = wanted.iter().fold(1.0, |most, (_, gain)| most * (1.0 + gain));
        most *= if speaker.is_some() { 1.0 + BY_THE_NAMED } else { 1.0 };
        most *= if asking.date.is_some() { 1.0 + OF_THE_DATE } else { 1.0 };
        Self {
            speaker,
            wanted,
            asking: if asking.when { 0.0 } else { ASKS_ITSELF * trust * (1.0 - share) },
            date: asking.date,
            most,
        }
    }

    /// The factor of a document, at least 0.
    #[inline]
    pub(super) fn factor(&self, slot: u32, attributes: &Attributes) -> f32 {
        let traits = attributes.traits(slot);
        let mut factor = 1.0;
        if self.speaker.is_some() && attributes.speaker(slot) == self.speaker {
            factor += BY_THE_NAMED;
        }
        for (wanted, gain) in self.wanted {
            if traits.has(wanted) {
                factor *= 1.0 + gain;
            }
        }
        if traits.has(Traits::ASKS) {
            factor *= 1.0 - self.asking;
        }
        match self.date {
            Some(date) => {
                factor * (1.0 + OF_THE_DATE * closeness(date, attributes.created_at(slot)))
            }
            None => factor,
        }
    }

    /// The largest factor that any document can have.
    pub(super) fn most(&self) -> f32 {
        self.most
    }
}

/// The one speaker that the question names; two names name nobody.
fn speaker_named(asking: &Asking, attributes: &Attributes, live: usize) -> Option<u32> {
    let enough = (FEWEST_SPOKEN as f32).max(SMALLEST_PART * live as f32);
    let mut found: Option<u32> = None;
    for name in &asking.names {
        // A label says that it is a name; of a text's first word the question's capital must.
        let is_known = |speaker: u32| {
            let (all, labelled) = attributes.documents_of_speaker(speaker);
            all as f32 >= enough && (name.capital || labelled as f32 >= enough)
        };
        let exact = attributes.speaker_called(&name.key).filter(|&speaker| is_known(speaker));
        let shortened = || {
            let short = name.capital && name.key.chars().count() == SHORT_NAME;
            let mut matching = attributes.all_speakers().filter(|(speaker, full)| {
                full.len() >= SHORTENED_FROM && full.starts_with(&name.key) && is_known(*speaker)
            });
            let first = if short { matching.next() } else { None };
            first.filter(|_| matching.next().is_none()).map(|(speaker, _)| speaker)
        };
        match (exact.or_else(shortened), found) {
            (Some(speaker), Some(other)) if speaker != other => return None,
            (Some(speaker), _) => found = Some(speaker),
            (None, _) => {}
        }
    }
    found
}

/// How well the time of storage fits a date, in [0, 1].
#[allow(clippy::cast_possible_truncation)] // a closeness needs no more than f32
fn closeness(date: AskedDate, created_at: f64) -> f32 {
    let (year, month, day) = civil(created_at);
    let same_year = date.year.is_none_or(|asked| i64::from(asked) == year);
    match (date.month, date.day) {
        (None, _) => f32::from(u8::from(same_year)),
        (Some(asked), Some(asked_day)) => {
            let asked_year = date.year.map_or(year, i64::from);
            let after = created_at / DAY_S - days_before(asked_year, asked, asked_day) as f64;
            // What is told before the day is a plan, and fades twice as fast.
            let scale = if after >= 0.0 { TOLD_WITHIN_DAYS } else { TOLD_WITHIN_DAYS / 2.0 };
            (-after.abs() / scale).exp() as f32
        }
        (Some(asked), None) if !same_year => {
            // December's events are still told in January.
            let turned =
                asked == 12 && month == 1 && date.year.is_some_and(|y| i64::from(y) + 1 == year);
            if turned { next_month(day) } else { 0.0 }
        }
        (Some(asked), None) if month == asked => 1.0,
        (Some(asked), None) if date.year.is_none() && month == asked % 12 + 1 => next_month(day),
        (Some(asked), None) if month == asked + 1 => next_month(day),
        (Some(_), None) => 0.0,
    }
}

fn next_month(day: u32) -> f32 {
    if day < EARLY_NEXT_MONTH.0 { EARLY_NEXT_MONTH.1 } else { LATE_NEXT_MONTH }
}

/// Year, month and day of a moment in UTC (proleptic Gregorian; Hinnant, "chrono-compatible
/// low-level date algorithms").
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn civil(epoch_s: f64) -> (i64, u32, u32) {
    let days = (epoch_s / DAY_S).floor() as i64 + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = (of_year - (153 * shifted + 2) / 5 + 1) as u32;
    let month = (if shifted < 10 { shifted + 3 } else { shifted - 9 }) as u32;
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

/// Days from 1970-01-01 to a date; the inverse of [`civil`].
fn days_before(year: i64, month: u32, day: u32) -> i64 {
    let year = year - i64::from(month <= 2);
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let shifted = i64::from((month + 9) % 12);
    let of_year = (153 * shifted + 2) / 5 + i64::from(day) - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{AskedDate, civil, closeness, days_before};

    fn asked(year: Option<u32>, month: Option<u32>, day: Option<u32>) -> AskedDate {
        AskedDate { month, day, year }
    }

    fn at(year: i64, month: u32, day: u32) -> f64 {
        days_before(year, month, day) as f64 * 86_400.0 + 3_600.0
    }

    #[test]
    fn a_month_reaches_into_the_next() {
        let june = asked(Some(2023), Some(6), None);
        let of = |year, month, day| closeness(june, at(year, month, day));
        assert!((of(2023, 6, 30) - 1.0).abs() < 1e-6);
        assert!((of(2023, 7, 3) - 0.6).abs() < 1e-6);
        assert!((of(2023, 7, 20) - 0.2).abs() < 1e-6);
        assert!(of(2023, 5, 31).abs() < 1e-6 && of(2022, 6, 30).abs() < 1e-6);
        let december = asked(Some(2022), Some(12), None);
        assert!((closeness(december, at(2023, 1, 3)) - 0.6).abs() < 1e-6);
    }

    #[test]
    fn a_day_fades_slowly_after_and_quickly_before() {
        let third = asked(Some(2023), Some(5), Some(3));
        let of = |month, day| closeness(third, at(2023, month, day));
        assert!(of(5, 4) > of(5, 9) && of(5, 9) > of(5, 25));
        assert!(of(5, 2) > of(5, 1) && of(5, 8) > of(4, 28));
        assert!(of(5, 3) > 0.99);
    }

    #[test]
    fn a_year_is_that_year() {
        let year = asked(Some(2023), None, None);
        assert!((closeness(year, at(2023, 12, 31)) - 1.0).abs() < 1e-6);
        assert!(closeness(year, at(2024, 1, 1)).abs() < 1e-6);
    }

    proptest! {
        #[test]
        fn days_and_dates_agree(days in -800_000_i64..800_000) {
            let (year, month, day) = civil(days as f64 * 86_400.0);
            prop_assert_eq!(days_before(year, month, day), days);
            prop_assert!((1..=12).contains(&month) && (1..=31).contains(&day));
        }

        #[test]
        fn closeness_is_a_share(
            year in proptest::option::of(1990_u32..2030),
            month in 1_u32..=12,
            day in proptest::option::of(1_u32..=31),
            at in 0.0_f64..2e9,
        ) {
            let close = closeness(asked(year, Some(month), day), at);
            prop_assert!((0.0..=1.0).contains(&close));
        }
    }
}
