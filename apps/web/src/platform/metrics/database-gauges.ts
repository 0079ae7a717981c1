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

/** Returns the age in seconds of a time in milliseconds; 0 for a time in the future. */
type ToAge = (at: number) => number;

type DefineGauge = (name: string, help: string, samples: readonly Sample[]) => GaugeSamples;
const defineGauge: DefineGauge = (name, help, samples) => ({ name: `touchstone_${name}`, help, samples });

/** Returns one sample without labels; none if the value is not known. */
const toSingleSample = (value: number | null): readonly Sample[] => (value === null ? [] : [{ value }]);

/** Returns one sample for each property of an object. */
const toSamplesByKey = (label: string, values: Readonly<Record<string, number>>): readonly Sample[] =>
  Object.entries(values).map(([key, value]) => ({ labels: { [label]: key }, value }));

/**
 * Converts the figures of the database to gauges.
 *
 * @param now Time at which the figures were read, in milliseconds since the epoch.
 */
export function toDatabaseGauges(metrics: OperationalMetrics, now: number): readonly GaugeSamples[] {
  const toAge: ToAge = (at) => Math.max(0, now - at) / 1000;
  return [
    ...toProbeGauges(metrics.probes, toAge),
    ...toQueueGauges(metrics.queues, toAge),
    ...toPaymentGauges(metrics.payments, toAge),
    ...toWatchGauges(metrics.watches),
    ...toJobGauges(metrics.jobs, now, toAge),
    ...toChainGauges(metrics.jobs.chains, toAge),
    defineGauge('database_size_bytes', 'Size of the database.', toSingleSample(metrics.databaseBytes)),
  ];
}

function toProbeGauges(probes: OperationalMetrics['probes'], toAge: ToAge): readonly GaugeSamples[] {
  const { oldestDueAt } = probes;
  return [
    defineGauge('probe_schedules', 'Endpoints with a probe schedule.', toSingleSample(probes.scheduled)),
    defineGauge(
      'probe_due_slots',
      'Probe slots that are due now, at most 100000. Includes slots whose lease has expired.',
      toSingleSample(probes.dueSlots),
    ),
    defineGauge(
      'probe_oldest_due_slot_age_seconds',
      'Time since the oldest due probe slot was due; 0 if none is due.',
      toSingleSample(oldestDueAt === null ? 0 : toAge(oldestDueAt)),
    ),
    defineGauge(
      'probe_leases',
      'Probe slots that workers hold, and planned rechecks.',
      toSingleSample(probes.leases),
    ),
    defineGauge(
      'probe_expired_leases',
      'Leases that have expired, such as those of a worker that was killed, and due rechecks.',
      toSingleSample(probes.expiredLeases),
    ),
    defineGauge(
      'probe_sampled_endpoints',
      'Endpoints from which the rates of required and recorded probes are estimated.',
      toSingleSample(probes.sampledEndpoints),
    ),
    defineGauge(
      'probe_required_per_second',
      'Probes per second that the schedules required, mean of the last 30 minutes.',
      toSingleSample(probes.requiredPerSecond),
    ),
    defineGauge(
      'probe_recorded_per_second',
      'Recorded scheduled probes per second by result, mean of the last 30 minutes. excluded: self-inflicted failures.',
      toSamplesByKey('result', probes.recordedPerSecond),
    ),
  ];
}

function toQueueGauges(queues: OperationalMetrics['queues'], toAge: ToAge): readonly GaugeSamples[] {
  return [
    defineGauge(
      'queue_items',
      'Items that can be processed now, at most 50000.',
      queues.map(({ queue, items }) => ({ labels: { queue }, value: items })),
    ),
    defineGauge(
      'queue_oldest_item_age_seconds',
      'Time for which the oldest item of a queue has waited; 0 for an empty queue.',
      queues.flatMap(({ queue, items, oldestAt }) => {
        if (oldestAt === null && items > 0) return [];
        return [{ labels: { queue }, value: oldestAt === null ? 0 : toAge(oldestAt) }];
      }),
    ),
  ];
}

/** States of payments whose outcome is not known yet. They always have a sample. */
const OPEN_STATES = ['working', 'settling'] as const;

function toPaymentGauges(payments: OperationalMetrics['payments'], toAge: ToAge): readonly GaugeSamples[] {
  const open = OPEN_STATES.map((state) => ({
    labels: { state },
    row: payments.open.find((row) => row.state === state),
  }));
  return [
    defineGauge(
      'payments_open',
      'Payments whose outcome is not known yet. settling: the result is stored, and money may have moved.',
      open.map(({ labels, row }) => ({ labels, value: row?.payments ?? 0 })),
    ),
    defineGauge(
      'payments_open_oldest_age_seconds',
      'Time since the oldest open payment was created; 0 if there is none.',
      open.map(({ labels, row }) => ({ labels, value: row === undefined ? 0 : toAge(row.oldestAt) })),
    ),
    defineGauge(
      'payments_last_day',
      'Payments that were created in the last 24 hours, by operation and present state.',
      payments.lastDay.map(({ operation, state, payments: value }) => ({
        labels: { operation, state },
        value,
      })),
    ),
    defineGauge(
      'payments_disputed_last_day',
      'Payments that were found to be disputed in the last 24 hours: a facilitator settled them, and the chain does not show it.',
      toSingleSample(payments.disputedLastDay),
    ),
  ];
}

function toWatchGauges(watches: OperationalMetrics['watches']): readonly GaugeSamples[] {
  return [
    defineGauge('watches_active', 'Active watches.', toSingleSample(watches.active)),
    defineGauge(
      'watch_attempts_last_hour',
      'Attempts to deliver an entry of a watch in the last hour, by outcome.',
      toSamplesByKey('outcome', watches.attemptsLastHour),
    ),
    defineGauge(
      'watch_deliveries_given_up_last_day',
      'Deliveries that were given up in the last 24 hours. exhausted: every attempt failed. dropped: the destination was disabled or removed.',
      toSamplesByKey('reason', watches.givenUpLastDay),
    ),
  ];
}

function toJobGauges(jobs: OperationalMetrics['jobs'], now: number, toAge: ToAge): readonly GaugeSamples[] {
  const age = (at: number | null): readonly Sample[] => toSingleSample(at === null ? null : toAge(at));
  const { directories, partitionsUntil } = jobs;
  return [
    defineGauge(
      'score_newest_age_seconds',
      'Time since the newest score was computed.',
      age(jobs.newestScoreAt),
    ),
    defineGauge(
      'score_oldest_age_seconds',
      'Time since the oldest score was computed.',
      age(jobs.oldestScoreAt),
    ),
    defineGauge(
      'statistics_age_seconds',
      'Time since the daily statistics were computed.',
      age(jobs.statisticsAt),
    ),
    defineGauge(
      'observation_partitions_lead_seconds',
      'Time until the last daily partition of observations ends. The daily maintenance job extends it.',
      toSingleSample(partitionsUntil === null ? null : Math.max(0, partitionsUntil - now) / 1000),
    ),
    defineGauge(
      'discovery_run_age_seconds',
      'Time since the last run of a directory started.',
      directories.map(({ directory, startedAt }) => ({ labels: { directory }, value: toAge(startedAt) })),
    ),
    defineGauge(
      'discovery_complete_run_age_seconds',
      'Time since the last complete run of a directory finished.',
      directories.flatMap(({ directory, completedAt }) =>
        completedAt === null ? [] : [{ labels: { directory }, value: toAge(completedAt) }],
      ),
    ),
  ];
}

function toChainGauges(chains: OperationalMetrics['jobs']['chains'], toAge: ToAge): readonly GaugeSamples[] {
  return [
    defineGauge(
      'chain_read_lag_seconds',
      'Age of the last block whose payments were read.',
      chains.flatMap(({ network, readUntil }) =>
        readUntil === null ? [] : [{ labels: { network }, value: toAge(readUntil) }],
      ),
    ),
    defineGauge(
      'chain_caught_up_age_seconds',
      'Time since all confirmed blocks had been read.',
      chains.flatMap(({ network, caughtUpAt }) =>
        caughtUpAt === null ? [] : [{ labels: { network }, value: toAge(caughtUpAt) }],
      ),
    ),
    defineGauge(
      'chain_wallet_groups_behind',
      'Groups of new wallets whose earlier payments are still being read.',
      chains.map(({ network, groupsBehind }) => ({ labels: { network }, value: groupsBehind })),
    ),
  ];
}
