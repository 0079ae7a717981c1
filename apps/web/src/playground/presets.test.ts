import { score } from '@touchstone/trust';
import { describe, expect, it } from 'vitest';
import { NUMBER_IDS } from './fields.ts';
import { toPresetState, PRESETS } from './presets.ts';
import { toScoreInputs } from './score-inputs.ts';
import { clampToField } from './state.ts';

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
    ['Not payable', { recommendation: 'avoid', caps: ['not-payable'] }],
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
