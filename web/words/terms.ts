/**
 * The terms that a newcomer meets in captions and in the Lab, each with what it means in a sentence or two, in
 * the language that is spoken; and where they stand in a text. The forms of a term are one message, with
 * commas between them. What single events and reasons mean is in the core's glossary.
 */
import { m } from './generated/messages.js';

export interface Term {
  readonly forms: () => string;
  readonly about: () => string;
}

const TERMS: readonly Term[] = [
  { forms: m.term_nic, about: m.term_nic_about },
  { forms: m.term_ring, about: m.term_ring_about },
  { forms: m.term_interrupt, about: m.term_interrupt_about },
  { forms: m.term_softirq, about: m.term_softirq_about },
  { forms: m.term_poll, about: m.term_poll_about },
  { forms: m.term_driver, about: m.term_driver_about },
  { forms: m.term_gro, about: m.term_gro_about },
  { forms: m.term_core, about: m.term_core_about },
  { forms: m.term_backlog, about: m.term_backlog_about },
  { forms: m.term_prequeue, about: m.term_prequeue_about },
  { forms: m.term_ip, about: m.term_ip_about },
  { forms: m.term_datagram, about: m.term_datagram_about },
  { forms: m.term_tcp, about: m.term_tcp_about },
  { forms: m.term_udp, about: m.term_udp_about },
  { forms: m.term_segment, about: m.term_segment_about },
  { forms: m.term_sequence, about: m.term_sequence_about },
  { forms: m.term_socket, about: m.term_socket_about },
  { forms: m.term_receive_queue, about: m.term_receive_queue_about },
  { forms: m.term_write_queue, about: m.term_write_queue_about },
  { forms: m.term_qdisc, about: m.term_qdisc_about },
  { forms: m.term_congestion_control, about: m.term_congestion_control_about },
  { forms: m.term_ecn, about: m.term_ecn_about },
  { forms: m.term_cache_line, about: m.term_cache_line_about },
  { forms: m.term_lock, about: m.term_lock_about },
  { forms: m.term_flow, about: m.term_flow_about },
  { forms: m.term_response_time, about: m.term_response_time_about },
  { forms: m.term_psh, about: m.term_psh_about },
  { forms: m.term_completion, about: m.term_completion_about },
  { forms: m.term_hardirq, about: m.term_hardirq_about },
  { forms: m.term_spinning, about: m.term_spinning_about },
  { forms: m.term_other_caches, about: m.term_other_caches_about },
];

/** All terms, each under its first form. */
export function allTerms(): readonly { readonly name: string; readonly about: string }[] {
  return TERMS.map(({ forms, about }) => ({ name: forms().split(',')[0] ?? '', about: about() }));
}

/** A piece of a text; one that is a term has what it means. */
export interface TextPart {
  readonly text: string;
  readonly about: string | undefined;
}

/**
 * Texts that are read one after the other, cut at the terms in them: each term once, where it comes first.
 *
 * @param more terms that are known in these texts beside those of all
 */
export function withTerms(
  texts: readonly string[],
  more: readonly Term[] = [],
): readonly (readonly TextPart[])[] {
  const meanings = new Map(
    [...TERMS, ...more].flatMap((term) =>
      term
        .forms()
        .split(', ')
        .map((form) => [form.toLowerCase(), term.about()] as const),
    ),
  );
  // The longer first: a receive queue is more than a queue. Names of functions are left whole.
  const forms = [...meanings.keys()].sort((one, other) => other.length - one.length);
  const any = new RegExp(
    String.raw`(?<![\p{L}\p{N}_])(?:${forms.join('|')})(?![\p{L}\p{N}_])`,
    'giu',
  );
  const explained = new Set<string>();
  return texts.map((text) => {
    const parts: TextPart[] = [];
    let end = 0;
    for (const { 0: found, index } of text.matchAll(any)) {
      const about = meanings.get(found.toLowerCase());
      if (about === undefined || explained.has(about)) continue;
      explained.add(about);
      if (end < index) parts.push({ text: text.slice(end, index), about: undefined });
      parts.push({ text: found, about });
      end = index + found.length;
    }
    if (end < text.length) parts.push({ text: text.slice(end), about: undefined });
    return parts;
  });
}

/** A part with the signs that follow it, which belong on its line. */
export interface BoundPart extends TextPart {
  readonly tail: string;
}

/** The parts with the signs after a term taken to it. */
export function withPunctuation(parts: readonly TextPart[]): readonly BoundPart[] {
  const signs = (at: number) =>
    parts[at]?.about === undefined
      ? ''
      : (/^[.,;:!?)”“…]+/.exec(parts[at + 1]?.text ?? '')?.[0] ?? '');
  return parts.map((part, at) => ({
    ...part,
    text: part.text.slice(signs(at - 1).length),
    tail: signs(at),
  }));
}
