/**
 * Current time in tests, in milliseconds since the epoch. The figures for monitoring in this file are ten seconds old
 * at this time, and have a sample for every metric.
 */
export const METRICS_TIME = Date.parse('2026-11-01T12:00:10Z');
const AT = '2026-11-01T12:00:00+00:00';

export const OPERATIONAL_METRICS = {
  probes: {
    ...{ dueSlots: 7, oldestDueAt: AT, leases: 5, expiredLeases: 1, scheduled: 10_000 },
    sample: {
      ...{ endpoints: 2000, schedules: 2000, required: 1800 },
      recorded: { up: 900, down: 180, other: 90, excluded: 18 },
    },
  },
  queues: [
    { queue: 'scores', items: 3, oldestAt: AT },
    { queue: 'rechecks', items: 0, oldestAt: null },
    { queue: 'search_texts', items: 4, oldestAt: null },
    { queue: 'watch_deliveries', items: 1, oldestAt: AT },
    { queue: 'payment_checks', items: 2, oldestAt: AT },
    { queue: 'disputes', items: 1, oldestAt: AT },
  ],
  payments: {
    open: [{ state: 'settling', payments: 2, oldestAt: AT }],
    lastDay: [
      { operation: 'POST /v1/x402-trust', state: 'failed', payments: 1 },
      { operation: 'POST /v1/x402-trust', state: 'settled', payments: 11 },
    ],
    disputedLastDay: 1,
  },
  watches: {
    active: 6,
    attemptsLastHour: { delivered: 8, failed: 1 },
    givenUpLastDay: { exhausted: 1, dropped: 2 },
  },
  jobs: {
    ...{ newestScoreAt: AT, oldestScoreAt: AT, statisticsAt: AT },
    partitionsUntil: '2026-11-04T00:00:00+00:00',
    directories: [
      { directory: 'bazaar', startedAt: AT, completedAt: AT },
      { directory: 'new', startedAt: AT, completedAt: null },
    ],
    chains: [{ network: 'eip155:8453', readUntil: AT, caughtUpAt: AT, groupsBehind: 1 }],
  },
  databaseBytes: 123_456,
};
