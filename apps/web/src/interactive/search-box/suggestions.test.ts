import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SearchSuggestions } from '../trpc/explore-router.ts';
import { countSuggestions, loadSuggestions, toGroups } from './suggestions.ts';

const NONE = { endpoints: [], hosts: [], tags: [] };

describe('toGroups', () => {
  it('groups suggestions by their kind, each with the page that it opens', () => {
    const groups = toGroups(
      {
        endpoints: [
          {
            ...{ slug: 'a-abcdefgh27', resource: 'https://a.example/x', serviceName: 'Rates' },
            ...{ grade: 'A', recommendation: 'avoid', amountUsd: '0.005000' },
          },
          {
            ...{ slug: 'b-abcdefgh27', resource: 'https://b.example/y', serviceName: null },
            ...{ grade: '?', recommendation: 'unverified', amountUsd: null },
          },
        ],
        hosts: [{ host: 'a.example:8443', endpoints: 1_200 }],
        tags: [{ tag: 'r&d, fx', endpoints: 1 }],
      },
      'r',
    );
    expect(groups).toMatchObject([
      {
        label: 'Endpoints',
        items: [
          {
            ...{ href: '/endpoint/a-abcdefgh27', text: 'a.example/x', note: 'Grade A · $0.005 · Rates' },
            verdict: { label: 'Avoid', tone: 'text-bad' },
          },
          {
            ...{ href: '/endpoint/b-abcdefgh27', text: 'b.example/y', note: '' },
            verdict: { label: 'Unverified' },
          },
        ],
      },
      {
        label: 'Providers',
        items: [{ href: '/provider/a.example%3A8443', text: 'a.example:8443', note: '1,200 endpoints' }],
      },
      { label: 'Tags', items: [{ href: '/explore?tag=r%26d,+fx', text: 'r&d, fx', note: '1 endpoint' }] },
    ]);
    expect(countSuggestions(groups)).toBe('4 suggestions');
  });

  it.each([
    ['fx line', '/explore?q=fx+line', 'Search for “fx line”'],
    ['https://a.example/x', '/explore?q=https://a.example/x', 'Is this URL monitored?'],
  ])('leaves out empty groups, and leads on without an endpoint for %s', (text, href, shown) => {
    const groups = toGroups({ ...NONE, tags: [{ tag: 'fx', endpoints: 2 }] }, text);
    expect(groups.map(({ label }) => label)).toEqual(['Tags', 'Search']);
    expect(groups.at(-1)?.items).toMatchObject([{ href, text: shown }]);
    expect(countSuggestions(groups)).toBe('2 suggestions');
  });
});

const FOUND: SearchSuggestions = { endpoints: [], hosts: [], tags: [{ tag: 'fx', endpoints: 1 }] };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Starts to load suggestions, and records the calls. `respond` completes the request. */
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
