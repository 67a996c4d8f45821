//! The unreadable parts of a capture: frames that are left out, and where a damaged file ends.

use super::words;
use crate::saying::Saying;

/// Why a frame is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unread {
    /// Its link type is not supported (tcpdump.org's registry of LINKTYPE values).
    LinkType(u32),
    /// It has fewer bytes than its link header.
    Short,
    /// No interface description precedes it.
    Interface,
    /// It has fewer bytes than it declares.
    Cut,
    /// Its block cannot be read.
    Block,
    /// A simple packet block, which has no time.
    NoTime,
    /// An obsolete packet block, which no program has written since 2004.
    Obsolete,
}

impl Unread {
    /// The text in the ledger: in parentheses if known and not needed, else what is wrong.
    pub fn text(self) -> String {
        match self {
            Self::LinkType(number) => format!("(link type {number})"),
            Self::Short => "it is shorter than the header of its link".to_owned(),
            Self::Interface => "its interface is not described before it".to_owned(),
            Self::Cut => "it is shorter than it states".to_owned(),
            Self::Block => "its block cannot be read".to_owned(),
            Self::NoTime => "(frame without a time)".to_owned(),
            Self::Obsolete => "(obsolete packet block)".to_owned(),
        }
    }

    /// Whether it is known and not needed, rather than wrong.
    pub const fn is_known(self) -> bool {
        matches!(self, Self::LinkType(_) | Self::NoTime | Self::Obsolete)
    }

    /// The message for this number of frames.
    pub fn said(self, frames: u64) -> Saying {
        match self {
            Self::LinkType(number) => words::unread_link_type(frames, number.to_string()),
            Self::Short => words::unread_short(frames),
            Self::Interface => words::unread_interface(frames),
            Self::Cut => words::unread_cut(frames),
            Self::Block => words::unread_block(frames),
            Self::NoTime => words::unread_no_time(frames),
            Self::Obsolete => words::unread_obsolete(frames),
        }
    }
}

/// How many frames were left out for each reason, in the order of first occurrence. Frames of several unknown link
/// types are counted under the first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LeftOut(Vec<(Unread, u64)>);

impl LeftOut {
    /// Counts a frame.
    pub fn add(&mut self, why: Unread) {
        let is_same = |of: Unread| std::mem::discriminant(&of) == std::mem::discriminant(&why);
        match self.0.iter_mut().find(|(of, _)| is_same(*of)) {
            Some((_, frames)) => *frames += 1,
            None => self.0.push((why, 1)),
        }
    }

    /// A note for each reason.
    pub fn notes(&self) -> impl Iterator<Item = Saying> + '_ {
        self.0.iter().map(|&(why, frames)| why.said(frames))
    }
}

/// Where a capture is damaged, so that nothing after it can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Damage {
    /// Offset in the file, in bytes from 0, of the unreadable frame or block.
    pub at: u64,
    /// The number of frames kept before it.
    pub kept: u64,
    /// What is wrong.
    pub why: Broken,
}

/// What is wrong where nothing more can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Broken {
    /// The file ends within a frame or block.
    Ends,
    /// The declared length in bytes, which no frame or block can have.
    States(u32),
    /// The header of the file or of a record has an unknown form.
    Header,
}

impl Broken {
    /// The text in the ledger.
    pub fn text(self) -> String {
        match self {
            Self::Ends => "the file ends within it".to_owned(),
            Self::States(bytes) => format!("it states {bytes} bytes"),
            Self::Header => "its header cannot be read".to_owned(),
        }
    }
}

impl Damage {
    /// The message for the capture file of this name.
    pub fn said(&self, file: &str) -> Saying {
        let file = file.to_owned();
        match self.why {
            Broken::Ends => words::ends_within(file, self.at, self.kept),
            Broken::States(bytes) => words::states_bytes(file, self.at, bytes.into(), self.kept),
            Broken::Header => words::broken_header(file, self.at, self.kept),
        }
    }
}
