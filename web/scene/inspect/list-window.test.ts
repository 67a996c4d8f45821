/** The window of a long list: the rows in view are rendered, and a requested row scrolls into view. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listWindow, scrollTopAround, scrollTopFor, type ListView } from './list-window.ts';

const views = fc.record({
  count: fc.integer({ min: 1, max: 3_000_000 }),
  rowHeight: fc.integer({ min: 20, max: 60 }),
  viewHeight: fc.integer({ min: 60, max: 2000 }),
  scrollTop: fc.double({ min: -50, max: 9_000_000, noNaN: true }),
});

/** The part of the view that rendered rows cover. */
function covers(view: ListView): boolean {
  const { from, to, offset, height } = listWindow(view);
  const longest = Math.max(0, height - view.viewHeight);
  const top = Math.min(Math.max(view.scrollTop, 0), longest);
  const bottom = Math.min(top + view.viewHeight, height);
  return offset <= top + 0.01 && offset + (to - from) * view.rowHeight >= bottom - 0.01;
}

test('the rendered rows cover the view, and are few', () => {
  fc.assert(
    fc.property(views, (view) => {
      const { from, to } = listWindow(view);
      expect(covers(view)).toBe(true);
      expect(0 <= from && from <= to && to <= view.count).toBe(true);
      expect(to - from).toBeLessThanOrEqual(view.viewHeight / view.rowHeight + 15);
    }),
  );
});

test('a row asked for is in view, wholly and at once', () => {
  fc.assert(
    fc.property(views, fc.double({ min: 0, max: 0.999999, noNaN: true }), (view, share) => {
      const row = Math.floor(share * view.count);
      for (const scroll of [scrollTopFor, scrollTopAround]) {
        const { from, to, offset, height } = listWindow({ ...view, scrollTop: scroll(row, view) });
        expect(from <= row && row < to).toBe(true);
        const rowTop = offset + (row - from) * view.rowHeight;
        const top = Math.min(Math.max(scroll(row, view), 0), Math.max(0, height - view.viewHeight));
        expect(rowTop).toBeGreaterThanOrEqual(top - 0.01);
        expect(rowTop + view.rowHeight).toBeLessThanOrEqual(top + view.viewHeight + 0.01);
      }
    }),
  );
});

test('a row that is in view does not make the list jump', () => {
  const view = { count: 1000, rowHeight: 30, viewHeight: 300, scrollTop: 600 };
  expect(scrollTopFor(25, view)).toBe(600);
  expect(scrollTopFor(30, view)).toBe(630);
  expect(scrollTopFor(10, view)).toBe(300);
});
