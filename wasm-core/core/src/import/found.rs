//! What a file was found to be that is no trace. The message of each kind says what is to be done about it.

use super::says;
use crate::saying::{Code, Saying};

/// What a file was found to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// A file of this kind.
    Kind(Kind),
    /// Text without a line of a trace, and the option that left out what its lines need, if one did, by the text that
    /// the ledger has of such a line.
    Text(Option<&'static str>),
}

impl Found {
    /// It as a saying, which is put into another.
    pub fn said(&self) -> Saying {
        match *self {
            Self::Kind(kind) => kind.said(),
            Self::Text(None) => says::found_text(),
            Self::Text(Some(why)) => says::found_text_without(why),
        }
    }
}

/// Declares the kinds, each with its code.
macro_rules! kinds {
    ($($(#[$meta:meta])* $Kind:ident = $code:literal;)+) => {
        /// A kind of file that is no trace, or none that is read.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Kind {
            $($(#[$meta])* #[doc = concat!("Said as `", $code, "`.")] $Kind),+
        }

        /// The code of each kind, in their order; none has values.
        pub const CODES: &[Code] = &[$(($code, &[])),+];
    };
}

impl Kind {
    const fn said(self) -> Saying {
        Saying {
            code: CODES[self as usize].0,
            values: Vec::new(),
            is_inferred: false,
        }
    }
}

kinds! {
    /// A capture's frames are combined with a trace ([`crate::wire`]); alone they show nothing of a kernel.
    Capture = "found.capture";
    /// Bytes that were taken for a capture, and have no header of one.
    NoHeader = "found.no_header";
    /// Absolute times could only be found by adding up rounded differences.
    Deltatime = "found.deltatime";
    QuotedPrintable = "found.quoted_printable";
    KernelLog = "found.kernel_log";
    Json = "found.json";
    Html = "found.html";
    Pwru = "found.pwru";
    Retis = "found.retis";
    Retsnoop = "found.retsnoop";
    Bpftrace = "found.bpftrace";
    Dropwatch = "found.dropwatch";
    Bcc = "found.bcc";
    Skbtracer = "found.skbtracer";
    Babeltrace = "found.babeltrace";
    Tshark = "found.tshark";
    Histogram = "found.histogram";
    EventFormat = "found.event_format";
    GitLfs = "found.git_lfs";
    NotPermitted = "found.not_permitted";
    RecordingSaid = "found.recording_said";
    PerfStat = "found.perf_stat";
    Uuencode = "found.uuencode";
    Mail = "found.mail";
    Dump = "found.dump";
    Base64 = "found.base64";
    Strace = "found.strace";
    PerfReport = "found.perf_report";
    PerfTimehist = "found.perf_timehist";
    PerfDump = "found.perf_dump";
    Tcpdump = "found.tcpdump";
    PerfTrace = "found.perf_trace";
    TraceDat = "found.trace_dat";
    PerfData = "found.perf_data";
    Systrace = "found.systrace";
    Elf = "found.elf";
    Zip = "found.zip";
    ZipEmpty = "found.zip_empty";
    Xz = "found.xz";
    Bzip2 = "found.bzip2";
    Lz4 = "found.lz4";
    SevenZ = "found.seven_z";
    Rar = "found.rar";
    Lzip = "found.lzip";
    Lzma = "found.lzma";
    Compress = "found.compress";
    GzipInside = "found.gzip_inside";
    ZstdInside = "found.zstd_inside";
    Cpio = "found.cpio";
    Ar = "found.ar";
    Lttng = "found.lttng";
    Snoop = "found.snoop";
    Journal = "found.journal";
    /// Kuznetzov's format of 1999, with a longer header before each frame.
    PcapModified = "found.pcap_modified";
    NetworkMonitor = "found.network_monitor";
    Sqlite = "found.sqlite";
    Pdf = "found.pdf";
    Png = "found.png";
    Jpeg = "found.jpeg";
    Utf32 = "found.utf_32";
    Tar = "found.tar";
    Returns = "found.returns";
    Zeros = "found.zeros";
    Protobuf = "found.protobuf";
    UnknownBinary = "found.unknown_binary";
}
