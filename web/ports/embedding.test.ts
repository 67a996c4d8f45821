/** The port of a page around the frame: who is meant, which orders are carried out, what is told. */
import { readFileSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import * as v from 'valibot';
import { fakeHandle } from '../core/fake-core.ts';
import { pageWith, type DoorPage } from '../session/testing.ts';
import { readOrder, WordSchema, type Word } from './embed-message.ts';
import { embedSchema } from './embed-schema.ts';
import { guardFrame, readFrame } from './embed-frame.ts';
import { Embedding } from './embedding.svelte.ts';

let page: DoorPage;
let embedding: Embedding;
let told: Word[];
let atNextFrame: (() => void)[];

const embed = () =>
  new Embedding(
    page.ringside,
    page.commands,
    (word) => told.push(word),
    (task) => atNextFrame.push(task),
  );

beforeEach(async () => {
  page = await pageWith(() => fakeHandle());
  [told, atNextFrame] = [[], []];
  embedding = embed();
});

const frame = () => {
  for (const task of atNextFrame.splice(0)) task();
};

const order = (fields: object) => embedding.hear({ ringside: 1, ...fields });

test('the schema of messages is published as it is', () => {
  const url = new URL('../../embedding/schema.json', import.meta.url);
  const text = `${JSON.stringify(embedSchema(), null, 2)}\n`;
  if (process.env['UPDATE_EXPECT'] === '1') writeFileSync(url, text);
  expect(JSON.parse(readFileSync(url, 'utf8')), 'UPDATE_EXPECT=1 npx vitest run web/ports').toEqual(
    JSON.parse(text),
  );
});

test('what null takes out is what embedding/README.md says', () => {
  const url = new URL('../../embedding/README.md', import.meta.url);
  const row = readFileSync(url, 'utf8').match(/^\| `show` .*$/m)?.[0] ?? '';
  const [what = '', ...rest] = row.split('`null` takes out');
  const names = (text: string) => [...text.matchAll(/`([a-z]+)`/g)].map(([, name]) => name ?? '');
  const isTakenOut = (name: string) => {
    const read = readOrder({ ringside: 1, do: 'show', [name]: null });
    return read !== undefined && 'order' in read;
  };
  const all = names(what).filter((name) => name !== 'show');
  expect(all).toHaveLength(7);
  expect(names(rest.join(''))).toEqual(all.filter(isTakenOut));
});

describe('the address of the frame', () => {
  test.each([
    ['', false, undefined, false],
    ['?embed', true, undefined, false],
    ['?embed=https://course.example', true, 'https://course.example', false],
    ['?embed=http://localhost:8080', true, 'http://localhost:8080', false],
    ['?embed=https://course.example/', true, undefined, true],
    ['?embed=https://user@course.example', true, undefined, true],
    ['?embed=*', true, undefined, true],
    ['?embed=null', true, undefined, true],
    ['?embed=javascript:alert(1)', true, undefined, true],
  ])('%s', (search, isEmbedded, origin, isNoticed) => {
    const frame = readFrame(search);
    expect([frame.isEmbedded, frame.origin]).toEqual([isEmbedded, origin]);
    expect(frame.notices.length > 0).toBe(isNoticed);
  });
});

test('what is asked for is done through the one door', () => {
  const { playhead, selection, view } = page.ringside;
  order({ do: 'seek', time: 4000 });
  expect(playhead.time).toBe(4000);
  order({ do: 'show', view: 'way', packet: 3, follow: true, range: { from: 1000, to: 2000 } });
  expect([selection.followed, selection.range]).toEqual([3, { from: 1000, to: 2000 }]);
  order({ do: 'show', packet: null });
  expect(selection.packet).toBeUndefined();
  expect(selection.range, 'what is not given stays').toEqual({ from: 1000, to: 2000 });
  order({ do: 'play' });
  expect(playhead.isPlaying).toBe(true);
  order({ do: 'pause' });
  expect(playhead.isPlaying).toBe(false);
  expect(view.place).toBe('stage');
  expect(told).toEqual([]);
});

test('the state is told when it changes, as the schema has it, without what the viewer wrote', () => {
  page.commands.put('note', { notes: [{ time: 1000, text: 'a secret' }] });
  embedding.changed();
  embedding.changed();
  expect(told).toHaveLength(1);
  page.commands.seek(5000);
  embedding.changed();
  expect(told.at(-1)).toMatchObject({
    is: 'state',
    time: 5000,
    duration: 10_000,
    isPlaying: false,
  });
  for (const word of told) expect(v.safeParse(WordSchema, word).success).toBe(true);
  expect(JSON.stringify(told)).not.toContain('secret');
  order({ do: 'tell' });
  expect(told).toHaveLength(3);
});

test('while film runs it is told four times a second, at whatever pace', () => {
  const { playhead } = page.ringside;
  for (const pace of [0.25, 1]) {
    playhead.setPace(pace);
    playhead.play();
    embedding.changed();
    told = [];
    for (let frame = 0; frame < 20; frame += 1) {
      playhead.tick(50);
      embedding.changed();
    }
    expect(told.filter((word) => word.is === 'state' && word.isPlaying)).toHaveLength(4);
    playhead.pause();
  }
});

test.each([
  ['an unknown order', { do: 'eval' }, /^do:/],
  ['a time that is none', { do: 'seek', time: 'soon' }, /^time:/],
  ['a packet that the run does not have', { do: 'show', packet: 99 }, /^packet:/],
  ['a view that the run has nothing for', { do: 'show', view: 'locks' }, /^view:/],
  ['a loop that ends before it begins', { do: 'show', loop: { from: 5, to: 1 } }, /^loop: from/],
  ['a range of nothing', { do: 'show', range: { from: 5, to: 5 } }, /^range: from/],
  [
    'a range after the end of the run',
    { do: 'show', packet: 3, range: { from: 10_000, to: 20_000 } },
    /^range: .*end/,
  ],
  [
    'a loop after the end of the run',
    { do: 'show', loop: { from: 30_000, to: 40_000 } },
    /^loop: .*end/,
  ],
  ['something more than is known', { do: 'play', script: 'x' }, /^script:/],
  ['a finding that there is not', { do: 'finding', number: 9 }, /not to be done/],
])('%s is refused, and nothing changes', (_, fields, why) => {
  const before = page.commands.view;
  order(fields);
  expect(told).toEqual([{ ringside: 1, is: 'refused', why: expect.stringMatching(why) as string }]);
  expect(page.commands.view).toEqual(before);
});

test('a step to what the run does not have is refused', async () => {
  page = await pageWith(() => fakeHandle({}, { step: () => Promise.resolve(undefined) }));
  embedding = embed();
  order({ do: 'step', kind: 'drop' });
  await expect.poll(() => told).toHaveLength(1);
  expect(told[0]).toMatchObject({ is: 'refused', why: expect.stringMatching(/^kind:/) as string });
});

test('a seek past the end of the run leads to its end', () => {
  order({ do: 'seek', time: 20_000 });
  expect([page.ringside.playhead.time, told]).toEqual([10_000, []]);
});

test('of many seeks the first is done at once, and the last with the next frame', () => {
  const done: number[] = [];
  page.commands.watch(({ after }) => done.push(after?.time ?? 0));
  for (let time = 1; time <= 20_000; time += 1) order({ do: 'seek', time: time % 9000 });
  expect(done).toEqual([1]);
  frame();
  frame();
  expect(done).toEqual([1, 2000]);
  order({ do: 'seek', time: 4000 });
  expect(page.ringside.playhead.time, 'a frame has come since').toBe(4000);
});

test('what is ordered behind seeks finds the last of them done', () => {
  for (const time of [3000, 4000, 5000]) order({ do: 'seek', time });
  order({ do: 'tell' });
  expect(told.at(-1)).toMatchObject({ is: 'state', time: 5000 });
  order({ do: 'seek', time: 6000 });
  order({ do: 'seek', time: 7000 });
  order({ do: 'play' });
  frame();
  expect([page.ringside.playhead.time, page.ringside.playhead.isPlaying]).toEqual([7000, true]);
});

test('of a stretch that begins in the run, what is in it is marked', () => {
  order({ do: 'show', range: { from: 9000, to: 20_000 }, loop: { from: 0, to: 10_000 } });
  const { playhead, selection } = page.ringside;
  expect(selection.range).toEqual({ from: 9000, to: 10_000 });
  expect(playhead.loop).toEqual({ from: 0, to: 10_000 });
  expect(told).toEqual([]);
});

test('what is not meant for Ringside is left alone', () => {
  for (const data of ['play', null, 7, { do: 'play' }]) embedding.hear(data);
  expect(told).toEqual([]);
  expect(page.ringside.playhead.isPlaying).toBe(false);
});

test('in a frame nothing leads away from the stage', () => {
  guardFrame(page.commands);
  for (const id of ['page.lessons', 'page.papers', 'page.traces', 'page.palette'] as const)
    expect(page.commands.do(id)).toBe(false);
  expect(page.ringside.view.place).toBe('stage');
  expect(page.announcer.sentence).toMatch(/frame in another page/);
});
