//! A capture joins its run: frames become events with their facts, tied to the
//! packets they became.
//!
//! The clock: `wire minus trace` is given by the recording's metadata or estimated
//! as the difference at which the frame with the shortest way from the link to its
//! first event arrives one nanosecond before it. It is too small by that way. Where
//! no offset lets every frame come before its packet's first event and after its last,
//! it is what most pairs agree on, and no frame counts as dropped.

use super::Capture;
use super::clock::{self, Bounds};
use super::fate::Fate;
use super::frame::Frame;
use super::host::Host;
use super::matching::{self, FrameIndex, Matches};
use super::missed::RingWatch;
use super::order::{by_order, fill_by_order};
use super::sighting::{Sighting, sightings};
use super::words;
use crate::kernel::{Direction, NameId, Nanos};
use crate::order;
use crate::run::{Run, RunBuilder};
use crate::saying::Saying;

/// How a capture was joined to a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Attachment {
    /// The capture's clock minus the trace's, in nanoseconds.
    pub offset_ns: i64,
    /// The offset was not given, and is too small by the shortest way.
    pub is_estimated: bool,
    /// Frames told apart by order and length only, where the trace has no header fields.
    pub matched_by_order: u64,
    /// The traced host's addresses on the link.
    pub host: Vec<String>,
    /// The device that the link is on, where the trace names it.
    pub device: Option<String>,
    /// Frames to the host that became a packet.
    pub matched_rx: u64,
    /// Frames from the host that a packet became.
    pub matched_tx: u64,
    /// Frames to the host that were not observed in the kernel and not provably dropped.
    pub unmatched_rx: u64,
    /// Frames from the host without a packet.
    pub unmatched_tx: u64,
    /// Frames to the host that the kernel had to see and did not.
    pub dropped_by_nic: u64,
    /// Of the unmatched, those before the recording began or after it ended; they are left out of the run.
    pub outside: u64,
    /// Frames between other hosts; they are left out of the run.
    pub of_others: u64,
    /// What the user should know.
    pub notes: Vec<Saying>,
}

/// Adds the link's frames to the run: `wire_rx` and `wire_tx`, tied to the packet by
/// its skb, and `rx_missed` after a frame that the NIC dropped.
///
/// `offset` is the capture's clock minus the trace's in nanoseconds, where it is known.
pub fn attach(run: Run, capture: &Capture, offset: Option<i64>) -> (Run, Attachment) {
    let joint = Joint::new(&run, capture, offset);
    let attachment = joint.attachment;
    if joint.fates.iter().all(Option::is_none) {
        return (run, attachment);
    }
    let mut builder = RunBuilder::resume(run);
    for (frame, fate) in capture.frames.iter().zip(&joint.fates) {
        if let Some(fate) = fate {
            fate.push(frame, joint.device, &mut builder);
        }
    }
    (builder.finish(), attachment)
}

struct Joint {
    fates: Vec<Option<Fate>>,
    device: Option<NameId>,
    attachment: Attachment,
    /// The times of frames and packets allow one offset.
    is_sure: bool,
}

impl Joint {
    fn new(run: &Run, capture: &Capture, given: Option<i64>) -> Self {
        let frames = &capture.frames;
        let index = FrameIndex::new(frames);
        let received = sightings(run, Direction::Receive);
        let sent = sightings(run, Direction::Transmit);
        let mut attachment = Attachment::default();

        let mut host = Host::by_content(frames, &index, &received, &sent);
        let is_by_order = host.endpoints.is_empty();
        // A capture of all devices (`-i any`) tells directions instead of both ends' addresses.
        if is_by_order && !frames.iter().any(|frame| frame.direction.is_some()) {
            host = Host::by_order(frames, |host| {
                let fit = |sightings: &[Sighting], direction| {
                    let is_candidate =
                        |frame: usize| host.direction(&frames[frame]) == Some(direction);
                    by_order(frames, sightings, direction, None, is_candidate).count()
                };
                (fit(&received, Direction::Receive) + fit(&sent, Direction::Transmit)) as usize
            });
        }
        let directions: Vec<Option<Direction>> =
            frames.iter().map(|frame| host.direction(frame)).collect();
        let link = Link {
            frames,
            index: &index,
            directions: &directions,
            is_by_order,
        };
        let mut bounds = link.bounds(&received, &sent, None);
        let is_sure = given.is_some() || !bounds.contradict();
        if !is_sure && let Some(about) = clock::agreed(frames, &directions, &received, &sent) {
            bounds = link.bounds(&received, &sent, Some(about));
            if bounds.contradict() {
                bounds = Bounds {
                    low: Some(about),
                    high: None,
                };
            }
        }
        attachment.is_estimated = given.is_none() && bounds.offset().is_some();
        let offset = given.or(bounds.offset()).unwrap_or(0);
        attachment.offset_ns = offset;
        let (rx, rx_by_order) = link.matches(&received, Direction::Receive, offset);
        let (tx, tx_by_order) = link.matches(&sent, Direction::Transmit, offset);
        attachment.matched_by_order = rx_by_order + tx_by_order;
        attachment.matched_rx = rx.count();
        attachment.matched_tx = tx.count();
        let device = device(&received, &rx).or_else(|| device(&sent, &tx));

        let mut joint = Self {
            fates: Vec::with_capacity(frames.len()),
            device,
            attachment,
            is_sure,
        };
        let watch = link.watch(run, device, &received, &rx, offset);
        for (place, frame) in frames.iter().enumerate() {
            let time = on_trace_clock(frame, offset);
            let fate = match directions[place] {
                None => {
                    joint.attachment.of_others += 1;
                    None
                }
                Some(Direction::Receive) => match rx.of[place] {
                    Some(found) => Some(Fate::arrived(&received[found.0], found.1, time)),
                    None => joint.unseen(run, frame, time, &watch),
                },
                Some(Direction::Transmit) => match tx.of[place] {
                    Some(found) => Some(Fate::left(&sent[found.0], time)),
                    None => joint.without_packet(run, time),
                },
            };
            joint.fates.push(fate);
        }
        joint.describe(run, &host, bounds, capture);
        joint
    }

    /// A frame to the host that no event saw.
    fn unseen(&mut self, run: &Run, frame: &Frame, time: Nanos, watch: &RingWatch) -> Option<Fate> {
        let is_one_host = frame
            .destination
            .is_none_or(|endpoint| !endpoint.is_group());
        let is_comparable =
            self.attachment.matched_by_order > 0 || frame.ip.is_some_and(|ip| ip.id.is_some());
        if self.is_sure && is_one_host && is_comparable && run.start() <= time && watch.proves(time)
        {
            self.attachment.dropped_by_nic += 1;
            return Some(Fate {
                is_missed: true,
                ..Fate::alone(Direction::Receive, time)
            });
        }
        self.attachment.unmatched_rx += 1;
        self.unmatched(run, Direction::Receive, time)
    }

    /// A frame from the host that no event sent.
    fn without_packet(&mut self, run: &Run, time: Nanos) -> Option<Fate> {
        self.attachment.unmatched_tx += 1;
        self.unmatched(run, Direction::Transmit, time)
    }

    fn unmatched(&mut self, run: &Run, direction: Direction, time: Nanos) -> Option<Fate> {
        if run.start() <= time && time <= run.end() {
            return Some(Fate::alone(direction, time));
        }
        self.attachment.outside += 1;
        None
    }

    fn describe(&mut self, run: &Run, host: &Host, bounds: Bounds, capture: &Capture) {
        let attachment = &mut self.attachment;
        attachment.host = host.endpoints.iter().map(ToString::to_string).collect();
        attachment.device = self.device.map(|dev| run.names.text(dev).to_owned());
        let matched = attachment.matched_rx + attachment.matched_tx;
        // Of a capture that belongs to the recording nearly all match; of another those of the same length by chance.
        let unmatched = attachment.unmatched_rx + attachment.unmatched_tx;
        let of_its_time = matched + unmatched - attachment.outside;
        let mut notes = Vec::new();
        if matched == 0 {
            notes.push(words::none_found(capture.frames.len() as u64));
        } else if matched * 2 < of_its_time {
            notes.push(words::few_found(matched, of_its_time));
        } else if !attachment.host.is_empty() {
            notes.push(words::host(attachment.host.join(", ")));
        }
        if attachment.matched_by_order > 0 {
            notes.push(words::by_order(attachment.matched_by_order));
        }
        if !self.is_sure {
            notes.push(words::contradicts());
        } else if attachment.is_estimated {
            notes.push(match (bounds.low, bounds.high) {
                (Some(low), Some(high)) => {
                    words::estimated_within(high.saturating_sub(low).unsigned_abs())
                }
                (Some(_), None) => words::estimated(),
                _ => words::estimated_from_sent(),
            });
        } else if let Some(low) = bounds.low
            && low >= attachment.offset_ns
        {
            notes.push(words::offset_too_small(low.abs_diff(attachment.offset_ns)));
        }
        if attachment.outside > 0 {
            notes.push(words::outside(attachment.outside));
        }
        notes.extend(capture.left_out.notes());
        notes.extend(capture.ledger.warnings.iter().cloned());
        attachment.notes = notes;
    }
}

/// The frames and what is known of them before times are compared.
struct Link<'a> {
    frames: &'a [Frame],
    index: &'a FrameIndex,
    directions: &'a [Option<Direction>],
    is_by_order: bool,
}

impl Link<'_> {
    fn is_candidate(&self, direction: Direction) -> impl Fn(usize) -> bool + '_ {
        move |frame| self.directions[frame] == Some(direction)
    }

    /// What the pairs of frames and packets say of the offset; where it is known roughly, those near it.
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

    /// The frames' packets, and how many of them are told by order alone.
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
        // ARP has no IP id; a tracepoint shows none.
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

    fn watch(
        &self,
        run: &Run,
        dev: Option<NameId>,
        received: &[Sighting],
        rx: &Matches,
        offset: i64,
    ) -> RingWatch {
        let clock = |frame: &Frame| on_trace_clock(frame, offset);
        let mut pairs = self.frames.iter().zip(&rx.of);
        let arrived = pairs.rfind(|(_, found)| found.is_some());
        let arrived = arrived.map(|(frame, _)| clock(frame));
        let mut taken: Vec<Nanos> = rx
            .of
            .iter()
            .flatten()
            .map(|&(place, _)| received[place].time)
            .collect();
        order::sort(&mut taken);
        let (Some(first), Some(last)) = (self.frames.first(), self.frames.last()) else {
            return RingWatch::blind();
        };
        let captured = clock(first)..=clock(last);
        let of_link = received.iter().filter(|sighting| {
            let is_ours = sighting.dev.is_none() || sighting.dev == dev;
            is_ours && captured.contains(&sighting.time)
        });
        if of_link.count() as u64 > rx.count_first() {
            return RingWatch::blind();
        }
        RingWatch::new(run, dev, &taken, arrived)
    }
}

fn on_trace_clock(frame: &Frame, offset: i64) -> Nanos {
    let clock = frame.time.0.cast_signed().wrapping_sub(offset);
    Nanos(clock.max(0).cast_unsigned())
}

/// The device of most matched packets.
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
