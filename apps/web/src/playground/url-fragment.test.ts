import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NUMBER_IDS, NUMBERS, SWITCH_IDS } from './fields.ts';
import { formatFragment, parseFragment } from './url-fragment.ts';
import { HEALTHY_STATE } from './state.ts';
import { arbitraryState } from './testing/arbitrary-state.ts';

describe('URL fragment', () => {
  it('restores the state from which it was created', () => {
    fc.assert(
      fc.property(arbitraryState, (state) => {
        expect(parseFragment(formatFragment(state))).toEqual(state);
      }),
    );
  });

  it('contains only the differences from a healthy endpoint', () => {
    expect(formatFragment(HEALTHY_STATE)).toBe('#play:');
    expect(formatFragment({ ...HEALTHY_STATE, uptime: 95.5, listed: false })).toBe(
      '#play:uptime=95.5&listed=0',
    );
  });

  it('is distinct from every anchor of the page', () => {
    for (const other of ['', '#', '#flag-payto-shared', '#playground', 'play:uptime=1']) {
      expect(parseFragment(other)).toBeNull();
    }
  });

  it('ignores unreadable values, and stays within the range of every field for any text', () => {
    expect(parseFragment('#play:uptime=&probes=many&listed=perhaps&nothing=1')).toEqual(HEALTHY_STATE);
    const written = fc.oneof(
      fc.string(),
      fc
        .array(
          fc.tuple(
            fc.constantFrom(...NUMBER_IDS, ...SWITCH_IDS, '__proto__'),
            fc.oneof(fc.string(), fc.double().map(String)),
          ),
        )
        .map((pairs) => new URLSearchParams(pairs.map(([id, text]) => [id, text])).toString()),
    );
    fc.assert(
      fc.property(written, (text) => {
        const state = parseFragment(`#play:${text}`);
        expect(Object.keys(state ?? {}).sort()).toEqual(Object.keys(HEALTHY_STATE).sort());
        for (const id of NUMBER_IDS) {
          expect(state?.[id]).toBeGreaterThanOrEqual(NUMBERS[id].min);
          expect(state?.[id]).toBeLessThanOrEqual(NUMBERS[id].max);
        }
        for (const id of SWITCH_IDS) expect(typeof state?.[id]).toBe('boolean');
      }),
    );
  });
});
