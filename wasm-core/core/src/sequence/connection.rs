//! The two directions of a connection, and which of them to show.

use std::collections::BTreeMap;

use super::{End, Sequence, sequence};
use crate::journey::{Flow, FlowId, Journeys};
use crate::run::Run;

/// The flow in the opposite direction, if the run has it.
pub fn reverse(journeys: &Journeys, flow: FlowId) -> Option<FlowId> {
    let one = journeys.flows.get(flow.0 as usize)?;
    let is_back = |other: &Flow| {
        let same = |a: Option<_>, b: Option<_>| a.is_none() || b.is_none() || a == b;
        other.protocol == one.protocol
            && (other.source_port, other.destination_port)
                == (one.destination_port, one.source_port)
            && same(other.source, one.destination)
            && same(other.destination, one.source)
    };
    let found = journeys.flows.iter().position(is_back)?;
    Some(FlowId(found as u32))
}

/// The direction of a connection with data to show: that of `flow`, or of the flow with the most bytes if `None`; the
/// opposite direction if there is no data in that one. `is_turned` exchanges the two.
pub fn of_connection(
    run: &Run,
    journeys: &Journeys,
    flow: Option<FlowId>,
    is_turned: bool,
    end: Option<End>,
) -> (FlowId, Sequence) {
    let flow = flow.or_else(|| busiest(journeys)).unwrap_or(FlowId::NONE);
    let graph = sequence(run, journeys, flow, end);
    let Some(back) = reverse(journeys, flow) else {
        return (flow, graph);
    };
    if graph.segments.is_empty() == is_turned {
        return (flow, graph);
    }
    let other = sequence(run, journeys, back, end);
    if !is_turned && other.segments.is_empty() {
        return (flow, graph);
    }
    (back, other)
}

/// The flow whose packets with sequence numbers have the most bytes.
fn busiest(journeys: &Journeys) -> Option<FlowId> {
    let mut bytes: BTreeMap<FlowId, u64> = BTreeMap::new();
    for packet in &journeys.packets {
        if packet.seq.is_some() && packet.flow != FlowId::NONE {
            *bytes.entry(packet.flow).or_default() += u64::from(packet.bytes);
        }
    }
    // Of equal flows the first.
    let most = bytes.into_iter().rev().max_by_key(|&(_, bytes)| bytes);
    most.map(|(flow, _)| flow)
}
