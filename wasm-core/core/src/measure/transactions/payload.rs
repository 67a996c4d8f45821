//! Which packets of a conversation carry payload that was not sent before.
//!
//! What comes in tells it itself. Of what TCP sends few recordings tell more than a length with headers of unknown size:
//! there the numbers tell it. A segment carries bytes if others begin, or the other end acknowledges, above its own
//! number. An acknowledgement alone has the number of the data behind it, and is shorter; what is sent again has one
//! that was there before, and is no longer.

use super::Segment;
use crate::journey::Journeys;
use crate::kernel::Direction;
use crate::kernel::protocol::{TCP, is_after};

/// Headers of a segment from the link up take no more bytes: Ethernet, IPv6 without extensions, TCP (RFC 9293 section
/// 3.1).
const MOST_HEADERS: u32 = 14 + 40 + 60;

/// For each packet of a conversation whether it does.
pub(super) fn carried(journeys: &Journeys, all: &[Segment]) -> Vec<bool> {
    let mut carries = vec![false; all.len()];
    let mut ends = [Sent::default(), Sent::default()];
    for (at, segment) in all.iter().enumerate() {
        let row = &journeys.packets[segment.packet.at()];
        if let Some(ack) = segment.ack {
            ends[segment.end.other() as usize].reach(ack);
        }
        let is_new_here = row.direction == Direction::Transmit && !row.cut_from.is_some();
        let is_tcp = journeys
            .flow(row.flow)
            .is_some_and(|flow| flow.protocol == TCP);
        carries[at] = match segment.seq {
            _ if !is_new_here => row.payload > 0,
            _ if !is_tcp => true,
            None => row.payload > 0 || row.bytes > MOST_HEADERS,
            Some(_) if segment.is_syn() => false,
            Some(seq) => {
                let end = &mut ends[segment.end as usize];
                end.reach(seq);
                end.sends(at, seq, row.bytes, &mut carries)
            }
        };
    }
    for last in ends
        .iter()
        .filter_map(|end| end.last.filter(|&last| !end.is_past(last)))
    {
        let row = &journeys.packets[all[last.at].packet.at()];
        carries[last.at] = row.payload > 0;
    }
    carries
}

/// What one end has sent with TCP.
#[derive(Debug, Clone, Copy, Default)]
struct Sent {
    /// The last segment that was not sent before.
    last: Option<Last>,
    /// The highest number at which a segment of it begins, or that was acknowledged.
    reached: Option<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Last {
    /// Its place among the packets of the conversation.
    at: usize,
    seq: u32,
    bytes: u32,
}

impl Sent {
    fn reach(&mut self, number: u32) {
        if self.reached.is_none_or(|reached| is_after(number, reached)) {
            self.reached = Some(number);
        }
    }

    fn is_past(&self, last: Last) -> bool {
        self.reached
            .is_some_and(|reached| is_after(reached, last.seq))
    }

    /// Whether the next segment is none that was sent before. A shorter one before it, of the same number, carried
    /// nothing.
    fn sends(&mut self, at: usize, seq: u32, bytes: u32, carries: &mut [bool]) -> bool {
        if let Some(last) = self.last {
            let is_again = last.seq == seq && bytes <= last.bytes;
            if is_again || is_after(last.seq, seq) {
                return false;
            }
            if last.seq == seq {
                carries[last.at] = false;
            }
        }
        self.last = Some(Last { at, seq, bytes });
        true
    }
}
