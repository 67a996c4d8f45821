/**
 * What a file would come to, judged by its beginning and its end before it is opened: how many events,
 * how much memory, which CPUs and which times. An estimate: what lies between is not looked at.
 */
import type { Input, Opened, Outcome, Survey } from './core.ts';

/** Bytes that are read of each end of a file. */
const SAMPLE = 4 * 2 ** 20;
/**
 * Memory that a run takes for each event at its most, with journeys, replay and its film: `npm run bench -- memory`
 * measures 152 to 161.
 */
const BYTES_AN_EVENT = 160;
/** No file has more events for each of its bytes: as gzip packs traces, twenty to one, at 100 bytes an event. */
const EVENTS_A_BYTE = 0.2;

/** Whether files of this size might need more than so many bytes of memory, so that a survey is worth its time. */
export function mayNeedMore(inputs: readonly Input[], room: number): boolean {
  const bytes = inputs.reduce((sum, { data }) => sum + data.size, 0);
  return bytes * EVENTS_A_BYTE * BYTES_AN_EVENT > room;
}

/** Surveys inputs that belong together; `open` imports a piece of one. What is no trace counts for nothing. */
export async function surveyOf(
  inputs: readonly Input[],
  open: (input: Input) => Promise<Outcome<Opened>>,
): Promise<Survey> {
  const ends = [];
  for (const input of inputs) ends.push(...(await endsOf(input, open)));
  const starts = ends.filter(({ isHead }) => isHead);
  const events = starts.reduce((sum, { run, share }) => sum + run.events / share, 0);
  const tail = ends.find(({ isHead, share }) => !isHead || share === 1)?.run;
  return {
    events: Math.round(events),
    memory: events * BYTES_AN_EVENT,
    cpus: [...new Set(ends.flatMap(({ run }) => run.cpus))].toSorted((a, b) => a - b),
    from: Math.min(...starts.map(({ run }) => run.startsAt)),
    to: tail && tail.startsAt + tail.duration,
    hasCapture: starts.length < inputs.length,
  };
}

interface End {
  readonly run: Opened;
  readonly isHead: boolean;
  /** Of the whole file. */
  readonly share: number;
}

/** The two ends of a trace, or the one of a small or a packed file. */
async function endsOf(
  { name, data }: Input,
  open: (input: Input) => Promise<Outcome<Opened>>,
): Promise<readonly End[]> {
  const share = Math.min(1, SAMPLE / data.size);
  const head = await open({ name, data: data.slice(0, SAMPLE) });
  if (head.kind !== 'ok') return [];
  const ends: End[] = [{ run: head.value, isHead: true, share }];
  if (share < 1) {
    const tail = await open({ name, data: data.slice(-SAMPLE) });
    // A packed file cannot be read from its middle.
    if (tail.kind === 'ok' && tail.value.events > 0) {
      ends.push({ run: tail.value, isHead: false, share });
    }
  }
  return ends;
}
