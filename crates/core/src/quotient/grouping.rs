//! Which labels of a state its stabiliser exchanges.

use crate::canon::{Cancel, Stabiliser, join, root};
use crate::model::{Label, Model};

/// Buffers.
pub struct Grouping {
    /// Union-find over the labels, by position.
    leader: Vec<u32>,
    /// (point, position of a label that it occurs in), sorted.
    occurrences: Vec<(u32, u32)>,
    /// Positions of labels of which it is not known where points occur in them.
    anywhere: Vec<u32>,
    points: Vec<u32>,
    /// The identity, but for the generator at hand.
    images: Vec<u32>,
    touched: Vec<u32>,
    cancel: Cancel,
}

impl Grouping {
    /// Of a group that moves so many points.
    pub fn new(points: usize, cancel: &Cancel) -> Grouping {
        Grouping {
            leader: Vec::new(),
            occurrences: Vec::new(),
            anywhere: Vec::new(),
            points: Vec::new(),
            images: (0..points as u32).collect(),
            touched: Vec::new(),
            cancel: cancel.clone(),
        }
    }

    /// By position of a label: that of the first which stands for it. A generator may move few points of many, so only labels
    /// in which these occur are looked at.
    pub fn group<M: Model>(
        &mut self,
        model: &M,
        stabiliser: &Stabiliser,
        labels: &[Label],
        workspace: &mut M::Workspace,
    ) -> &[u32] {
        let Grouping { leader, occurrences, anywhere, points, images, touched, cancel } = self;
        leader.clear();
        leader.extend(0..labels.len() as u32);
        occurrences.clear();
        anywhere.clear();
        for (at, &label) in (0..).zip(labels) {
            points.clear();
            if model.points_of(label, points, workspace) {
                occurrences.extend(points.iter().map(|&point| (point, at)));
            } else {
                anywhere.push(at);
            }
        }
        occurrences.sort_unstable();
        for generator in stabiliser.generators() {
            touched.clear();
            // Of many moves, few are of points that occur.
            let looks_up = anywhere.is_empty() && generator.len() > occurrences.len();
            if looks_up {
                for of_point in occurrences.chunk_by(|(x, _), (y, _)| x == y) {
                    let point = of_point[0].0;
                    if let Ok(at) = generator.binary_search_by_key(&point, |&(x, _)| x) {
                        images[point as usize] = generator[at].1;
                        touched.extend(of_point.iter().map(|&(_, at)| at));
                    }
                }
            } else {
                for &(x, y) in generator {
                    images[x as usize] = y;
                    let from = occurrences.partition_point(|&(point, _)| point < x);
                    let of_point = occurrences[from..].iter().take_while(|&&(point, _)| point == x);
                    touched.extend(of_point.map(|&(_, at)| at));
                }
            }
            touched.sort_unstable();
            touched.dedup();
            for &at in touched.iter().chain(&*anywhere) {
                if model.is_fixed_by(generator, labels[at as usize]) {
                    continue;
                }
                if cancel.poll() {
                    // What is found now means nothing.
                    break;
                }
                let image = model.image(images, labels[at as usize], workspace);
                // Labels ascend, and the stabiliser maps enabled labels to enabled ones.
                if let Ok(other) = labels.binary_search(&image) {
                    join(leader, at, other as u32);
                }
            }
            if looks_up {
                for &(x, _) in &*occurrences {
                    if let Some(image) = images.get_mut(x as usize) {
                        *image = x;
                    }
                }
            } else {
                generator.iter().for_each(|&(x, _)| images[x as usize] = x);
            }
        }
        for at in 0..labels.len() as u32 {
            leader[at as usize] = root(leader, at);
        }
        leader
    }
}
