//! Joins a capture to its run: frames become events with their header fields, linked to the packets that they became.
//!
//! `fit` decides which frame is which packet; here the fate of each frame follows from that.

use super::Capture;
use super::clock::Bounds;
use super::fate::Fate;
use super::fit::{Fit, Link, on_trace_clock};
use super::frame::Frame;
use super::host::Host;
use super::matching::FrameIndex;
use super::missed::RingWatch;
use super::sighting::sightings;
use super::words;
use crate::kernel::{Direction, NameId, Nanos};
use crate::run::{Run, RunBuilder};
use crate::saying::Saying;

/// How a capture was joined to a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Attachment {
    /// The capture's clock minus the trace's, in nanoseconds.
    pub offset_ns: i64,
    /// The offset was estimated, and is too small by the shortest delay between link and first event.
    pub is_estimated: bool,
    /// Frames matched by order and length only, because the trace has no header fields.
    pub matched_by_order: u64,
    /// The traced host's addresses on the link.
    pub host: Vec<String>,
    /// The device that the link is on, where the trace names it.
    pub device: Option<String>,
    /// Frames to the host that became a packet.
    pub matched_rx: u64,
    /// Frames from the host that a packet became.
    pub matched_tx: u64,
    /// Frames to the host without events in the kernel that were not provably dropped.
    pub unmatched_rx: u64,
    /// Frames from the host without a packet.
    pub unmatched_tx: u64,
    /// Frames to the host that must have reached the kernel if not dropped, and did not.
    pub dropped_by_nic: u64,
    /// Unmatched frames from before or after the recording; left out of the run.
    pub outside: u64,
    /// Frames between other hosts; left out of the run.
    pub of_others: u64,
    /// Duplicates of frames in the capture; left out of the run.
    pub doubled: u64,
    /// Notes for the user.
    pub notes: Vec<Saying>,
}

/// Adds the link's frames to the run: `wire_rx` and `wire_tx`, linked to the packet by its skb, and `rx_missed` after
/// a frame that the NIC dropped.
///
/// `offset` is the capture's clock minus the trace's in nanoseconds, if known.
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
    /// The times of frames and packets are consistent with one offset.
    is_sure: bool,
    /// The trace tells of what it received by IPv6 more than lengths.
    is_v6_told: bool,
}

impl Joint {
    fn new(run: &Run, capture: &Capture, given: Option<i64>) -> Self {
        let frames = &capture.frames;
        let index = FrameIndex::new(frames);
        let received = sightings(run, Direction::Receive);
        let sent = sightings(run, Direction::Transmit);
        let link = Link {
            frames,
            index: &index,
            received: &received,
            sent: &sent,
            given,
        };
        let fit = Fit::best(&link);
        let attachment = Attachment {
            is_estimated: given.is_none() && fit.bounds.offset().is_some(),
            offset_ns: fit.offset,
            matched_by_order: fit.matched_by_order,
            matched_rx: fit.rx.count(),
            matched_tx: fit.tx.count(),
            ..Attachment::default()
        };
        let device = fit.device(&link);
        let mut joint = Self {
            fates: Vec::with_capacity(frames.len()),
            device,
            attachment,
            is_sure: fit.is_sure,
            is_v6_told: received.iter().any(|it| it.is_v6() && it.has_content()),
        };
        let watch = fit.watch(run, &link);
        for (place, frame) in frames.iter().enumerate() {
            let time = on_trace_clock(frame, fit.offset);
            let fate = match fit.directions[place] {
                _ if fit.is_copy[place] => {
                    joint.attachment.doubled += 1;
                    None
                }
                None => {
                    joint.attachment.of_others += 1;
                    None
                }
                Some(Direction::Receive) => match fit.rx.of[place] {
                    Some(found) => Some(Fate::arrived(&received[found.0], found.1, time)),
                    None => joint.unseen(run, frame, time, &watch),
                },
                Some(Direction::Transmit) => match fit.tx.of[place] {
                    Some(found) => Some(Fate::left(&sent[found.0], time)),
                    None => joint.without_packet(run, time),
                },
            };
            joint.fates.push(fate);
        }
        joint.describe(run, &fit.host, fit.bounds, capture);
        if joint.fit_by_chance() {
            joint.fates.clear();
        }
        joint
    }

    /// Whether the trace would tell this frame from others of its length.
    fn is_told(&self, frame: &Frame) -> bool {
        frame.is_comparable() && (self.is_v6_told || !frame.is_v6())
    }

    /// Classifies a frame to the host without an event.
    fn unseen(&mut self, run: &Run, frame: &Frame, time: Nanos, watch: &RingWatch) -> Option<Fate> {
        let is_one_host = frame
            .destination
            .is_none_or(|endpoint| !endpoint.is_group());
        let is_comparable = self.attachment.matched_by_order > 0 || self.is_told(frame);
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

    /// Classifies a frame from the host without an event.
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

    /// The frames from the time of the recording.
    const fn of_its_time(&self) -> u64 {
        let attachment = &self.attachment;
        let matched = attachment.matched_rx + attachment.matched_tx;
        matched + attachment.unmatched_rx + attachment.unmatched_tx - attachment.outside
    }

    /// Whether few frames were found, as in the capture of another link, where some fit by equal length.
    const fn are_few_found(&self) -> bool {
        (self.attachment.matched_rx + self.attachment.matched_tx) * 2 < self.of_its_time()
    }

    /// Whether few frames were found and their times contradict each other too: then none of them is known to be a packet
    /// of the recording. So it is with a link whose two ends are both this host's.
    const fn fit_by_chance(&self) -> bool {
        self.are_few_found() && !self.is_sure
    }

    fn describe(&mut self, run: &Run, host: &Host, bounds: Bounds, capture: &Capture) {
        let (of_its_time, are_few_found) = (self.of_its_time(), self.are_few_found());
        let is_left_out = self.fit_by_chance();
        let attachment = &mut self.attachment;
        attachment.host = host.endpoints.iter().map(ToString::to_string).collect();
        attachment.device = self.device.map(|dev| run.names.text(dev).to_owned());
        let matched = attachment.matched_rx + attachment.matched_tx;
        // In the capture of this recording nearly all frames match.
        let mut notes = Vec::new();
        let frames = capture.frames.len() as u64;
        if frames == 0 {
            // Frames that are left out are reported below.
            if capture.ledger.total() == 0 {
                notes.push(words::no_frame());
            }
        } else if matched == 0 {
            notes.push(words::none_found(frames));
        } else if are_few_found {
            notes.push(words::few_found(matched, of_its_time));
            if is_left_out {
                notes.push(words::left_out());
            }
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
        if attachment.doubled > 0 {
            notes.push(words::doubled(attachment.doubled));
        }
        notes.extend(capture.left_out.notes());
        notes.extend(capture.ledger.warnings.iter().cloned());
        attachment.notes = notes;
    }
}
