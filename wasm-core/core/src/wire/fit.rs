//! Matches the frames of a capture to the packets of a run, for a choice of the link's addresses as those of the
//! traced host.
//!
//! The offset, link time minus trace time, is given by the recording's metadata or estimated so that the frame with
//! the shortest delay between link and first event precedes that event by one nanosecond. The estimate is too small
//! by that delay. If no offset lets every frame precede its packet's first event and follow its last, it is the one
//! on which most pairs agree, and no frame counts as dropped.

use super::clock::{self, Bounds};
use super::doubles;
use super::frame::Frame;
use super::host::Host;
use super::matching::{self, FrameIndex, Matches};
use super::missed::RingWatch;
use super::order::{by_order, fill_by_order};
use super::sighting::Sighting;
use crate::kernel::{Direction, NameId, Nanos};
use crate::order;
use crate::run::Run;

/// The frames of a link and the kernel's sightings of them.
#[derive(Clone, Copy)]
pub(super) struct Link<'a> {
    pub frames: &'a [Frame],
    pub index: &'a FrameIndex,
    pub received: &'a [Sighting],
    pub sent: &'a [Sighting],
    /// The capture's clock minus the trace's in nanoseconds, if known.
    pub given: Option<i64>,
}

/// The result of matching frames to packets.
pub(super) struct Fit {
    pub host: Host,
    /// The direction of each frame; `None` between other hosts.
    pub directions: Vec<Option<Direction>>,
    /// Which frames are copies of another.
    pub is_copy: Vec<bool>,
    pub bounds: Bounds,
    /// The times of frames and packets are consistent with one offset.
    pub is_sure: bool,
    pub offset: i64,
    pub rx: Matches,
    pub tx: Matches,
    /// Frames matched by order and length only.
    pub matched_by_order: u64,
}

impl Fit {
    /// The fit with the most matched frames, after removing those copies in the capture that are no packets.
    pub fn best(link: &Link<'_>) -> Self {
        let mut is_copy = doubles::copies(link.frames);
        let fit = Self::of_likely_hosts(link, &is_copy);
        let mut has_real = false;
        for place in fit.packets_of_their_own(link) {
            is_copy[place] = false;
            has_real = true;
        }
        if has_real {
            Self::of_likely_hosts(link, &is_copy)
        } else {
            fit
        }
    }

    /// The device of most matched packets.
    pub fn device(&self, link: &Link<'_>) -> Option<NameId> {
        device(link.received, &self.rx).or_else(|| device(link.sent, &self.tx))
    }

    fn of_likely_hosts(link: &Link<'_>, is_copy: &[bool]) -> Self {
        let frames = link.frames;
        let (host, is_by_content) = Host::by_content(frames, link.index, link.received, link.sent);
        // A capture of all devices (`-i any`) records directions instead of both ends' addresses.
        let is_told = frames.iter().any(|frame| frame.direction.is_some());
        if is_told || !host.endpoints.is_empty() {
            return Self::of(link, host, is_copy, !is_by_content);
        }
        let hosts = Host::by_order(frames, |host| {
            let fit = |sightings: &[Sighting], direction| {
                let is_candidate = |place: usize| {
                    !is_copy[place] && host.direction(&frames[place]) == Some(direction)
                };
                let matches = if is_by_content {
                    let index = link.index;
                    matching::by_content(frames, index, sightings, direction, None, is_candidate)
                } else {
                    by_order(frames, sightings, direction, None, is_candidate)
                };
                matches.count()
            };
            (fit(link.received, Direction::Receive) + fit(link.sent, Direction::Transmit)) as usize
        });
        // Both ends of a link may be this host's, as with a veth pair: each fits until times are compared.
        let fits = hosts
            .into_iter()
            .map(|host| Self::of(link, host, is_copy, !is_by_content));
        let best = fits.reduce(|best, fit| if fit.rank() > best.rank() { fit } else { best });
        best.unwrap_or_else(|| Self::of(link, host, is_copy, !is_by_content))
    }

    /// The quality of the fit: the number of matched frames, then whether their times are consistent.
    fn rank(&self) -> (u64, bool) {
        (self.rx.count() + self.tx.count(), self.is_sure)
    }

    fn of(link: &Link<'_>, host: Host, is_copy: &[bool], is_by_order: bool) -> Self {
        let (frames, received, sent) = (link.frames, link.received, link.sent);
        let directions: Vec<Option<Direction>> =
            frames.iter().map(|frame| host.direction(frame)).collect();
        let asked = only(&directions, |place| !is_copy[place]);
        let sides = Sides {
            frames,
            index: link.index,
            directions: &asked,
            is_by_order,
        };
        let mut bounds = sides.bounds(received, sent, None);
        let is_sure = link.given.is_some() || !bounds.contradict();
        if !is_sure && let Some(about) = clock::agreed(frames, &asked, received, sent) {
            bounds = sides.bounds(received, sent, Some(about));
            if bounds.contradict() {
                bounds = Bounds {
                    low: Some(about),
                    high: None,
                };
            }
        }
        let offset = link.given.or(bounds.offset()).unwrap_or(0);
        let (rx, rx_by_order) = sides.matches(received, Direction::Receive, offset);
        let (tx, tx_by_order) = sides.matches(sent, Direction::Transmit, offset);
        Self {
            host,
            directions,
            is_copy: is_copy.to_vec(),
            bounds,
            is_sure,
            offset,
            rx,
            tx,
            matched_by_order: rx_by_order + tx_by_order,
        }
    }

    /// Supposed copies for which the kernel saw a packet on this link too.
    fn packets_of_their_own(&self, link: &Link<'_>) -> Vec<usize> {
        if !self.is_copy.contains(&true) {
            return Vec::new();
        }
        let device = self.device(link);
        let asked = only(&self.directions, |place| self.is_copy[place]);
        let sides = Sides {
            frames: link.frames,
            index: link.index,
            directions: &asked,
            is_by_order: false,
        };
        let found = |sightings: &[Sighting], matches: &Matches, direction| {
            let mut is_taken = vec![false; sightings.len()];
            for &(place, _) in matches.of.iter().flatten() {
                is_taken[place] = true;
            }
            let rest = sightings.iter().zip(is_taken);
            let rest = rest.filter(|(sighting, is_taken)| {
                !is_taken && (sighting.dev.is_none() || sighting.dev == device)
            });
            let rest: Vec<Sighting> = rest.map(|(sighting, _)| sighting.clone()).collect();
            let (matches, _) = sides.matches(&rest, direction, self.offset);
            matches.of
        };
        let rx = found(link.received, &self.rx, Direction::Receive);
        let tx = found(link.sent, &self.tx, Direction::Transmit);
        let both = rx.iter().zip(&tx).enumerate();
        both.filter(|(_, (rx, tx))| rx.or(**tx).is_some())
            .map(|(place, _)| place)
            .collect()
    }

    /// The time up to which every received frame must have been seen.
    pub fn watch(&self, run: &Run, link: &Link<'_>) -> RingWatch {
        let (frames, received, dev) = (link.frames, link.received, self.device(link));
        let clock = |frame: &Frame| on_trace_clock(frame, self.offset);
        let mut pairs = frames.iter().zip(&self.rx.of);
        let arrived = pairs.rfind(|(_, found)| found.is_some());
        let arrived = arrived.map(|(frame, _)| clock(frame));
        let matched = self.rx.of.iter().flatten();
        let mut taken: Vec<Nanos> = matched.map(|&(place, _)| received[place].time).collect();
        order::sort(&mut taken);
        let (Some(first), Some(last)) = (frames.first(), frames.last()) else {
            return RingWatch::blind();
        };
        let captured = clock(first)..=clock(last);
        let of_link = received.iter().filter(|sighting| {
            let is_ours = sighting.dev.is_none() || sighting.dev == dev;
            is_ours && captured.contains(&sighting.time)
        });
        if of_link.count() as u64 > self.rx.count_first() {
            return RingWatch::blind();
        }
        RingWatch::new(run, dev, &taken, arrived, &captured)
    }
}

/// The frames, and what is known of them without comparing times.
struct Sides<'a> {
    frames: &'a [Frame],
    index: &'a FrameIndex,
    /// The direction of each frame that may be a packet.
    directions: &'a [Option<Direction>],
    is_by_order: bool,
}

impl Sides<'_> {
    fn is_candidate(&self, direction: Direction) -> impl Fn(usize) -> bool + '_ {
        move |frame| self.directions[frame] == Some(direction)
    }

    /// The bounds of the offset from pairs of frames and packets; with an approximate offset, from pairs near it.
    fn bounds(&self, received: &[Sighting], sent: &[Sighting], about: Option<i64>) -> Bounds {
        let at = |slack: i64| about.map(|about| about.saturating_add(slack));
        let low = self.differences(received, Direction::Receive, at(clock::AGREEING));
        let high = self.differences(sent, Direction::Transmit, at(-clock::AGREEING));
        Bounds {
            low: low.into_iter().max(),
            high: high.into_iter().min(),
        }
    }

    fn differences(
        &self,
        sightings: &[Sighting],
        direction: Direction,
        about: Option<i64>,
    ) -> Vec<i64> {
        let is_candidate = self.is_candidate(direction);
        let matches = if self.is_by_order {
            by_order(self.frames, sightings, direction, about, is_candidate)
        } else {
            let sure =
                matching::sure_differences(self.frames, self.index, sightings, &is_candidate);
            if !sure.is_empty() {
                return sure;
            }
            matching::by_content(
                self.frames,
                self.index,
                sightings,
                direction,
                about,
                is_candidate,
            )
        };
        let pairs = self.frames.iter().zip(&matches.of);
        pairs
            .filter_map(|(frame, found)| Some(matching::difference(frame, &sightings[(*found)?.0])))
            .collect()
    }

    /// Matches frames to packets, and counts those matched by order alone.
    fn matches(&self, sightings: &[Sighting], direction: Direction, offset: i64) -> (Matches, u64) {
        let is_candidate = self.is_candidate(direction);
        let mut matches = matching::by_content(
            self.frames,
            self.index,
            sightings,
            direction,
            Some(offset),
            &is_candidate,
        );
        // ARP has no IP id, and no tracepoint shows one.
        let guessed = fill_by_order(
            &mut matches,
            self.frames,
            sightings,
            direction,
            Some(offset),
            is_candidate,
        );
        (matches, guessed)
    }
}

/// The directions of the frames for which `is_asked` holds.
fn only(
    directions: &[Option<Direction>],
    is_asked: impl Fn(usize) -> bool,
) -> Vec<Option<Direction>> {
    let places = directions.iter().enumerate();
    places
        .map(|(place, &direction)| direction.filter(|_| is_asked(place)))
        .collect()
}

pub(super) fn on_trace_clock(frame: &Frame, offset: i64) -> Nanos {
    let clock = frame.time.0.cast_signed().wrapping_sub(offset);
    Nanos(clock.max(0).cast_unsigned())
}

fn device(sightings: &[Sighting], matches: &Matches) -> Option<NameId> {
    let mut count = std::collections::BTreeMap::new();
    for &(place, _) in matches.of.iter().flatten() {
        if let Some(dev) = sightings[place].dev {
            *count.entry(dev).or_insert(0u64) += 1;
        }
    }
    count
        .into_iter()
        .max_by_key(|&(_, count)| count)
        .map(|(dev, _)| dev)
}
