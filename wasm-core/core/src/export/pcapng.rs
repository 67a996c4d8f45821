//! A run's frames as pcapng, which Wireshark and tshark open: each device an interface, each frame
//! its headers alone, with its length on the link beside them.
//!
//! Of a recording only frames are written that were seen on the link (a capture was opened beside
//! the trace); of a simulation those that its NICs or its loopback device handed over. A run
//! has facts of a frame and not its bytes, so headers are composed again: what is known stands in
//! them, with checksums that are right for a payload of zeros, and what is not is the same in all frames. Which is
//! which stands in the file: in the section's comment for all frames, in a frame's own for that frame.
//!
//! Source: "PCAP Next Generation (pcapng) Capture File Format", draft-ietf-opsawg-pcapng.

mod compose;
mod known;

use std::fmt::Write as _;
use std::io::{self, Write};

use super::{Unwritten, no_frames};
use crate::import::kperf::value;
use crate::kernel::{Direction, NameId, Origin};
use crate::opened::Opened;
use crate::order;

use known::Known;

/// Writes the frames. A recording of which no frame of the link is known is refused.
pub fn pcapng(opened: &Opened, out: &mut dyn Write) -> Result<(), Unwritten> {
    let run = &opened.run;
    let frames = known::frames(opened);
    if frames.of_link.is_empty() && run.origin == Origin::Recorded {
        return Err(Unwritten::Refused(no_frames()));
    }
    let mut devices: Vec<Option<NameId>> =
        frames.of_link.iter().map(|frame| frame.device).collect();
    order::sort_by_key(&mut devices, |device| {
        device.map(|name| run.names.text(name))
    });
    devices.dedup();
    section(opened, frames.left_out, out)?;
    for device in &devices {
        interface(opened, *device, out)?;
    }
    for frame in &frames.of_link {
        let place = devices.iter().position(|device| *device == frame.device);
        packet(run.origin, frame, place.unwrap_or(0) as u32, out)?;
    }
    Ok(())
}

/// Block types and options of the draft, by their names there.
const SECTION_HEADER: u32 = 0x0a0d_0d0a;
const INTERFACE_DESCRIPTION: u32 = 1;
const ENHANCED_PACKET: u32 = 6;
const BYTE_ORDER_MAGIC: u32 = 0x1a2b_3c4d;
const OPT_COMMENT: u16 = 1;
const SHB_USERAPPL: u16 = 4;
const IF_NAME: u16 = 2;
const IF_TSRESOL: u16 = 9;
const EPB_FLAGS: u16 = 2;
/// Times count nanoseconds.
const NANOSECONDS: u8 = 9;
const LINKTYPE_ETHERNET: u16 = 1;

/// What is composed in each frame, in the file's own words.
const COMPOSED: &str = "Headers are composed from what the run knows. Composed in every frame: \
Ethernet addresses (those of the watched host end in 01), TTL 64, TCP options (all NOP), TCP's urgent pointer, \
checksums (as for a payload of zeros). No payload is kept. What else is composed in a frame is said in its comment.";

fn section(opened: &Opened, left_out: usize, out: &mut dyn Write) -> io::Result<()> {
    let origin = value::origin(opened.run.origin);
    let mut comment = format!("This run is {origin}. {COMPOSED}");
    if left_out > 0 {
        let _ = write!(
            comment,
            " Left out: {left_out} frames of which the run knows no addresses."
        );
    }
    let mut body = Vec::new();
    body.extend(BYTE_ORDER_MAGIC.to_le_bytes());
    body.extend([1, 0, 0, 0]);
    // The section's length is not told.
    body.extend(u64::MAX.to_le_bytes());
    let writer = concat!("Ringside ", env!("CARGO_PKG_VERSION"));
    option(&mut body, OPT_COMMENT, comment.as_bytes());
    option(&mut body, SHB_USERAPPL, writer.as_bytes());
    block(SECTION_HEADER, body, out)
}

fn interface(opened: &Opened, device: Option<NameId>, out: &mut dyn Write) -> io::Result<()> {
    let run = &opened.run;
    let origin = value::origin(run.origin);
    // Only a simulation's loopback device has no name.
    let nameless = match run.origin {
        Origin::Simulated => "lo",
        Origin::Recorded => "link",
    };
    let name = device.map_or(nameless, |name| run.names.text(name));
    let mut body = Vec::new();
    body.extend(LINKTYPE_ETHERNET.to_le_bytes());
    body.extend([0; 2]);
    body.extend(0_u32.to_le_bytes());
    option(&mut body, OPT_COMMENT, origin.as_bytes());
    option(&mut body, IF_NAME, name.as_bytes());
    option(&mut body, IF_TSRESOL, &[NANOSECONDS]);
    block(INTERFACE_DESCRIPTION, body, out)
}

fn packet(origin: Origin, frame: &Known, interface: u32, out: &mut dyn Write) -> io::Result<()> {
    let composed = compose::headers(frame);
    let mut comment = value::origin(origin).to_owned();
    if !composed.made_up.is_empty() {
        let _ = write!(comment, "; composed: {}", composed.made_up.join(", "));
    }
    if frame.is_unsegmented {
        comment += "; before the NIC cuts it";
    }
    let mut body = Vec::new();
    body.extend(interface.to_le_bytes());
    body.extend(((frame.time.0 >> 32) as u32).to_le_bytes());
    body.extend((frame.time.0 as u32).to_le_bytes());
    body.extend((composed.bytes.len() as u32).to_le_bytes());
    body.extend(composed.length.to_le_bytes());
    body.extend(&composed.bytes);
    body.resize(body.len().next_multiple_of(4), 0);
    let flags: u32 = match frame.direction {
        Direction::Receive => 1,
        Direction::Transmit => 2,
    };
    option(&mut body, OPT_COMMENT, comment.as_bytes());
    option(&mut body, EPB_FLAGS, &flags.to_le_bytes());
    block(ENHANCED_PACKET, body, out)
}

/// Adds an option, filled up to 32 bits.
fn option(body: &mut Vec<u8>, code: u16, value: &[u8]) {
    body.extend(code.to_le_bytes());
    body.extend((value.len() as u16).to_le_bytes());
    body.extend(value);
    body.resize(body.len().next_multiple_of(4), 0);
}

/// Writes a block that ends with options, with its length at both ends.
fn block(kind: u32, mut body: Vec<u8>, out: &mut dyn Write) -> io::Result<()> {
    // The end of the options.
    body.extend([0; 4]);
    let length = (body.len() as u32 + 12).to_le_bytes();
    out.write_all(&kind.to_le_bytes())?;
    out.write_all(&length)?;
    out.write_all(&body)?;
    out.write_all(&length)
}
