/** The rest of the reader comes once, however often it is asked for, and again where it did not come. */
import { afterEach, expect, test, vi } from 'vitest';

const EMPTY = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('the rest of the reader is fetched once, and again where it did not come', async () => {
  const { fetchRest, firstIsMade } = await import('./rest.ts');
  firstIsMade({ exports: {}, imports: {} });
  const fetched = vi.fn(() => Promise.reject(new Error('offline')));
  vi.stubGlobal('fetch', fetched);
  vi.spyOn(WebAssembly, 'compileStreaming').mockImplementation(async (answer) => {
    await answer;
    return new WebAssembly.Module(EMPTY);
  });
  await expect(fetchRest('rest.wasm')).rejects.toThrow('offline');
  fetched.mockResolvedValue(undefined as never);
  await Promise.all([fetchRest('rest.wasm'), fetchRest('rest.wasm')]);
  await fetchRest('rest.wasm');
  expect(fetched).toHaveBeenCalledTimes(2);
});
