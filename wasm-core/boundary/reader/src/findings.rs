//! Findings as the page gets them (`web/core/findings.ts`).

use serde::Serialize;
use tsify::Tsify;

use boundary_saying::SayingView;
use ringside::findings::Finding;
use ringside::kernel::{Nanos, PacketId};
use ringside::opened::Opened;

/// Something that happened. Times are nanoseconds since the start of the run.
#[derive(Debug, Serialize, Tsify)]
pub struct FindingView {
    kind: &'static str,
    #[tsify(type = "'info' | 'notice' | 'problem'")]
    severity: &'static str,
    title: SayingView,
    detail: SayingView,
    packets: Vec<u32>,
    from: f64,
    to: f64,
    moment: f64,
    #[tsify(type = "number | undefined")]
    packet: Option<u32>,
    #[tsify(type = "'way' | 'queues' | 'caches' | 'scheduler' | 'locks'")]
    view: &'static str,
}

impl FindingView {
    /// A finding of a run.
    pub fn of(finding: &Finding, opened: &Opened) -> Self {
        let since = |time: Nanos| opened.replay.since_start(time);
        Self {
            kind: finding.kind.name(),
            severity: finding.severity.name(),
            title: SayingView::of(&finding.title, &opened.journeys),
            detail: SayingView::of(&finding.detail, &opened.journeys),
            packets: finding.packets.iter().map(|packet| packet.0).collect(),
            from: since(finding.from),
            to: since(finding.to),
            moment: since(finding.moment),
            packet: Some(finding.packet)
                .filter(|packet| packet.is_some())
                .map(|PacketId(id)| id),
            view: finding.view.name(),
        }
    }
}
