import type { Snapshot } from '@touchstone/store';
import { expect, it } from 'vitest';
import { createTestSnapshot } from '../../testing/test-snapshot.ts';
import { TEST_SELLER } from './testing/render-report.tsx';
import { selectAction } from './verdict-action.ts';

const select = (overrides: Partial<Snapshot>, arePaymentsEnabled = true) => {
  const action = selectAction(createTestSnapshot(overrides), { ...TEST_SELLER, arePaymentsEnabled });
  if ('href' in action) return `${action.title}: ${action.href}`;
  return `${action.title}: ${action.command}`;
};
const FREE_LINK = '/explore?q=The+weather+anywhere.&recommendation=proceed';

it.each([
  [{ recommendation: 'proceed' }, /^Check each payment with the free guard: npx \S+ guard 'https:/],
  [{ recommendation: 'parameterize', templated: true }, /^Replace each placeholder.* guard 'https:/],
  [{ recommendation: 'caution' }, /^Read the reasons in the report, \$0\.005: npx \S+ buy trust 'https:/],
  [{ recommendation: 'unverified' }, /^Send one request .* your own machine, free: npx \S+ lint 'https:/],
  [{ recommendation: 'free' }, /^Call it without a payment: #use$/],
] as const)('the action of %j', (overrides, action) => {
  expect(select(overrides)).toMatch(action);
});

it.each([
  [{}, FREE_LINK],
  [{ description: null }, '/explore?q=Weather&recommendation=proceed'],
  [{ description: 'https://other.example/page' }, '/explore?recommendation=proceed'],
  [{ description: ' … ' }, '/explore?recommendation=proceed'],
])('an endpoint to avoid has a free search for its purpose: %j', (overrides, href) => {
  // The number of better alternatives is computed once a day, and must not change the action.
  for (const betterAlternatives of [null, 0, 3])
    expect(select({ recommendation: 'avoid', betterAlternatives, ...overrides })).toBe(
      `See others for this purpose, marked Proceed, free: ${href}`,
    );
});

it.each([
  ['https://api.example.com/weather', / lint 'https:\S+$/],
  ['https://api.sandbox.test/weather', / lint 'https:\S+ --sandbox$/],
])('the check of %s on this machine uses the sandbox only for its own endpoints', (resource, command) => {
  const snapshot = createTestSnapshot({ recommendation: 'unverified', resource });
  const action = selectAction(snapshot, { ...TEST_SELLER, baseUrl: 'http://localhost:3000' });
  expect(action).toMatchObject({ command: expect.stringMatching(command) as unknown });
});

it('no action buys anything while the service takes no payments', () => {
  expect(select({ recommendation: 'caution' }, false)).toContain(' guard ');
});
