import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NUMBER_IDS, NUMBERS, SWITCH_IDS } from './fields.ts';
import { hashOf, readHash } from './hash.ts';
import { HEALTHY } from './state.ts';
import { anyState } from './test-states.ts';

describe('the fragment of a shared address', () => {
  it('brings back the very state it was made from', () => {
    fc.assert(
      fc.property(anyState, (state) => {
        expect(readHash(hashOf(state))).toEqual(state);
      }),
    );
  });

  it('says only what differs from a healthy endpoint', () => {
    expect(hashOf(HEALTHY)).toBe('#play:');
    expect(hashOf({ ...HEALTHY, uptime: 95.5, listed: false })).toBe('#play:uptime=95.5&listed=0');
  });

  it('is never taken for an anchor of the page, nor an anchor for it', () => {
    for (const other of ['', '#', '#flag-payto-shared', '#playground', 'play:uptime=1']) {
      expect(readHash(other)).toBeNull();
    }
  });

  it('stays within the bounds of every field, whatever stands in it', () => {
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
        const state = readHash(`#play:${text}`);
        expect(Object.keys(state ?? {}).sort()).toEqual(Object.keys(HEALTHY).sort());
        for (const id of NUMBER_IDS) {
          expect(state?.[id]).toBeGreaterThanOrEqual(NUMBERS[id].min);
          expect(state?.[id]).toBeLessThanOrEqual(NUMBERS[id].max);
        }
        for (const id of SWITCH_IDS) expect(typeof state?.[id]).toBe('boolean');
      }),
    );
  });

  it('passes over what cannot be read', () => {
    expect(readHash('#play:uptime=&probes=many&listed=perhaps&nothing=1')).toEqual(HEALTHY);
    expect(readHash('#play:uptime=200&probes=-4')).toEqual({ ...HEALTHY, uptime: 100, probes: 0 });
  });
});
