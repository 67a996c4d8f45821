//! The link type field of a pcap file's header, and what else libpcap stores in it.

use pcap_parser::Linktype;

/// Length in bytes of the frame check sequence at the end of each frame.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Trailer(pub u32);

/// Splits the field. The lower 16 bits are the link type; if a flag says so, the upper four bits count the frame
/// check sequence in words of two bytes (pcap-savefile(5) of libpcap 1.10.5). With other bits set it is no link type.
pub(super) fn link_and_trailer(network: Linktype) -> (Linktype, Trailer) {
    const HAS_LENGTH: u32 = 0x0400_0000;
    const RESERVED: u32 = 0x0bff_0000;
    let field = network.0.cast_unsigned();
    if field & RESERVED != 0 {
        return (network, Trailer::default());
    }
    let words = if field & HAS_LENGTH == 0 {
        0
    } else {
        field >> 28
    };
    let link = Linktype((field & 0xffff).cast_signed());
    (link, Trailer(words * 2))
}
