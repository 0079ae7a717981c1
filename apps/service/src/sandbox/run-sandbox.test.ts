import { JOBS } from '@touchstone/pipeline';
import { Cron } from 'croner';
import { expect, it } from 'vitest';
import { SANDBOX_JOBS } from './run-sandbox.ts';

it('reads the directory every five minutes in the sandbox, and runs all other jobs as scheduled', () => {
  const discovery = SANDBOX_JOBS.find(({ id }) => id === 'discover');
  const runs = new Cron(discovery?.cron ?? '', { timezone: 'UTC' }).nextRuns(3, '2026-11-23T10:02:00Z');
  expect(runs.map((at) => at.toISOString().slice(11, 16))).toEqual(['10:05', '10:10', '10:15']);
  const others = JOBS.filter(({ id }) => id !== 'discover');
  expect(SANDBOX_JOBS.filter(({ id }) => id !== 'discover')).toEqual(others);
  expect(SANDBOX_JOBS).toHaveLength(JOBS.length);
});
