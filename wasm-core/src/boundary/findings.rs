//! Findings as the page gets them (`web/core/findings.ts`).

use serde::Serialize;
use tsify::Tsify;

use super::saying::SayingView;
use crate::findings::Finding;
use crate::kernel::{Nanos, PacketId};

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
    /// The finding of a run that starts then.
    pub fn of(finding: &Finding, start: Nanos) -> Self {
        let since = |time: Nanos| time.since(start) as f64;
        Self {
            kind: finding.kind.name(),
            severity: finding.severity.name(),
            title: SayingView::from(&finding.title),
            detail: SayingView::from(&finding.detail),
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
