//! Where in each candidate each word of the question was found.

use super::documents::VALUE_END;
use super::search::{Candidate, Group};
use super::{FIELDS, Field, Index};

/// What the candidates of a question hold of it. Rows are candidates in their order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Evidence {
    /// n × groups: the alternative that was found, the weightiest first; −1 for none.
    pub found: Vec<i16>,
    /// n × groups: pooled weighted count of the group, field weights left out.
    pub counts: Vec<f32>,
    /// n × fields: idf share of the question whose own words the field holds, in [0, 1].
    pub field_share: Vec<f32>,
    /// n: idf share of the question that any field holds, alternatives by their weight.
    pub coverage: Vec<f32>,
    /// n: words of the candidate, its name included.
    pub lengths: Vec<f32>,
    /// n: whether the name and the question are the same set of words.
    pub named: Vec<bool>,
    /// n: closeness in [0, 1] of the question and the nearest synonym, as sets of words (Jaccard).
    pub synonym: Vec<f32>,
}

/// A term of the question: the group and alternative that it stands for.
#[derive(Clone, Copy)]
struct Wanted {
    group: usize,
    alternative: i16,
}

impl Index {
    /// Looks up the words of the question in each candidate.
    ///
    /// `idf` is the ranking's, one value a group. The signals that compare the question's own
    /// words (`field_share`, `named`, `synonym`) look at literal alternatives only; compound
    /// pieces count through their parts.
    #[must_use]
    pub fn evidence(&self, candidates: &[Candidate], groups: &[Group], idf: &[f32]) -> Evidence {
        let wanted = self.wanted_terms(groups);
        let weigh = |group: &Group, idf: &f32| if group.whole { 0.0 } else { group.boost * idf };
        let mass: Vec<f32> = groups.iter().zip(idf).map(|(g, idf)| weigh(g, idf)).collect();
        let all: f32 = mass.iter().sum();
        let shares: Vec<f32> =
            mass.iter().map(|part| if all > 0.0 { part / all } else { 0.0 }).collect();
        let mut evidence = Evidence::default();
        for candidate in candidates {
            self.look_into(candidate.slot, groups, &shares, &wanted, &mut evidence);
        }
        evidence
    }

    /// The terms of the question by rising number, each with what it stands for.
    fn wanted_terms(&self, groups: &[Group]) -> Vec<(u32, Wanted)> {
        let mut wanted: Vec<(u32, Wanted)> = Vec::new();
        for (group, spellings) in groups.iter().enumerate() {
            for (nth, alternative) in spellings.alternatives.iter().enumerate() {
                if let Some(term) = self.vocabulary.term(&alternative.term) {
                    let alternative = i16::try_from(nth).unwrap_or(i16::MAX);
                    wanted.push((term, Wanted { group, alternative }));
                }
            }
        }
        wanted.sort_by_key(|&(term, _)| term);
        wanted
    }

    fn look_into(
        &self,
        slot: u32,
        groups: &[Group],
        shares: &[f32],
        wanted: &[(u32, Wanted)],
        evidence: &mut Evidence,
    ) {
        let mut found = vec![-1_i16; groups.len()];
        let mut counts = vec![0.0_f32; groups.len()];
        let mut own_words = [const { Vec::new() }; FIELDS];
        let mut length = 0_usize;
        for (field, form) in self.documents.forms(slot) {
            length += usize::from(!self.vocabulary.is_whole(form));
            let term = self.vocabulary.term_of(form);
            for &Wanted { group, alternative } in matches(wanted, term) {
                let spelling =
                    &groups[group].alternatives[usize::try_from(alternative).unwrap_or(0)];
                counts[group] += spelling.weight;
                let held = usize::try_from(found[group]).ok();
                let better = held
                    .is_none_or(|held| groups[group].alternatives[held].weight < spelling.weight);
                if better {
                    found[group] = alternative;
                }
                if spelling.literal && !own_words[field].contains(&group) {
                    own_words[field].push(group);
                }
            }
        }
        let covered = found.iter().enumerate().filter_map(|(group, &alternative)| {
            let alternative = usize::try_from(alternative).ok()?;
            Some(shares[group] * groups[group].alternatives[alternative].weight)
        });
        evidence.coverage.push(share(covered));
        for words in &own_words {
            evidence.field_share.push(share(words.iter().map(|&group| shares[group])));
        }
        evidence.found.extend(found);
        evidence.counts.extend(counts);
        evidence.lengths.push(length as f32);
        let name = self.closeness(slot, Field::Name, groups, wanted);
        evidence.named.push(name >= 1.0);
        evidence.synonym.push(self.closeness(slot, Field::Synonyms, groups, wanted));
    }

    /// Jaccard closeness of the question to the nearest value of a field.
    fn closeness(
        &self,
        slot: u32,
        field: Field,
        groups: &[Group],
        wanted: &[(u32, Wanted)],
    ) -> f32 {
        let asked = groups.iter().filter(|group| !group.whole).count();
        self.documents
            .field(slot, field as usize)
            .split(|&form| form == VALUE_END)
            .map(|value| self.value_closeness(value, asked, groups, wanted))
            .fold(0.0, f32::max)
    }

    fn value_closeness(
        &self,
        value: &[u32],
        asked: usize,
        groups: &[Group],
        wanted: &[(u32, Wanted)],
    ) -> f32 {
        let mut shared: Vec<usize> = Vec::new();
        let mut strange: Vec<u32> = Vec::new();
        for &form in value.iter().filter(|&&form| !self.vocabulary.is_whole(form)) {
            let term = self.vocabulary.term_of(form);
            let own = matches(wanted, term).filter(|held| {
                let alternative = usize::try_from(held.alternative).unwrap_or(0);
                !groups[held.group].whole && groups[held.group].alternatives[alternative].literal
            });
            let mut asked_for = false;
            // A question may say one word in two forms: this form then stands for both.
            for held in own {
                asked_for = true;
                if !shared.contains(&held.group) {
                    shared.push(held.group);
                }
            }
            if !asked_for && !strange.contains(&term) {
                strange.push(term);
            }
        }
        let union = asked + strange.len();
        if union == 0 { 0.0 } else { shared.len() as f32 / union as f32 }
    }
}

/// The sum of parts of a whole, in [0, 1].
fn share(parts: impl Iterator<Item = f32>) -> f32 {
    // `sum` gives -0.0 for no parts, which a reader of the explanation would stumble over.
    parts.fold(0.0, |sum, part| sum + part).min(1.0)
}

fn matches(wanted: &[(u32, Wanted)], term: u32) -> impl Iterator<Item = &Wanted> {
    let from = wanted.partition_point(|&(other, _)| other < term);
    wanted[from..].iter().take_while(move |&&(other, _)| other == term).map(|(_, held)| held)
}

#[cfg(test)]
mod tests;
