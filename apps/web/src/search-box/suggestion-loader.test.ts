import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SearchSuggestions } from '../trpc/explore-router.ts';
import { loadSuggestions } from './suggestion-loader.ts';

const FOUND: SearchSuggestions = { endpoints: [], hosts: [], tags: [{ tag: 'fx', endpoints: 1 }] };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Loads suggestions with a request that `respond` completes, and records the calls. */
function load(text: string) {
  const requested: { text: string; signal: AbortSignal }[] = [];
  const shown: (SearchSuggestions | null)[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<SearchSuggestions>();
  const cancel = loadSuggestions(
    text,
    (value, signal) => {
      requested.push({ text: value, signal });
      return promise;
    },
    (suggestions) => shown.push(suggestions),
  );
  return { requested, shown, cancel, resolve, reject };
}

describe('loadSuggestions', () => {
  it('requests suggestions after a pause and shows them', async () => {
    const { requested, shown, resolve } = load('fx');
    await vi.advanceTimersByTimeAsync(149);
    expect(requested).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(requested).toMatchObject([{ text: 'fx' }]);
    resolve(FOUND);
    await vi.runAllTimersAsync();
    expect(shown).toEqual([FOUND]);
  });

  it('requests nothing if the text changes during the pause', async () => {
    const { requested, cancel } = load('f');
    await vi.advanceTimersByTimeAsync(100);
    cancel();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(requested).toEqual([]);
  });

  it('cancels an earlier request and does not show its result', async () => {
    const { requested, shown, cancel, resolve } = load('fx');
    await vi.advanceTimersByTimeAsync(150);
    cancel();
    expect(requested[0]?.signal.aborted).toBe(true);
    resolve(FOUND);
    await vi.runAllTimersAsync();
    expect(shown).toEqual([]);
  });

  it('shows nothing after a failure', async () => {
    const { shown, reject } = load('fx');
    await vi.advanceTimersByTimeAsync(150);
    reject(new Error('429'));
    await vi.runAllTimersAsync();
    expect(shown).toEqual([null]);
  });
});
