/** Packet number against layer time: where points stand, and which one is pointed at. */
import { expect, test } from 'vitest';
import type { LayerTimes } from '../../core/measures.ts';
import { layerPlot, pointNear, thinned, timesOfPacket } from './layer-plot.ts';

const times: LayerTimes = {
  every: 1,
  layers: [
    { name: 'IP', packet: Uint32Array.of(10, 11, 20), nanos: Float64Array.of(0, 500, 1000) },
    { name: 'TCP', packet: Uint32Array.of(10, 20), nanos: Float64Array.of(4000, 2000) },
  ],
};
const all = () => true;

test('packets go from left to right, times from below', () => {
  const plot = layerPlot(times, all, 'linear');
  expect([plot.firstPacket, plot.lastPacket, plot.scale.to]).toEqual([10, 20, 4000]);
  expect(plot.clouds.map(({ x, y }) => [[...x], [...y]])).toEqual([
    [
      [0, expect.closeTo(0.1), 1],
      [0, 0.125, 0.25],
    ],
    [
      [0, 1],
      [1, 0.5],
    ],
  ]);
});

test('the axes fit the layers that are shown', () => {
  const plot = layerPlot(times, (layer) => layer === 0, 'linear');
  expect(plot.clouds.map(({ layer }) => layer)).toEqual([0]);
  expect(plot.scale.to).toBe(1000);
  expect(layerPlot(times, () => false, 'log').clouds).toEqual([]);
});

test('the nearest point within reach is hit', () => {
  const plot = layerPlot(times, all, 'linear');
  const area = { width: 100, height: 100 };
  const near = (x: number, y: number) => pointNear(plot, times, { x, y }, area, 8);
  expect(near(0.98, 0.27)).toEqual({ layer: 0, packet: 20, nanos: 1000 });
  expect(near(0.98, 0.48)).toEqual({ layer: 1, packet: 20, nanos: 2000 });
  expect(near(0.5, 0.9)).toBeUndefined();
});

test('points at one pixel are drawn once', () => {
  const crowd: LayerTimes = {
    every: 1,
    layers: [
      {
        name: 'IP',
        packet: Uint32Array.from({ length: 10_000 }, (_, index) => index),
        nanos: new Float64Array(10_000).fill(5),
      },
    ],
  };
  const [cloud] = layerPlot(crowd, all, 'log').clouds;
  expect(thinned(cloud!, 300, 200).length).toBe(301);
});

test('one packet through all layers', () => {
  expect(timesOfPacket(times, 20).map(({ layer, nanos }) => [layer, nanos])).toEqual([
    [0, 1000],
    [1, 2000],
  ]);
  expect(timesOfPacket(times, 12)).toEqual([]);
});
