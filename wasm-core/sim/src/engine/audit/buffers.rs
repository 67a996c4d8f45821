//! What sockets count of memory, against the packets that have it.

use super::Wrong;
use crate::engine::Engine;
use crate::engine::ids::{Id as _, SkbId};

impl Engine {
    /// A socket counts the memory of the datagrams that wait in it, and that of its packets which are on their way out;
    /// a receive buffer holds at most one datagram beyond its limit.
    pub(super) fn audit_buffers(&self, wrong: &mut Wrong) {
        let core = &self.core;
        let mut sent = vec![0; core.socks.len()];
        for packet in core.skbs.iter() {
            if let Some(from) = packet.frame.from {
                sent[from.index()] += packet.truesize;
            }
        }
        for id in core.socks.ids() {
            let (sock, socket) = (&core.socks[id], &self.net.sockets[id]);
            let (counted, held) = (sock.wmem_alloc, sent[id.index()]);
            if counted != held {
                wrong.push(format!(
                    "{id:?} counts {counted} bytes on their way out, and its packets have {held}"
                ));
            }
            if !sock.is_udp {
                continue;
            }
            let memory_of = |&skb: &SkbId| self.net.memory_of(core, sock.host, skb);
            let waiting: u32 = socket.receive_queue.iter().map(memory_of).sum();
            let (counted, held) = (socket.rmem_alloc, waiting + socket.forward_deficit);
            if counted != held {
                wrong.push(format!(
                    "{id:?} counts {counted} bytes of datagrams, and they have {held}"
                ));
            }
            let limit = self.net.stacks[sock.host].datagram_receive_buffer;
            let before_last = waiting - socket.receive_queue.back().map_or(0, memory_of);
            if before_last > limit {
                wrong.push(format!(
                    "{id:?} took a datagram though {before_last} bytes of {limit} were in use"
                ));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::engine::ids::{Device, NicId};
    use crate::engine::memory::skbuff::{Frame, SkBuff};
    use crate::engine::setup::testing::{World, sock};

    /// A linked host whose socket 1 has three datagrams waiting.
    fn engine() -> Engine {
        let mut engine = World {
            kernel: "6.1",
            is_udp: true,
            is_linked: true,
            settings: json!({ "nics": 1 }),
            ..World::default()
        }
        .engine();
        for _ in 0..3 {
            let mut frame = Frame {
                is_udp: true,
                to: Some(sock(1)),
                ..Frame::default()
            };
            frame.segment.len = 64;
            let packet = SkBuff::of(frame, Device::Nic(NicId::from_index(0)));
            let skb = engine.core.alloc_skb(0, packet);
            engine.net.queue_datagram(&mut engine.core, 0, skb, sock(1));
        }
        engine
    }

    fn wrong(engine: &Engine) -> Wrong {
        let mut wrong = Wrong::new();
        engine.audit_buffers(&mut wrong);
        wrong
    }

    #[test]
    fn a_buffer_is_found_that_is_over_full_or_counts_what_it_does_not_hold() {
        let mut engine = engine();
        assert_eq!(wrong(&engine), Wrong::new());
        engine.net.stacks[0].datagram_receive_buffer = 2 * 768;
        assert_eq!(wrong(&engine), Wrong::new(), "the last may go beyond it");
        engine.net.stacks[0].datagram_receive_buffer -= 1;
        assert_eq!(wrong(&engine).len(), 1);
        engine.net.stacks[0].datagram_receive_buffer = 10_000;
        engine.net.sockets[sock(1)].rmem_alloc += 1;
        assert_eq!(wrong(&engine).len(), 1);
        engine.net.sockets[sock(1)].rmem_alloc -= 1;
        engine.core.socks[sock(0)].wmem_alloc = 100;
        assert_eq!(wrong(&engine).len(), 1);
    }
}
