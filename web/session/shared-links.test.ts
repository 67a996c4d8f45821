/**
 * Links as people have shared them, each with what it means. They are in mails and on course pages and are
 * not written anew, so a line of `shared-links.json` is never changed: new links are added. What is
 * left out of a link counts too, which is why each view is whole.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { engineOnDisk, inputsOnDisk, recordingsOnDisk, runOf } from '../core/on-disk.ts';
import { readLessons } from '../lesson/testing.ts';
import { LINK_KEYS, parseViewState, serialiseViewState } from './view-state.ts';
import shared from './shared-links.json';

const links = shared.map(({ link }) => link);

test.each(shared)('$link', ({ link, view, notices = 0 }) => {
  const read = parseViewState(`#${link}`);
  expect(read.view).toMatchObject(view);
  expect(read.notices).toHaveLength(notices);
  expect(parseViewState(serialiseViewState(read.view))).toEqual({ view: read.view, notices: [] });
});

test('each field that a link may have is in one of them', () => {
  const keys = new Set(links.flatMap((link) => link.split('&').map((part) => part.split('=')[0])));
  const missing = LINK_KEYS.filter((key) => !keys.has(key));
  expect(missing).toEqual([]);
});

describe('what they show is still there', () => {
  const views = links.map((link) => parseViewState(link).view);

  test('recordings and steps of lessons', () => {
    const recordings = views.flatMap(({ trace }) => trace ?? []);
    expect(recordingsOnDisk()).toEqual(expect.arrayContaining(recordings));
    const lessons = views.flatMap(({ lesson }) => lesson ?? []);
    const steps = readLessons().flatMap(({ id, steps }) =>
      steps.map((_, index) => `${id}.${index + 1}`),
    );
    expect(steps).toEqual(expect.arrayContaining(lessons));
  });

  test('scenarios, which the core still accepts', async () => {
    for (const { scenario } of views) {
      if (scenario === undefined) continue;
      const engine = engineOnDisk();
      expect(runOf(await engine.simulate(scenario, () => undefined)).events).toBeGreaterThan(0);
    }
  });

  test('packets and drop reasons, which links call by number', async () => {
    const names = [];
    for (const { trace, packet, dropReason } of views) {
      if (trace === undefined || (packet ?? dropReason) === undefined) continue;
      const engine = engineOnDisk();
      const opened = runOf(await engine.open(inputsOnDisk(trace), () => undefined));
      if (packet !== undefined) {
        const { name, start, verdict } = await engine.journey(packet);
        names.push(`${trace}: packet ${name} from ${start} ns, ${verdict}`);
      }
      if (dropReason !== undefined) {
        const { dropReasons } = await engine.glossary();
        names.push(`${trace}: ${dropReasons[dropReason]?.name}, ${opened.journeys.dropped} drops`);
      }
    }
    expect(names).toMatchInlineSnapshot(`
      [
        "udp-fragments: packet 5 from 193095000 ns, delivered",
        "tcp-loss: packet 31 from 96131000 ns, merged",
        "loopback: packet 3 from 2973000 ns, delivered",
        "closed-and-filtered-ports: NO_SOCKET, 103 drops",
        "tcp-loss: packet 4 from 95151000 ns, transmitted",
        "udp-fragments: packet 17 from 194544000 ns, delivered",
      ]
    `);
  });
});

test('a shared link that was cut, joined with another or changed on the way does no harm', () => {
  const piece = fc.constantFrom(...links.flatMap((link) => link.split(/(?=&)/)));
  const garbled = fc
    .tuple(fc.array(piece, { maxLength: 12 }), fc.nat(), fc.nat(), fc.string({ maxLength: 3 }))
    .map(([pieces, at, length, change]) => {
      const text = pieces.join('');
      const from = at % (text.length + 1);
      return `v=1${text.slice(0, from)}${change}${text.slice(from + (length % 20))}`;
    });
  fc.assert(
    fc.property(garbled, (text) => {
      const { view } = parseViewState(text);
      expect(parseViewState(serialiseViewState(view)).view).toEqual(view);
    }),
    { numRuns: 500 },
  );
});
