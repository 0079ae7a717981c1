import { score } from '@touchstone/trust';
import { describe, expect, it } from 'vitest';
import { NUMBER_IDS } from './fields.ts';
import { presetState, PRESETS } from './presets.ts';
import { scoreInputsOf } from './score-inputs.ts';
import { settle } from './state.ts';

const NOW = Date.UTC(2026, 5, 1);
const verdictOf = (name: string) => {
  const preset = PRESETS.find((one) => one.name === name);
  if (preset === undefined) throw new Error(`There is no preset ${name}`);
  const { grade, recommendation, caps, flags } = score(scoreInputsOf(presetState(preset), NOW));
  return { grade, recommendation, caps: caps.map(({ rule }) => rule), flags: flags.map(({ slug }) => slug) };
};

describe('presets', () => {
  it.each(PRESETS)('$name is a state that the sliders can show', (preset) => {
    const state = presetState(preset);
    for (const id of NUMBER_IDS) expect(settle(id, state[id])).toBe(state[id]);
  });

  it.each([
    ['Healthy', { grade: 'A', recommendation: 'proceed', caps: [], flags: [] }],
    ['Swapped wallet', { recommendation: 'avoid', caps: ['payto-changed-recently'] }],
    ['Dead for a day', { grade: 'F', recommendation: 'avoid' }],
    ['Flaky and slow', { flags: ['uptime-low', 'slow'] }],
    ['Broken challenge', { recommendation: 'avoid', caps: ['not-payable'] }],
    ['Template', { recommendation: 'parameterize', caps: [], flags: [] }],
    ['One big customer', { recommendation: 'proceed', flags: ['single-payer'] }],
    ['Price times twelve', { recommendation: 'avoid', flags: ['price-spike'] }],
    ['Never probed', { grade: '?', recommendation: 'unverified' }],
    ['Free', { grade: '?', recommendation: 'free' }],
  ])('%s shows what it is named for', (name, expected) => {
    expect(verdictOf(name)).toMatchObject(expected);
  });

  it('Seen today is held back by how little is known', () => {
    expect(verdictOf('Seen today').flags).toEqual(
      expect.arrayContaining(['first-contact', 'low-confidence', 'no-settlements']),
    );
  });
});
