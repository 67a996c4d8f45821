//! A received datagram enters a socket's queue, with tracepoints only.

use crate::journey::stitch::Stitcher;
use crate::journey::stitch::ip::parts::whole_bytes;
use crate::journey::stitch::packet::datagram::{Datagram, Doubt, SocketFamily};
use crate::journey::stitch::packet::headers::{TCP, UDP};
use crate::journey::stitch::packet::order::Order;
use crate::kernel::{Event, EventIdx, Field, Pid};

impl Stitcher<'_> {
    pub fn queue_datagram(&mut self, index: EventIdx, event: &Event) {
        if !self.udp.infers_reads() || !self.cpus.at(event.cpu).receiving.is_at(event) {
            return;
        }
        if let Some((packet, bytes)) = self.next_segment(event) {
            let hash = self.table[packet].hash;
            self.cpus.at(event.cpu).receiving.note_queued(packet);
            self.queue(packet, index, event);
            let datagram = Datagram {
                packet,
                bytes,
                hash,
                share: None,
                family: SocketFamily::of(self.run, index),
                ready: index,
                doubt: Doubt::None,
            };
            self.udp.wait_for_read(datagram, self.run);
            return;
        }
        let table = &self.table;
        let receiving = &mut self.cpus.at(event.cpu).receiving;
        while let Some(packet) = receiving.take_next() {
            let draft = &table[packet];
            let is_datagram =
                !draft.outcome.is_closed && !draft.is_probed && draft.order < Order::TRANSPORT;
            if !is_datagram || draft.flow.protocol == TCP {
                continue;
            }
            let (first, unresolved) = receiving.fragments();
            let parts =
                self.fragments
                    .take_own_parts((packet, index), first, unresolved, table, self.run);
            let hash = draft.hash;
            let datagram = Datagram {
                packet,
                bytes: whole_bytes(packet, &parts, table),
                hash,
                share: None,
                family: SocketFamily::of(self.run, index),
                ready: index,
                doubt: Doubt::None,
            };
            receiving.wait(datagram);
            self.queue(packet, index, event);
            self.table[packet].flow.protocol = UDP;
            self.udp.wait_to_be_read(datagram, &self.table, self.run);
            self.fragments.suppose(packet, parts, index);
            return;
        }
        self.queue_further(index, event);
    }

    /// `sched_waking`, directly after a datagram was queued: it names the task that waits for it.
    pub fn woken(&mut self, index: EventIdx, event: &Event) {
        let receiving = &mut self.cpus.at(event.cpu).receiving;
        if let Some(packet) = receiving.queued_at(event)
            && let Some(pid) = self.run.field(index, Field::TargetPid)
        {
            let ready = self.table[packet].entries.last();
            if let Some(ready) = ready.map(|entry| entry.event) {
                self.udp.datagrams.heads.woke(Pid(pid), ready);
            }
            let woke = &mut self.table[packet].woke;
            if *woke == Pid::UNKNOWN {
                *woke = Pid(pid);
            } else {
                // Several tasks wait for it (poll(2) wakes all of them); any of them may read it.
                *woke = Pid::UNKNOWN;
                receiving.forget_queued();
            }
        }
    }
}
