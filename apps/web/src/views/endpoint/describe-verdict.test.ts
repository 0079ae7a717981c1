import type { Snapshot } from '@touchstone/store';
import { expect, it } from 'vitest';
import { createTestSnapshot } from '../../testing/test-snapshot.ts';
import { describeVerdict } from './describe-verdict.ts';

const PROCEED = { recommendation: 'proceed' } as const;
const CAUTION = { recommendation: 'caution' } as const;
const AVOID = { recommendation: 'avoid' } as const;
const UNVERIFIED = { recommendation: 'unverified', grade: '?' } as const;

it.each([
  [
    { ...PROCEED, warningFlags: 0 },
    'No error and no warning applies. 99.9 % of 1,440 scored probes since 2026-02-20 succeeded.',
  ],
  [
    { ...PROCEED, warningFlags: 1, uptime30d: null },
    'No error applies, and its warning does not bar a payment.',
  ],
  [{ ...PROCEED, warningFlags: 2 }, 'none of its 2 warnings bars a payment.'],
  [
    { ...CAUTION, confidence: 0.29, score: 40, scoredProbes30d: 1 },
    'It has too few measurements yet: 1 scored probe since 2026-02-20.',
  ],
  [{ ...CAUTION, score: 64.9 }, 'Check it before you pay. Its score of 64.9 is below 65.'],
  [{ ...CAUTION, warningFlags: 1 }, 'Its one warning advises care.'],
  [{ ...CAUTION, warningFlags: 3 }, 'At least one of its 3 warnings advises care.'],
  [{ ...AVOID, errorFlags: 1, score: 20 }, 'Do not pay at present. 1 error decides this.'],
  [{ ...AVOID, errorFlags: 2 }, '2 errors decide this.'],
  [{ ...AVOID, errorFlags: 0, score: 34.9 }, 'Its score of 34.9 is below 35.'],
  [{ ...UNVERIFIED, lastProbedAt: null }, 'It has not been probed yet.'],
  [UNVERIFIED, 'No probe could be scored in the last 30 days'],
  [
    { ...UNVERIFIED, blockedSince: '2026-02-20T00:00:00.000Z' },
    'Nothing could be measured in the last 30 days.',
  ],
  [{ ...UNVERIFIED, templated: true, probes30d: 0 }, 'without example values, so it cannot be probed.'],
  [
    { recommendation: 'parameterize', resource: 'https://api.example.com/{city}/:day' },
    'Put a real value in place of each placeholder, such as {city}, and check',
  ],
  [
    { recommendation: 'parameterize', resource: 'https://api.example.com/:day' },
    'each placeholder, such as :day,',
  ],
  [
    { recommendation: 'parameterize', resource: 'https://api.example.com/{not a name}' },
    'in place of each placeholder and',
  ],
  [{ recommendation: 'free', grade: '?' }, 'has never requested payment'],
] as const satisfies readonly (readonly [Partial<Snapshot>, string])[])('%j: %s', (overrides, sentence) => {
  expect(describeVerdict(createTestSnapshot(overrides), 'since 2026-02-20')).toContain(sentence);
});
