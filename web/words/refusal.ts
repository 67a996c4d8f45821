/**
 * Why files cannot be opened, in the language of the page. The core says it in English
 * (core/src/import/error.rs, core/src/opened.rs), which the command line prints; what has no message here is said as the
 * core says it.
 */
import { m } from './generated/messages.js';
import { unreadWord } from './kernel-words.ts';

/** What stands behind all but one of the refusals, and is a part of their message. */
const ACCEPTED =
  '; accepted is ftrace text (trace, trace_pipe), `trace-cmd report`, `perf script`, kperf lines, pcap and pcapng; each plain, .gz or .zst';

/** What the core says of files that it cannot open, or nothing if a message is none of that. */
export function refusalIn(message: string): string | undefined {
  if (message === 'there is no file') return m.refused_no_file();
  const [, first, second, kind] =
    /^(.*) and (.*) are both (traces|captures of the link); open one trace, /s.exec(message) ?? [];
  if (first !== undefined && second !== undefined) {
    const said = kind === 'traces' ? m.refused_two_traces : m.refused_two_captures;
    return said({ first, second });
  }
  const [, name = '', text = ''] =
    /^(.*?): ((?:the (?:file|gzip|zstd)|found|\d+ bytes) .*)$/s.exec(message) ?? [];
  const why = reasonIn(text);
  return why === undefined ? undefined : m.refused_named({ name, why });
}

/** Why one file cannot be opened; what has no message stays as the core says it. */
export const refusalWord = (why: string): string => reasonIn(why) ?? why;

function reasonIn(text: string): string | undefined {
  if (text === 'the file cannot be read') return m.refused_unreadable();
  if (!text.endsWith(ACCEPTED)) return undefined;
  const why = whyIn(text.slice(0, -ACCEPTED.length));
  return why === undefined ? undefined : m.refused_accepted({ why });
}

function whyIn(text: string): string | undefined {
  if (text === 'the file is empty') return m.refused_empty();
  const [, found] = /^found (.*)$/s.exec(text) ?? [];
  if (found !== undefined) return m.refused_found({ found: foundWord(found) });
  const [, broken, why = ''] = /^the (gzip|zstd) cannot be unpacked: (.*)$/s.exec(text) ?? [];
  if (broken !== undefined) return m.refused_corrupt({ packing: broken, why });
  const [, packed, packing = '', unpacked = ''] =
    /^(\d+) bytes of (gzip|zstd) unpack to more than (\d+), which no trace does$/.exec(text) ?? [];
  return packed === undefined ? undefined : m.refused_bomb({ packed, packing, unpacked });
}

/** What a file turned out to be, and how it begins where it is text. */
function foundWord(found: string): string {
  const [, kind, text] = /^(.*?), beginning with "(.*)"$/s.exec(found) ?? [];
  if (kind === undefined || text === undefined) return kindWord(found);
  return m.refused_beginning({ found: kindWord(kind), text });
}

function kindWord(kind: string): string {
  const word = KINDS[kind];
  if (word !== undefined) return word();
  if (kind === 'text without a line of a trace') return m.refused_no_line();
  const [, why] = /^text without a line of a trace \((.*)\)$/s.exec(kind) ?? [];
  return why === undefined ? kind : m.refused_no_line_why({ why: unreadWord(why) });
}

/** Kinds of files, with what is to be done about them (core/src/import/magic.rs, foreign.rs, refuse.rs). */
const KINDS: Readonly<Record<string, () => string>> = {
  'a capture of the link (pcap): open it together with the trace of its host':
    m.refused_kind_capture,
  'the output of `perf script --deltatime`, whose times are those since the line before: write it anew without that option (`perf script --ns`); the recording is as it was':
    m.refused_kind_deltatime,
  'a trace as a mail is kept (quoted-printable: =3D for =): save what is attached to the mail, or decode it (`python3 -m quopri -d FILE >NEW`)':
    m.refused_kind_quoted_printable,
  "the kernel's log (dmesg, /proc/kmsg), which is no trace: that is in /sys/kernel/tracing/trace":
    m.refused_kind_kernel_log,
  JSON: m.refused_kind_json,
  'HTML or XML': m.refused_kind_html,
  'the output of pwru, which is not read: record with ringside-capture, ftrace, trace-cmd or perf':
    m.refused_kind_pwru,
  'the output of retis, which is not read: record with ringside-capture, ftrace, trace-cmd or perf':
    m.refused_kind_retis,
  'the output of retsnoop, which is not read: record with ringside-capture, ftrace, trace-cmd or perf':
    m.refused_kind_retsnoop,
  "the output of a bpftrace script of another's: record with ringside-capture, ftrace, trace-cmd or perf":
    m.refused_kind_bpftrace,
  'the output of dropwatch, which is not read: record the event skb:kfree_skb with ftrace, trace-cmd or perf':
    m.refused_kind_dropwatch,
  'the output of a tool of bcc, which is not read: record with ftrace, trace-cmd or perf':
    m.refused_kind_bcc,
  'the output of skbtracer, which is not read: record with ftrace, trace-cmd or perf':
    m.refused_kind_skbtracer,
  'a trace of LTTng (CTF, babeltrace), which is not read: record with ftrace, trace-cmd or perf':
    m.refused_kind_babeltrace,
  'the text of tshark or Wireshark: have it write a file (`tshark -w FILE`) and open that together with a trace of its host':
    m.refused_kind_tshark,
  'a histogram of ftrace, which has no events: record the events themselves (/sys/kernel/tracing/trace)':
    m.refused_kind_histogram,
  'the format of an event, not a trace: that is in /sys/kernel/tracing/trace':
    m.refused_kind_event_format,
  'a pointer of Git LFS in place of the file: fetch that (`git lfs pull`)': m.refused_kind_git_lfs,
  'what a program says that could not read a file: run what was to write the trace once more, as root':
    m.refused_kind_not_permitted,
  'what a program says while it records: open what `trace-cmd report` or `perf script` prints of the recording':
    m.refused_kind_recording_said,
  'the output of `perf stat`, which has no events: record with `perf record` and open what `perf script` prints':
    m.refused_kind_perf_stat,
  'a file that was written as text for a mail (uuencode): decode it first (`uudecode FILE`)':
    m.refused_kind_uuencode,
  'a mail: save the file that is attached to it, and open that': m.refused_kind_mail,
  "a dump of a file's bytes (xxd, hexdump): open the file itself, or make it of the dump (`xxd -r`)":
    m.refused_kind_dump,
  'a packed file that was written as text (base64): decode it first (`base64 -d FILE >NEW`)':
    m.refused_kind_base64,
  'the output of strace, which has no packets: record with ftrace, trace-cmd or perf':
    m.refused_kind_strace,
  'the output of `perf report`: run `perf script` on the same perf.data and open its output':
    m.refused_kind_perf_report,
  'the output of `perf sched timehist`: run `perf script --ns` on the same perf.data and open its output':
    m.refused_kind_perf_timehist,
  'the output of `perf script -D`, a dump of bytes: run `perf script --ns` without -D and open its output':
    m.refused_kind_perf_dump,
  'the text of tcpdump: have it write a file (`tcpdump -w FILE`) and open that together with a trace of its host':
    m.refused_kind_tcpdump,
  'the output of `perf trace`: record the events with `perf record` and open what `perf script` prints':
    m.refused_kind_perf_trace,
  "trace.dat, trace-cmd's binary: run `trace-cmd report` and open its output":
    m.refused_kind_trace_dat,
  "perf.data, perf's binary: run `perf script` and open its output": m.refused_kind_perf_data,
  'a compressed systrace (TRACE:): open the ftrace text it was made of': m.refused_kind_systrace,
  'an ELF binary': m.refused_kind_elf,
  'a zip archive: unpack it first (`unzip FILE`) and open the trace that is in it':
    m.refused_kind_zip,
  'a zip archive with nothing in it': m.refused_kind_zip_empty,
  'an xz file: unpack it first (`xz -dk FILE`, or `tar -xf FILE` if it is a .tar.xz), or pack it with gzip or zstd':
    m.refused_kind_xz,
  'a bzip2 file: unpack it first (`bunzip2 -k FILE`, or `tar -xf FILE` if it is a .tar.bz2), or pack it with gzip or zstd':
    m.refused_kind_bzip2,
  'an lz4 file: unpack it first (`lz4 -d FILE`), or pack it with gzip or zstd': m.refused_kind_lz4,
  'a 7z archive: unpack it first (`7z x FILE`) and open the trace that is in it':
    m.refused_kind_seven_z,
  'a rar archive: unpack it first (`unrar x FILE`) and open the trace that is in it':
    m.refused_kind_rar,
  'an lzip file: unpack it first (`lzip -dk FILE`), or pack it with gzip or zstd':
    m.refused_kind_lzip,
  'an lzma file: unpack it first (`xz -dk FILE`), or pack it with gzip or zstd':
    m.refused_kind_lzma,
  'a file of compress (.Z): unpack it first (`gzip -d FILE`), or pack it with gzip or zstd':
    m.refused_kind_compress,
  'a gzip inside a packed file: unpack it once (`gzip -d`)': m.refused_kind_gzip_inside,
  'a zstd inside a packed file: unpack it once': m.refused_kind_zstd_inside,
  'a cpio archive: unpack it first (`cpio -id <FILE`) and open the trace that is in it':
    m.refused_kind_cpio,
  'an ar archive, as a package of Debian is: unpack it first (`ar x FILE`) and open the trace that is in it':
    m.refused_kind_ar,
  'a trace of LTTng (CTF), which is not read: record with ftrace, trace-cmd or perf':
    m.refused_kind_lttng,
  'a capture of snoop: make a pcap of it (`editcap -F pcap FILE NEW`)': m.refused_kind_snoop,
  'a journal of systemd: open what `journalctl -o short` prints of it, if a trace is in it':
    m.refused_kind_journal,
  'a modified pcap: make a plain one of it (`editcap -F pcap FILE NEW`)':
    m.refused_kind_pcap_modified,
  'a capture of Network Monitor: make a pcap of it (`editcap -F pcap FILE NEW`)':
    m.refused_kind_network_monitor,
  'a database of SQLite': m.refused_kind_sqlite,
  'a PDF': m.refused_kind_pdf,
  'an image (PNG)': m.refused_kind_png,
  'an image (JPEG)': m.refused_kind_jpeg,
  'text in UTF-32: save it as UTF-8': m.refused_kind_utf_32,
  'a tar archive: unpack it first (`tar -xf FILE`) and open the trace that is in it':
    m.refused_kind_tar,
  "text whose lines end with a carriage return alone: turn each into a line feed (`tr '\\r' '\\n'`)":
    m.refused_kind_returns,
  'zeros, as a copy that was broken off or a full disk leaves in place of a file: copy it again':
    m.refused_kind_zeros,
  'a binary protobuf, perhaps a Perfetto trace (.pftrace): export it as ftrace text':
    m.refused_kind_protobuf,
  'a binary file of no known kind; if it is a later part of a file that was split, put the parts together first (`cat PART... >FILE`)':
    m.refused_kind_unknown_binary,
};
