import { expect, it } from 'vitest';
import { formatProbeCounts } from './probe-counts.ts';

it.each([
  [[1, 1, 0, null], '1 scored of 1 probe'],
  [[1440, 1434, 0, null], '1,434 scored of 1,440 probes'],
  [
    [672, 94, 578, '2026-11-14T00:30:00.000Z'],
    '94 scored of 672 probes, 578 blocked; none scored since 2026-11-14 00:30 UTC',
  ],
  [[672, 94, 578, null], '94 scored of 672 probes, 578 blocked'],
] as const)('formats %j', ([probes30d, scoredProbes30d, blocked30d, blockedSince], expected) => {
  expect(formatProbeCounts({ probes30d, scoredProbes30d, blocked30d, blockedSince })).toBe(expected);
});
