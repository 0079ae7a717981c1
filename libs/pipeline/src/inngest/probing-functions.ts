import { eventType, staticSchema, type GetStepTools, type Inngest } from 'inngest';
import type { PipelineContext } from '../context.ts';
import type { Job } from '../jobs.ts';
import {
  countBatches,
  probeBatch,
  RECHECK_INTERVAL_SECONDS,
  recheckMisses,
  type BatchSummary,
} from '../probing/probe-due.ts';
import { createDeliveryRequest, getDeliveryTime } from './deliver-function.ts';
import { createCronOptions, ONE_STEP_PER_REQUEST, type OpenContext } from './function-options.ts';

/**
 * Event that requests one batch of probes. The batch claims its probe slots in the database, so the event contains only
 * a unique `key`.
 */
const batchDue = eventType('touchstone/batch.due', { schema: staticSchema<{ key: string }>() });

/** Event that requests one run of rechecks. The event contains only a unique `key`. */
const missesDue = eventType('touchstone/misses.due', { schema: staticSchema<{ key: string }>() });

export interface ProbingOptions {
  /** Maximum number of concurrent batches over all workers. Each batch has at most 48 probes in flight. */
  readonly maxConcurrentBatches: number;
}

/** Returns the keys of the events that a run sends. A repeated run has the same keys. */
function listKeys(runId: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${runId}/${index + 1}`);
}

/**
 * Creates the function that counts the due probe slots every minute and requests one run per batch. The function claims
 * no slots, so a duplicate run is harmless.
 */
export function createProbeDueFunction(client: Inngest, job: Job, openContext: OpenContext) {
  return client.createFunction(
    {
      ...createCronOptions(job),
      retries: 2,
      // A run that does not start within its minute is cancelled, because the run of the next minute counts the same
      // slots.
      timeouts: { start: '1m', finish: '2m' },
    },
    async ({ step, runId }) => {
      const counted = await step.run('count due slots', async () => countBatches(await openContext()));
      const requests = listKeys(runId, counted.batches).map((key) =>
        batchDue.create({ key }, { id: `${batchDue.name}/${key}` }),
      );
      if (requests.length > 0) await step.sendEvent('request batches', requests);
      return counted;
    },
  );
}

const RECHECKS_PER_MINUTE = 60 / RECHECK_INTERVAL_SECONDS;

/**
 * Creates the function that runs every minute and requests all recheck runs of that minute, because cron allows no
 * shorter interval.
 */
export function createRecheckFunction(client: Inngest, job: Job, openContext: OpenContext) {
  return client.createFunction(
    { ...createCronOptions(job), retries: 2, timeouts: { start: '30s', finish: '1m' } },
    async ({ step, runId }) => {
      const from = await step.run('read the clock', async () => (await openContext()).now());
      const requests = listKeys(runId, RECHECKS_PER_MINUTE).map((key, index) => {
        const ts = from + index * RECHECK_INTERVAL_SECONDS * 1000;
        return missesDue.create({ key }, { id: `${missesDue.name}/${key}`, ts });
      });
      await step.sendEvent('request rechecks', requests);
      return { runs: requests.length };
    },
  );
}

/**
 * Creates the handler that runs one batch in one step. Then it requests a run for the messages that the batch may have
 * caused.
 */
function createBatchHandler(
  openContext: OpenContext,
  name: string,
  run: (context: PipelineContext) => Promise<BatchSummary>,
) {
  return async ({ step }: { readonly step: Pick<GetStepTools<Inngest>, 'run' | 'sendEvent'> }) => {
    const { summary, deliverAt } = await step.run(name, async () => {
      const context = await openContext();
      const summary = await run(context);
      return { summary, deliverAt: getDeliveryTime(context, summary) };
    });
    if (deliverAt !== null) await step.sendEvent('request deliveries', createDeliveryRequest(deliverAt));
    return summary;
  };
}

/** Options of all functions that run one batch on an event. The `key` of the event identifies the batch. */
const ONE_BATCH = { ...ONE_STEP_PER_REQUEST, idempotency: 'event.data.key' } as const;

/**
 * Creates the function that claims, probes and records one batch in a single step, so that Inngest stores no
 * observations. When the step is delivered twice, the second delivery claims only slots that the first delivery left.
 */
export function createProbeBatchFunction(
  client: Inngest,
  openContext: OpenContext,
  { maxConcurrentBatches }: ProbingOptions,
) {
  return client.createFunction(
    {
      ...ONE_BATCH,
      id: 'probe-batch',
      name: 'Probe one batch',
      triggers: [batchDue],
      concurrency: { limit: maxConcurrentBatches },
      retries: 2,
      // A batch that does not start within its minute is cancelled, because its slots are counted again in the next
      // minute. A started batch may run for five minutes, which is the duration of its leases.
      timeouts: { start: '1m', finish: '5m' },
    },
    createBatchHandler(openContext, 'probe and record', probeBatch),
  );
}

/**
 * Creates the function that rechecks failed probes in one step. The function has its own concurrency limit and does not
 * wait for batches, so an outage is confirmed within a minute.
 */
export function createRecheckMissesFunction(client: Inngest, openContext: OpenContext) {
  return client.createFunction(
    {
      ...ONE_BATCH,
      id: 'recheck-misses',
      name: 'Recheck misses once',
      triggers: [missesDue],
      concurrency: { limit: RECHECKS_PER_MINUTE },
      // There are no retries, because the next run claims the rechecks that a failed run left.
      retries: 0,
      timeouts: { start: '1m', finish: '2m' },
    },
    createBatchHandler(openContext, 'recheck and record', recheckMisses),
  );
}
