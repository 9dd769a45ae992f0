//! The links between memories, held in memory: who is near whom, and what spreads from where.
//!
//! Links go both ways here, typed and directed ones too: what is activated is associated, whichever
//! end it was told from. Of several links between two memories the strongest counts. Neighbours are
//! always taken by weight, ties by the smaller number, so that names and the order of storage
//! decide nothing.

use rustc_hash::FxHashMap;

/// One end of a link as seen from the other.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Link {
    to: u32,
    weight: f32,
}

/// What a memory was reached by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reached {
    /// The memory.
    pub id: i64,
    /// From which one it was reached.
    pub parent: i64,
    /// How strongly, in (0, 1].
    pub value: f32,
    /// Over how many links.
    pub hops: u32,
}

/// How activation spreads.
#[derive(Debug, Clone, Copy)]
pub struct Spreading {
    /// Over how many links at most.
    pub hops: u32,
    /// Strongest links of a memory that pass something on.
    pub fan: usize,
    /// What is weaker than this is not passed on.
    pub least: f32,
}

/// An undirected weighted graph over memories.
#[derive(Debug, Default)]
pub struct Graph {
    ids: Vec<i64>,
    places: FxHashMap<i64, u32>,
    /// Of each place its links, strongest first, ties by the smaller number.
    links: Vec<Vec<Link>>,
}

impl Graph {
    /// A graph without links.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many memories have a link.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there is no link.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Adds a link; one that is there keeps the larger weight. A memory is not linked to itself.
    pub fn add(&mut self, one: i64, other: i64, weight: f32) {
        if one != other && weight.is_finite() {
            let (here, there) = (self.place(one), self.place(other));
            self.add_end(here, there, weight);
            self.add_end(there, here, weight);
        }
    }

    /// How many memories a memory is linked to.
    #[must_use]
    pub fn degree(&self, id: i64) -> usize {
        self.links_of(id).len()
    }

    /// The strongest neighbours of a memory: number and weight.
    #[must_use]
    pub fn neighbours(&self, id: i64, limit: usize) -> Vec<(i64, f32)> {
        let links = self.links_of(id).iter().take(limit);
        links.map(|link| (self.ids[link.to as usize], link.weight)).collect()
    }

    /// Spreading activation (Collins & Loftus 1975; fan effect, Anderson 1983).
    ///
    /// A memory passes to each neighbour its own value times the link's weight over how many links
    /// it has, halved with every hop after the first. What is reached twice keeps the larger value;
    /// seeds are reached like others, each from another one.
    ///
    /// By descending value, then number.
    #[must_use]
    pub fn spread(&self, seeds: &[(i64, f32)], how: Spreading) -> Vec<Reached> {
        let mut best: FxHashMap<u32, Reached> = FxHashMap::default();
        let mut front: Vec<(u32, f32)> = seeds
            .iter()
            .filter_map(|&(id, value)| Some((*self.places.get(&id)?, value.clamp(0.0, 1.0))))
            .collect();
        for hop in 0..how.hops {
            let mut next: Vec<(u32, f32)> = Vec::new();
            front.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(self.by_id(a.0, b.0)));
            for &(from, value) in &front {
                let links = &self.links[from as usize];
                let passed =
                    value / links.len() as f32 * 0.5_f32.powi(i32::try_from(hop).unwrap_or(0));
                for link in links.iter().take(how.fan) {
                    let value = passed * link.weight;
                    if value < how.least {
                        break; // the links after it are weaker
                    }
                    let known = best.get(&link.to).map_or(0.0, |held| held.value);
                    if value > known {
                        let (id, parent) = (self.ids[link.to as usize], self.ids[from as usize]);
                        best.insert(link.to, Reached { id, parent, value, hops: hop + 1 });
                        next.push((link.to, value));
                    }
                }
            }
            front = next;
        }
        let mut found: Vec<Reached> = best.into_values().collect();
        found.sort_unstable_by(|a, b| b.value.total_cmp(&a.value).then(a.id.cmp(&b.id)));
        found
    }

    /// What lies around some memories, breadth first: of each memory its strongest neighbours that
    /// were not met before, down to a depth.
    ///
    /// A neighbour's value is .6 of its parent's plus .2 of the link between them, seeds having 1.
    #[must_use]
    pub fn context(
        &self,
        seeds: &[i64],
        depth: u32,
        per_node: usize,
        limit: usize,
    ) -> Vec<Reached> {
        let mut met: Vec<i64> = seeds.to_vec();
        let mut front: Vec<(i64, f32)> = seeds.iter().map(|&id| (id, 1.0)).collect();
        let mut found = Vec::new();
        for hops in 1..=depth {
            let mut next = Vec::new();
            for &(parent, value) in &front {
                let new =
                    self.links_of(parent).iter().map(|link| (self.ids[link.to as usize], link));
                let new: Vec<(i64, &Link)> =
                    new.filter(|(id, _)| !met.contains(id)).take(per_node).collect();
                for (id, link) in new {
                    if found.len() == limit {
                        return found;
                    }
                    let value = 0.6 * value + 0.2 * link.weight;
                    met.push(id);
                    next.push((id, value));
                    found.push(Reached { id, parent, value, hops });
                }
            }
            front = next;
        }
        found
    }

    /// Pairs that no link joins and a path of two or three does: the product of its weights times
    /// `decay` for every link after the first, of the best path. At most `limit` for each of `ids`,
    /// strongest first; every pair once, the smaller number first.
    #[must_use]
    pub fn latent(&self, ids: &[i64], least: f32, decay: f32, limit: usize) -> Vec<LatentPair> {
        let mut pairs: FxHashMap<(i64, i64), LatentPair> = FxHashMap::default();
        for &id in ids {
            let Some(&start) = self.places.get(&id) else { continue };
            let mut around = self.paths_from(start, least, decay);
            around.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(self.by_id(a.0, b.0)));
            for (place, weight, hops) in around.into_iter().take(limit) {
                let other = self.ids[place as usize];
                let (src, dst) = (id.min(other), id.max(other));
                let pair = LatentPair { src, dst, weight, hops };
                let held = pairs.entry((src, dst)).or_insert(pair);
                if held.weight < weight {
                    *held = pair;
                }
            }
        }
        let mut found: Vec<LatentPair> = pairs.into_values().collect();
        found.sort_unstable_by_key(|pair| (pair.src, pair.dst));
        found
    }

    /// Values of memories drawn towards those of the ones that they are linked to:
    /// `(1 − share) · own + share · mean`, the mean by the links' weights over the neighbours that are
    /// among `ids` (one step of retrofitting, Faruqui et al. 2015); without such a neighbour, its own.
    #[must_use]
    pub fn smoothed(&self, ids: &[i64], values: &[f32], share: f32) -> Vec<f32> {
        let known: FxHashMap<i64, f32> = ids.iter().copied().zip(values.iter().copied()).collect();
        let drawn = |(&id, &own): (&i64, &f32)| {
            let (mut sum, mut mass) = (0.0_f32, 0.0_f32);
            for link in self.links_of(id) {
                if let Some(value) = known.get(&self.ids[link.to as usize]) {
                    sum += link.weight * value;
                    mass += link.weight;
                }
            }
            if mass > 0.0 { (1.0 - share) * own + share * sum / mass } else { own }
        };
        ids.iter().zip(values).map(drawn).collect()
    }

    /// Bytes on the heap, for reports.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        let links: usize = self.links.iter().map(|links| links.capacity() * 8 + 24).sum();
        links + self.ids.capacity() * 8 + self.places.capacity() * 13
    }

    /// Places at two or three links from one, none of them beside it, each with its best path.
    fn paths_from(&self, start: u32, least: f32, decay: f32) -> Vec<(u32, f32, u32)> {
        let beside: Vec<u32> = self.links[start as usize].iter().map(|link| link.to).collect();
        let mut best: FxHashMap<u32, (f32, u32)> = FxHashMap::default();
        let mut front: Vec<(u32, f32)> = vec![(start, 1.0)];
        for hops in 1..=3 {
            let mut next: FxHashMap<u32, f32> = FxHashMap::default();
            for &(from, value) in &front {
                let strong =
                    self.links[from as usize].iter().take_while(|link| link.weight >= least);
                for link in strong.filter(|link| link.to != start) {
                    let value = value * link.weight * if hops > 1 { decay } else { 1.0 };
                    let held = next.entry(link.to).or_insert(0.0);
                    *held = held.max(value);
                }
            }
            for (&place, &value) in next.iter().filter(|_| hops > 1) {
                let held = best.entry(place).or_insert((0.0, hops));
                if !beside.contains(&place) && value > held.0 {
                    *held = (value, hops);
                }
            }
            front = next.into_iter().filter(|&(_, value)| value >= least * least).collect();
            front.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(self.by_id(a.0, b.0)));
            front.truncate(FRONT);
        }
        best.into_iter()
            .filter(|&(_, (value, _))| value > 0.0)
            .map(|(place, (value, hops))| (place, value, hops))
            .collect()
    }

    fn place(&mut self, id: i64) -> u32 {
        let next = u32::try_from(self.ids.len()).unwrap_or(u32::MAX);
        *self.places.entry(id).or_insert_with(|| {
            self.ids.push(id);
            self.links.push(Vec::new());
            next
        })
    }

    fn add_end(&mut self, here: u32, there: u32, weight: f32) {
        let links = &mut self.links[here as usize];
        let weight = match links.iter().position(|link| link.to == there) {
            Some(at) => weight.max(links.remove(at).weight),
            None => weight,
        };
        let (ids, to) = (&self.ids, self.ids[there as usize]);
        let at = links.partition_point(|link| {
            weight.total_cmp(&link.weight).then(ids[link.to as usize].cmp(&to)).is_lt()
        });
        links.insert(at, Link { to: there, weight });
    }

    fn links_of(&self, id: i64) -> &[Link] {
        self.places.get(&id).map_or(&[], |&place| &self.links[place as usize])
    }

    fn by_id(&self, a: u32, b: u32) -> std::cmp::Ordering {
        self.ids[a as usize].cmp(&self.ids[b as usize])
    }
}

/// Places from which latent paths go on: enough for twenty of the strongest.
const FRONT: usize = 64;

/// Two memories that only a path joins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LatentPair {
    /// The smaller number.
    pub src: i64,
    /// The larger one.
    pub dst: i64,
    /// The best path's, in (0, 1].
    pub weight: f32,
    /// How many links that path has.
    pub hops: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PLAIN: Spreading = Spreading { hops: 3, fan: 10, least: 0.05 };

    fn graph(links: &[(i64, i64, f32)]) -> Graph {
        let mut graph = Graph::new();
        for &(one, other, weight) in links {
            graph.add(one, other, weight);
        }
        graph
    }

    #[test]
    fn activation_halves_with_each_hop_and_is_divided_among_links() {
        let graph = graph(&[(1, 2, 0.8), (2, 3, 1.0), (3, 4, 1.0)]);
        let found = graph.spread(&[(1, 1.0)], PLAIN);
        let value = |id: i64| found.iter().find(|held| held.id == id).map(|held| held.value);
        assert_eq!(value(2), Some(0.8)); // one link, first hop
        assert_eq!(value(3), Some(0.2)); // .8 / 2 links, halved
        assert_eq!(found[1].parent, 2);
        assert_eq!(value(4), None); // .2 / 2 / 4 is under .05
    }

    #[test]
    fn neighbours_come_by_weight_and_then_number() {
        let graph = graph(&[(1, 9, 0.5), (1, 4, 0.5), (1, 7, 0.9), (7, 1, 0.3)]);
        assert_eq!(graph.neighbours(1, 5), [(7, 0.9), (4, 0.5), (9, 0.5)]);
        assert_eq!(graph.degree(1), 3);
        assert_eq!(graph.degree(2), 0);
    }

    #[test]
    fn context_goes_breadth_first_and_meets_each_once() {
        let graph = graph(&[(1, 2, 0.9), (1, 3, 0.8), (2, 3, 0.7), (3, 4, 0.6)]);
        let found = graph.context(&[1], 2, 6, 30);
        let met: Vec<(i64, i64, u32)> = found.iter().map(|r| (r.id, r.parent, r.hops)).collect();
        assert_eq!(met, [(2, 1, 1), (3, 1, 1), (4, 3, 2)]);
        assert!((found[0].value - 0.78).abs() < 1e-6);
        assert_eq!(graph.context(&[1], 2, 1, 30).len(), 2);
        assert_eq!(graph.context(&[1], 2, 6, 1).len(), 1);
    }

    #[test]
    fn values_are_drawn_towards_those_of_linked_memories() {
        let graph = graph(&[(1, 2, 1.0), (1, 3, 0.5), (1, 9, 1.0)]);
        let drawn = graph.smoothed(&[1, 2, 3, 4], &[0.0, 0.6, 0.3, 0.8], 0.4);
        // 1: the mean of .6 and half of .3; 2 and 3: of 1 alone; 4 has no link; 9 is not asked for.
        let expected = [0.4 * 0.5, 0.6 * 0.6, 0.6 * 0.3, 0.8];
        assert!(drawn.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{drawn:?}");
    }

    #[test]
    fn latent_pairs_are_the_ends_of_strong_paths_without_a_link_of_their_own() {
        let graph = graph(&[(1, 2, 0.8), (2, 3, 0.5), (3, 4, 0.8), (1, 5, 0.2), (5, 6, 1.0)]);
        let found = graph.latent(&[1], 0.25, 0.7, 20);
        let pairs: Vec<(i64, i64, u32)> = found.iter().map(|p| (p.src, p.dst, p.hops)).collect();
        assert_eq!(pairs, [(1, 3, 2), (1, 4, 3)]);
        assert!((found[0].weight - 0.28).abs() < 1e-6);
        assert!((found[1].weight - 0.8 * 0.5 * 0.8 * 0.49).abs() < 1e-6);
        assert!(graph.latent(&[1], 0.25, 0.7, 1).len() == 1);
    }

    proptest! {
        #[test]
        fn the_order_in_which_links_arrive_changes_nothing(
            mut links in prop::collection::vec((1..12_i64, 1..12_i64, 0.05..1.0_f32), 1..40),
            seed in 1..12_i64,
        ) {
            let forth = graph(&links);
            links.reverse();
            let back = graph(&links);
            let (one, other) = (forth.spread(&[(seed, 1.0)], PLAIN), back.spread(&[(seed, 1.0)], PLAIN));
            prop_assert_eq!(&one, &other);
            prop_assert!(one.iter().all(|held| held.value <= 1.0 && held.value >= PLAIN.least));
            prop_assert_eq!(forth.context(&[seed], 2, 6, 30), back.context(&[seed], 2, 6, 30));
            let all: Vec<i64> = (1..12).collect();
            prop_assert_eq!(forth.latent(&all, 0.25, 0.7, 5), back.latent(&all, 0.25, 0.7, 5));
        }
    }
}
