import type { Snapshot } from '@touchstone/store';
import { expect, it } from 'vitest';
import { createTestSnapshot } from '../../testing/test-snapshot.ts';
import { TEST_SELLER } from './testing/render-report.tsx';
import { selectAction } from './verdict-action.ts';

const select = (overrides: Partial<Snapshot>, arePaymentsEnabled = true) => {
  const action = selectAction(createTestSnapshot(overrides), { ...TEST_SELLER, arePaymentsEnabled });
  if ('href' in action) return `${action.title}: ${action.href}`;
  return `${action.title}: ${action.command}${action.link === undefined ? '' : ` or ${action.link.href}`}`;
};
const FREE_LINK = '/explore?q=The+weather+anywhere.&recommendation=proceed';

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
  const avoided = { recommendation: 'avoid', ...overrides } as const;
  expect(select({ ...avoided, betterAlternatives: 0 })).toBe(
    `See others for this purpose, marked Proceed, free: ${href}`,
  );
  expect(select({ ...avoided, betterAlternatives: 3 })).toMatch(/ similar 'https:\S+ --service \S+ or \//);
  expect(select({ ...avoided, betterAlternatives: 3 })).toContain(` or ${href}`);
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
  expect(select({ recommendation: 'avoid', betterAlternatives: 3 }, false)).not.toContain(' similar ');
});
