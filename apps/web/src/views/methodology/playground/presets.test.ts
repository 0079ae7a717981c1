import { score } from '@touchstone/trust';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HEALTHY_STATE, NUMBERS, NUMBER_IDS, SWITCH_IDS, clampToField } from './fields.ts';
import { PRESETS, formatFragment, parseFragment, toPresetState } from './presets.ts';
import { toScoreInputs } from './score-inputs.ts';
import { arbitraryState } from './testing/arbitrary-state.ts';

const NOW = Date.UTC(2026, 5, 1);
const computeVerdict = (name: string) => {
  const preset = PRESETS.find((one) => one.name === name);
  if (preset === undefined) throw new Error(`No preset is named ${name}`);
  const { grade, recommendation, caps, flags } = score(toScoreInputs(toPresetState(preset), NOW));
  return { grade, recommendation, caps: caps.map(({ rule }) => rule), flags: flags.map(({ slug }) => slug) };
};

describe('presets', () => {
  it.each(PRESETS)('the preset $name has only values that its fields can show', (preset) => {
    const state = toPresetState(preset);
    for (const id of NUMBER_IDS) expect(clampToField(id, state[id])).toBe(state[id]);
  });

  it.each([
    ['Healthy', { grade: 'A', recommendation: 'proceed', caps: [], flags: [] }],
    ['New payTo address', { recommendation: 'avoid', caps: ['payto-changed-recently'] }],
    ['Down for 30 hours', { grade: 'F', recommendation: 'avoid' }],
    ['Low uptime, high latency', { flags: ['uptime-low', 'slow'] }],
    ['Not payable', { recommendation: 'avoid', caps: ['no-payable-challenge'] }],
    ['Template', { recommendation: 'parameterize', caps: [], flags: [] }],
    ['One large payer', { recommendation: 'proceed', flags: ['single-payer'] }],
    ['Price × 12', { recommendation: 'avoid', flags: ['price-spike'] }],
    ['Never probed', { grade: '?', recommendation: 'unverified' }],
    ['Free', { grade: '?', recommendation: 'free' }],
  ])('the preset %s has the verdict that its name suggests', (name, expected) => {
    expect(computeVerdict(name)).toMatchObject(expected);
  });

  it('the preset First seen today has warnings for missing evidence', () => {
    expect(computeVerdict('First seen today').flags).toEqual(
      expect.arrayContaining(['first-contact', 'low-confidence', 'no-settlements']),
    );
  });
});

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
