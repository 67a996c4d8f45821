//! The field of a pcap file's header that names the link, and what else libpcap keeps there.

use pcap_parser::Linktype;

/// Bytes of the frame check sequence at the end of each frame.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Trailer(pub u32);

/// A pcap file's link type, in the lower 16 bits of its field; the upper four count the check sequence's words of two
/// bytes, where the flag among them says so (pcap-savefile(5) of libpcap 1.10.5). With other bits it is no link type.
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
