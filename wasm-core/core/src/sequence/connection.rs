//! The two ways of a connection, and which of them is meant.

use std::collections::BTreeMap;

use super::{End, Sequence, sequence};
use crate::journey::{Flow, FlowId, Journeys};
use crate::run::Run;

/// The flow that goes the other way, if the run has it.
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

/// The way of a connection that has data to show: that of `flow`, or of the most bytes where none is named, and
/// the other way where no data goes that one. `is_turned` asks for the opposite of it.
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
    // Of as many bytes the first.
    let most = bytes.into_iter().rev().max_by_key(|&(_, bytes)| bytes);
    most.map(|(flow, _)| flow)
}
