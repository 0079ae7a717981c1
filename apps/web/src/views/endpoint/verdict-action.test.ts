import type { Snapshot } from '@touchstone/store';
import { expect, it } from 'vitest';
import { createTestSnapshot } from '../../testing/test-snapshot.ts';
import { TEST_SELLER } from './testing/render-report.tsx';
import { selectAction } from './verdict-action.ts';

const select = (overrides: Partial<Snapshot>, arePaymentsEnabled = true) => {
  const action = selectAction(createTestSnapshot(overrides), { ...TEST_SELLER, arePaymentsEnabled });
  return `${action.title}: ${'href' in action ? action.href : action.command}`;
};

it.each([
  [{ recommendation: 'proceed' }, /^Check each payment with the free guard: npx \S+ guard 'https:/],
  [{ recommendation: 'parameterize', templated: true }, /^Replace each placeholder.* guard 'https:/],
  [{ recommendation: 'caution' }, /^Read the reasons in the report, \$0\.005: npx \S+ buy trust 'https:/],
  [
    { recommendation: 'avoid', betterAlternatives: 1 },
    /^List 1 similar endpoint with a better score, \$0\.005: npx \S+ similar 'https:/,
  ],
  [{ recommendation: 'avoid', betterAlternatives: 10 }, /^List at least 10 similar endpoints/],
  [{ recommendation: 'avoid', betterAlternatives: null }, /^List similar endpoints with a better score, /],
  [{ recommendation: 'avoid', betterAlternatives: 0 }, /^Explore other endpoints: \/explore$/],
  [{ recommendation: 'unverified' }, /^Probe it now from your machine, free: npx \S+ lint 'https:/],
  [{ recommendation: 'free' }, /^Call it without a payment: #use$/],
] as const)('the action of %j', (overrides, action) => {
  expect(select(overrides)).toMatch(action);
});

it('no action buys anything while the service takes no payments', () => {
  expect(select({ recommendation: 'caution' }, false)).toContain(' guard ');
  expect(select({ recommendation: 'avoid', betterAlternatives: 3 }, false)).toContain('/explore');
});
