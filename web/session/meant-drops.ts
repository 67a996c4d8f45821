/**
 * Drops that somebody decided on: an XDP program that throws frames away, CoDel that slows a sender down. They are
 * how the run is set up and no problem of it, and their detail says who decided.
 */
import type { Glossary } from '../core/core.ts';
import type { Finding } from '../core/findings.ts';

/** By the kernel's drop reason the code of what is said of it. */
const DECIDED: Readonly<Record<string, string>> = {
  XDP: 'finding.drops.xdp',
  QDISC_CONGESTED: 'finding.drops.codel',
};

export function asMeant(finding: Finding, { dropReasons }: Pick<Glossary, 'dropReasons'>): Finding {
  const { reason } = finding.title.values;
  const name = reason?.kind === 'dropReason' ? dropReasons[reason.value]?.name : undefined;
  const code = DECIDED[name ?? ''];
  if (finding.kind !== 'drops' || code === undefined) return finding;
  const { detail } = finding;
  const isUntold = detail.code === 'finding.drops.other';
  return { ...finding, severity: 'info', detail: isUntold ? { ...detail, code } : detail };
}
