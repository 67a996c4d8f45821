/** Charts of times as marks: everything is within the picture, and nothing is left out. */
import { expect, test } from 'vitest';
import type { Mark } from '../marks.ts';
import { summaryOf } from './distribution.ts';
import { barsPicture } from './bars-picture.ts';
import { distributions, layerClouds, type Drawn } from './layer-pictures.ts';
import { layerPlot } from './layer-plot.ts';
import { valueScale } from './value-scale.ts';
import { waterfallPicture } from './waterfall-picture.ts';

const write = (nanos: number) => `${nanos} ns`;

function outside({ marks, width, height }: Drawn): readonly Mark[] {
  const isIn = (x: number, y: number) => x >= -1 && x <= width + 1 && y >= -1 && y <= height + 1;
  return marks.filter((mark) => {
    switch (mark.kind) {
      case 'box': {
        const { x, y, width: wide, height: high } = mark.rect;
        return !isIn(x + 8, y + 8) || !isIn(x + wide - 8, y + high - 8);
      }
      case 'text':
        return !isIn(mark.x, mark.y);
      case 'lines':
        return mark.points.some(
          (_, at) => at % 2 === 0 && !isIn(mark.points[at]!, mark.points[at + 1]!),
        );
      case 'curve':
        return true;
    }
  });
}

const texts = ({ marks }: Drawn) =>
  marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []));

test('each layer has a strip with its name, its numbers and its bars', () => {
  const sorted = Float64Array.of(100, 100, 200, 1000);
  const layer = { name: 'IP', numbers: '4×', sorted, summary: summaryOf(sorted)! };
  const drawn = distributions(
    [layer, { ...layer, name: 'TCP' }],
    valueScale('log', 100, 1000),
    write,
  );
  expect(texts(drawn)).toEqual(['IP', '4×', 'TCP', '4×', '100 ns', '1000 ns']);
  const bars = drawn.marks.filter((mark) => mark.kind === 'box' && mark.fill === 'packet');
  expect(bars).toHaveLength(6);
  expect(outside(drawn)).toEqual([]);
});

test('clouds have a shape for each layer and a key', () => {
  const times = {
    every: 1,
    layers: ['a', 'b'].map((name) => ({
      name,
      packet: Uint32Array.of(1, 2, 3),
      nanos: Float64Array.of(10, 20, 30),
    })),
  };
  const drawn = layerClouds(
    layerPlot(times, () => true, 'linear'),
    (layer) => `layer ${layer}`,
    write,
    'packet',
  );
  expect(texts(drawn)).toEqual(expect.arrayContaining(['layer 0', 'layer 1', 'packet', '1', '3']));
  expect(outside(drawn)).toEqual([]);
});

test('a stay has its name, its service in its colour and its wait', () => {
  const stay = { enter: 0, leave: 100 } as never;
  const bar = { index: 0, stay, left: 0, middle: 0.25, right: 1, handedFrom: undefined };
  const drawn = waterfallPicture(
    {
      groups: [{ piece: 0, bars: [bar] }],
      ticks: [{ at: 0, nanos: 0 }],
      canFold: false,
      axis: {} as never,
    },
    String,
    () => ({ station: 'IP', cpu: 'CPU 1', took: '0.1', context: 'softirq' }),
    write,
  );
  expect(texts(drawn)).toEqual(['0', 'IP · CPU 1', '0.1']);
  const [service, wait] = drawn.marks.flatMap((mark) => (mark.kind === 'box' ? [mark] : []));
  expect([service?.fill, wait?.fill]).toEqual(['softirq', 'idle']);
  expect(wait!.rect.width).toBeCloseTo(3 * service!.rect.width);
  expect(outside(drawn)).toEqual([]);
});

test('a bar has its label, its value, and what was predicted, dashed, within its track', () => {
  const bar = { label: 'two CPUs', text: '3.3 Gbit/s', length: 0.5, predicted: undefined };
  const drawn = barsPicture([bar, { ...bar, predicted: { from: 0, to: 1 } }]);
  expect(texts(drawn)).toEqual(['two CPUs', '3.3 Gbit/s', 'two CPUs', '3.3 Gbit/s']);
  const dashed = drawn.marks.filter((mark) => mark.kind === 'box' && mark.isDashed === true);
  expect(dashed).toHaveLength(1);
  expect(outside(drawn)).toEqual([]);
});
