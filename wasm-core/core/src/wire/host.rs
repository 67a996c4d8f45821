//! Which side of the link is the host under trace: the one whose receive path saw
//! the frames that are addressed to it.

use std::collections::{BTreeMap, BTreeSet};

use super::frame::{Endpoint, Frame};
use super::matching::{FrameIndex, agrees};
use super::sighting::Sighting;
use crate::kernel::Direction;
use crate::order;

/// The link's addresses that are the traced host's.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Host {
    pub(super) endpoints: BTreeSet<Endpoint>,
}

impl Host {
    /// Asks every frame that the kernel saw on its way in whom it was for, and every
    /// frame that it sent whom it was from.
    pub(super) fn by_content(
        frames: &[Frame],
        index: &FrameIndex,
        received: &[Sighting],
        sent: &[Sighting],
    ) -> Self {
        let mut votes: BTreeMap<Endpoint, i64> = BTreeMap::new();
        let mut vote = |endpoint: Option<Endpoint>, weight| {
            if let Some(endpoint) = endpoint.filter(|endpoint| !endpoint.is_group()) {
                *votes.entry(endpoint).or_default() += weight;
            }
        };
        for (sightings, weight) in [(received, 1), (sent, -1)] {
            for sighting in sightings {
                let like = index.like(sighting).iter().copied();
                let like = like.filter(|&frame| agrees(&frames[frame], sighting));
                for frame in like.take(Self::ASKED) {
                    vote(frames[frame].destination, weight);
                    vote(frames[frame].source, -weight);
                }
            }
        }
        let positive = votes.into_iter().filter(|&(_, votes)| votes > 0);
        Self {
            endpoints: positive.map(|(endpoint, _)| endpoint).collect(),
        }
    }

    /// Without content: the side that more frames of a kernel's lengths and order fit.
    pub(super) fn by_order(frames: &[Frame], fits: impl Fn(&Self) -> usize) -> Self {
        let mut count: BTreeMap<Endpoint, usize> = BTreeMap::new();
        for endpoint in frames
            .iter()
            .flat_map(|frame| [frame.source, frame.destination])
        {
            if let Some(endpoint) = endpoint.filter(|endpoint| !endpoint.is_group()) {
                *count.entry(endpoint).or_default() += 1;
            }
        }
        let mut likely: Vec<(usize, Endpoint)> = count
            .into_iter()
            .map(|(endpoint, count)| (count, endpoint))
            .collect();
        order::sort_by(&mut likely, |a, b| b.cmp(a));
        let hosts = likely
            .into_iter()
            .take(Self::TRIED)
            .map(|(_, endpoint)| Self {
                endpoints: BTreeSet::from([endpoint]),
            });
        let mut best = (0, Self::default());
        for host in hosts {
            let fit = fits(&host);
            if fit > best.0 {
                best = (fit, host);
            }
        }
        best.1
    }

    /// How many frames that look alike are asked.
    const ASKED: usize = 4;

    /// How many addresses of a busy link are tried as the host's.
    const TRIED: usize = 8;

    /// Which way a frame went, seen from this host; none for frames between others.
    pub(super) fn direction(&self, frame: &Frame) -> Option<Direction> {
        if frame.direction.is_some() {
            return frame.direction;
        }
        let is_ours = |endpoint: Option<Endpoint>| {
            endpoint.is_some_and(|endpoint| self.endpoints.contains(&endpoint))
        };
        if is_ours(frame.source) {
            Some(Direction::Transmit)
        } else if is_ours(frame.destination)
            || !self.endpoints.is_empty() && frame.destination.is_some_and(Endpoint::is_group)
        {
            Some(Direction::Receive)
        } else {
            None
        }
    }
}
