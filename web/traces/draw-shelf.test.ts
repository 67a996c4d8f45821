/** What is drawn of a run on its card, and what is found to happen in it. */
import { describe, expect, test } from 'vitest';
import { engineOnDisk, scenarioOnDisk } from '../core/on-disk.ts';
import { drawRecording, drawScenario } from './draw-shelf.ts';
import { drawPicture, HEIGHT, WIDTH } from './picture.ts';

describe('a picture', () => {
  test('is a line for each packet, thin where it waits, and a mark where it ends', () => {
    const picture = drawPicture([
      {
        stays: [
          { station: 'rx ring', look: 'wait', enter: 0, leave: 40 },
          { station: 'driver', look: 'softirq', enter: 40, leave: 50 },
        ],
        end: 'dropped',
      },
    ]);
    expect(picture).toEqual({
      paths: [
        ['wait', 'M8 72h152L160 65'],
        ['softirq', 'M160 65h152'],
      ],
      ends: [['dropped', 312, 65]],
    });
  });
});

describe('the shelf', () => {
  const engine = engineOnDisk();

  test.each([
    ['udp-fragments', ['fragments', 'cpus']],
    ['tcp-gro-on', ['merging', 'cpus']],
    ['ring-overflow', ['drops', 'cpus']],
    ['send-udp-fragments', ['fragments', 'sending', 'cpus']],
    ['tcp-loss', ['merging', 'reordering', 'cpus']],
    // Its segments are joined with one that was not seen.
    ['veth-6.18', ['sending', 'cpus']],
  ])('of %s it is found that there are %j', async (slug, happens) => {
    expect((await drawRecording(engine, slug)).happens).toEqual(happens);
  });

  test('frames that a ring had no room for are drops, though they never became packets', async () => {
    const scenario = JSON.parse(scenarioOnDisk('wc-ring')) as object;
    const short = JSON.stringify({ ...scenario, duration_us: 500_000 });
    expect((await drawScenario(engine, short)).happens).toContain('drops');
  });

  test('the pieces of one datagram are drawn with what they become, within the frame, always the same', async () => {
    const { picture } = await drawRecording(engine, 'udp-fragments');
    expect(picture.ends.map(([end]) => end)).toEqual(['arrived']);
    const begun = picture.paths.find(([look]) => look === 'wait')?.[1].match(/M/g) ?? [];
    expect(begun.length).toBeGreaterThanOrEqual(6);
    const places = picture.paths.flatMap(([, d]) =>
      [...d.matchAll(/[ML](-?\d+) (-?\d+)/g)].map(([, x, y]) => [Number(x), Number(y)] as const),
    );
    expect(places.every(([x, y]) => x >= 0 && x <= WIDTH && y >= 0 && y <= HEIGHT)).toBe(true);
    expect((await drawRecording(engine, 'udp-fragments')).picture).toEqual(picture);
  });
});
