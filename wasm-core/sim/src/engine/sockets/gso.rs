//! A piece of several segments whose device takes none of that size: the segments are cut before the driver.
//! They are packets of their own, which share the piece's pages and nothing else, so that a receiver may add to
//! them; a segment that went down whole is a clone of what its sender keeps.
//!
//! Source: `net/core/dev.c: validate_xmit_skb`, `net/core/skbuff.c: skb_segment` (v6.18).

use crate::engine::core::Core;
use crate::engine::cpu::code::Path;
use crate::engine::cpu::op::{About, Op};
use crate::engine::ids::{SkbId, SockId};
use crate::engine::ip::loopback_xmit;
use crate::engine::memory::skbuff::SkBuff;
use crate::engine::net::Net;
use ringside::kernel::Probe;

impl Net {
    /// Cuts a piece into its segments, which go out one after the other.
    pub fn segment(&mut self, core: &mut Core, cpu: usize, skb: SkbId, sock: SockId) {
        let whole = core.skbs[skb];
        let socket = &mut self.sockets[sock];
        let mut cut = Vec::new();
        for segment in whole.frame.segment.cut(whole.frame.gso_size) {
            let mut piece = SkBuff {
                is_cloned: false,
                unread: segment.len,
                // The piece's memory is given back to its sender with the first.
                truesize: if cut.is_empty() { whole.truesize } else { 0 },
                ..whole
            };
            piece.frame.segment = segment;
            piece.frame.gso_size = 0;
            if let Some((buffer, offset)) = socket.data_of(&segment) {
                (piece.buffer, piece.offset) = (Some(buffer), offset);
            }
            if let Some(buffer) = piece.buffer {
                core.buffers[buffer].refs += 1;
            }
            let piece = core.alloc_skb(cpu, piece);
            let about = About::both(piece, sock);
            let alloc: Vec<Op> = core.allocation(about).collect();
            cut.push((piece, alloc));
        }
        core.emit(cpu, Probe::ConsumeSkb, About::skb(skb));
        core.skbs[skb].truesize = 0;
        // What is pushed last happens first.
        core.push(cpu, Op::Free { skb });
        for (piece, _) in cut.iter().rev() {
            loopback_xmit(core, cpu, *piece);
        }
        for (piece, alloc) in cut.into_iter().rev() {
            core.push(cpu, Op::run(Path::SkbSegment, About::both(piece, sock)));
            core.then(cpu, alloc);
        }
    }
}
