//! Determines which addresses of the link are the traced host's: those whose frames its receive path saw.

use std::collections::{BTreeMap, BTreeSet};

use super::frame::{Endpoint, Frame};
use super::matching::{FrameIndex, agrees};
use super::sighting::Sighting;
use crate::kernel::Direction;
use crate::order;

/// The traced host's addresses on the link.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Host {
    pub(super) endpoints: BTreeSet<Endpoint>,
}

impl Host {
    /// Each frame that the kernel received votes for its destination, and each that it sent for its source. Also
    /// returns whether any frame could vote: if both ends of the link are this host's, the votes cancel out.
    pub(super) fn by_content(
        frames: &[Frame],
        index: &FrameIndex,
        received: &[Sighting],
        sent: &[Sighting],
    ) -> (Self, bool) {
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
        let is_answered = !votes.is_empty();
        let positive = votes.into_iter().filter(|&(_, votes)| votes > 0);
        let host = Self {
            endpoints: positive.map(|(endpoint, _)| endpoint).collect(),
        };
        (host, is_answered)
    }

    /// Without content: the candidate whose frames best fit the kernel's lengths and order, followed by those with at
    /// least half as many fitting frames.
    pub(super) fn by_order(frames: &[Frame], fits: impl Fn(&Self) -> usize) -> Vec<Self> {
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
        let mut fitting: Vec<(usize, Self)> = hosts
            .map(|host| (fits(&host), host))
            .filter(|&(fit, _)| fit > 0)
            .collect();
        order::sort_by_key(&mut fitting, |&(fit, _)| std::cmp::Reverse(fit));
        let best = fitting.first().map_or(0, |&(fit, _)| fit);
        let near = fitting.into_iter().filter(|(fit, _)| fit * 2 >= best);
        near.map(|(_, host)| host).collect()
    }

    /// How many similar frames vote.
    const ASKED: usize = 4;

    /// How many addresses of a busy link are tried as the host's.
    const TRIED: usize = 8;

    /// The direction of a frame as seen from this host; `None` between other hosts.
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
