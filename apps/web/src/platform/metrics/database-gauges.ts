import type { OperationalMetrics } from '@touchstone/store';

/** Gauge of the Prometheus text format. A gauge without samples is left out. */
export interface GaugeSamples {
  readonly name: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Returns the age in seconds of a time in milliseconds: 0 for a time in the future, null if the time is null. */
type ToAge = (at: number | null) => number | null;

/** Label of a sample, and its value; null for a value that is not known. */
type LabeledValue = readonly [labels: Readonly<Record<string, string>>, value: number | null];

/**
 * Gauge as a row: its name, its help, and its values. A number is one value without labels. A null value has no sample.
 */
type Row = readonly [name: string, help: string, values: readonly LabeledValue[] | number | null];

/** Returns one labeled value for each property of an object. */
const labelByKey = (label: string, values: Readonly<Record<string, number>>): readonly LabeledValue[] =>
  Object.entries(values).map(([key, value]) => [{ [label]: key }, value]);

/**
 * Converts the figures of the database to gauges.
 *
 * @param now Time at which the figures were read, in milliseconds since the epoch.
 */
export function toDatabaseGauges(metrics: OperationalMetrics, now: number): readonly GaugeSamples[] {
  const toAge: ToAge = (at) => (at === null ? null : Math.max(0, now - at) / 1000);
  const rows: readonly Row[] = [
    ...listProbeRows(metrics.probes, toAge),
    ...listQueueRows(metrics.queues, toAge),
    ...listPaymentRows(metrics.payments, toAge),
    ...listWatchRows(metrics.watches),
    ...listJobRows(metrics.jobs, now, toAge),
    ...listChainRows(metrics.jobs.chains, toAge),
    ['database_size_bytes', 'Size of the database.', metrics.databaseBytes],
  ];
  return rows.map(([name, help, values]) => {
    const labeled: readonly LabeledValue[] = Array.isArray(values) ? values : [[{}, values]];
    const samples = labeled.flatMap(([labels, value]) => (value === null ? [] : [{ labels, value }]));
    return { name: `touchstone_${name}`, help, samples };
  });
}

function listProbeRows(probes: OperationalMetrics['probes'], toAge: ToAge): readonly Row[] {
  return [
    ['probe_schedules', 'Endpoints with a probe schedule.', probes.scheduled],
    [
      'probe_due_slots',
      'Probe slots that are due now, at most 100000. Includes slots whose lease has expired.',
      probes.dueSlots,
    ],
    [
      'probe_oldest_due_slot_age_seconds',
      'Time since the oldest due probe slot was due; 0 if none is due.',
      toAge(probes.oldestDueAt) ?? 0,
    ],
    ['probe_leases', 'Probe slots that workers hold, and planned rechecks.', probes.leases],
    [
      'probe_expired_leases',
      'Leases that have expired, such as those of a worker that was killed, and due rechecks.',
      probes.expiredLeases,
    ],
    [
      'probe_sampled_endpoints',
      'Endpoints from which the rates of required and recorded probes are estimated.',
      probes.sampledEndpoints,
    ],
    [
      'probe_required_per_second',
      'Probes per second that the schedules required, mean of the last 30 minutes.',
      probes.requiredPerSecond,
    ],
    [
      'probe_recorded_per_second',
      'Recorded scheduled probes per second by result, mean of the last 30 minutes. excluded: self-inflicted failures.',
      labelByKey('result', probes.recordedPerSecond),
    ],
  ];
}

function listQueueRows(queues: OperationalMetrics['queues'], toAge: ToAge): readonly Row[] {
  return [
    [
      'queue_items',
      'Items that can be processed now, or disputes that wait for an answer, at most 50000.',
      queues.map(({ queue, items }) => [{ queue }, items]),
    ],
    [
      'queue_oldest_item_age_seconds',
      'Time for which the oldest item of a queue has waited; 0 for an empty queue.',
      queues.map(({ queue, items, oldestAt }) => [
        { queue },
        oldestAt === null && items === 0 ? 0 : toAge(oldestAt),
      ]),
    ],
  ];
}

/** States of payments whose outcome is not known yet. Each of these states always has a sample. */
const OPEN_STATES = ['working', 'settling'] as const;

function listPaymentRows(payments: OperationalMetrics['payments'], toAge: ToAge): readonly Row[] {
  const open = OPEN_STATES.map((state) => ({ state, row: payments.open.find((row) => row.state === state) }));
  return [
    [
      'payments_open',
      'Payments whose outcome is not known yet. settling: the result is stored, and money may have moved.',
      open.map(({ state, row }) => [{ state }, row?.payments ?? 0]),
    ],
    [
      'payments_open_oldest_age_seconds',
      'Time since the oldest open payment was created; 0 if there is none.',
      open.map(({ state, row }) => [{ state }, toAge(row?.oldestAt ?? null) ?? 0]),
    ],
    [
      'payments_last_day',
      'Payments that were created in the last 24 hours, by operation and present state.',
      payments.lastDay.map(({ operation, state, payments: count }) => [{ operation, state }, count]),
    ],
    [
      'payments_disputed_last_day',
      'Payments that were found to be disputed in the last 24 hours: a facilitator settled them, and the chain does not show it.',
      payments.disputedLastDay,
    ],
  ];
}

function listWatchRows(watches: OperationalMetrics['watches']): readonly Row[] {
  return [
    ['watches_active', 'Active watches.', watches.active],
    [
      'watch_attempts_last_hour',
      'Attempts to deliver an entry of a watch in the last hour, by outcome.',
      labelByKey('outcome', watches.attemptsLastHour),
    ],
    [
      'watch_deliveries_given_up_last_day',
      'Deliveries that were given up in the last 24 hours. exhausted: every attempt failed. dropped: the destination was disabled or removed.',
      labelByKey('reason', watches.givenUpLastDay),
    ],
  ];
}

function listJobRows(jobs: OperationalMetrics['jobs'], now: number, toAge: ToAge): readonly Row[] {
  const { directories, partitionsUntil } = jobs;
  return [
    ['score_newest_age_seconds', 'Time since the newest score was computed.', toAge(jobs.newestScoreAt)],
    ['score_oldest_age_seconds', 'Time since the oldest score was computed.', toAge(jobs.oldestScoreAt)],
    ['statistics_age_seconds', 'Time since the daily statistics were computed.', toAge(jobs.statisticsAt)],
    [
      'observation_partitions_lead_seconds',
      'Time until the last daily partition of observations ends. The daily maintenance job extends it.',
      partitionsUntil === null ? null : Math.max(0, partitionsUntil - now) / 1000,
    ],
    [
      'discovery_run_age_seconds',
      'Time since the last run of a directory started.',
      directories.map(({ directory, startedAt }) => [{ directory }, toAge(startedAt)]),
    ],
    [
      'discovery_complete_run_age_seconds',
      'Time since the last complete run of a directory finished.',
      directories.map(({ directory, completedAt }) => [{ directory }, toAge(completedAt)]),
    ],
  ];
}

function listChainRows(chains: OperationalMetrics['jobs']['chains'], toAge: ToAge): readonly Row[] {
  return [
    [
      'chain_read_lag_seconds',
      'Age of the last block whose payments were read.',
      chains.map(({ network, readUntil }) => [{ network }, toAge(readUntil)]),
    ],
    [
      'chain_caught_up_age_seconds',
      'Time since all confirmed blocks had been read.',
      chains.map(({ network, caughtUpAt }) => [{ network }, toAge(caughtUpAt)]),
    ],
    [
      'chain_wallet_groups_behind',
      'Groups of new wallets whose earlier payments are still being read.',
      chains.map(({ network, groupsBehind }) => [{ network }, groupsBehind]),
    ],
  ];
}
