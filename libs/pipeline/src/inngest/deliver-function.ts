import { eventType, staticSchema, type Inngest } from 'inngest';
import { runBatches } from '../steps.ts';
import { addCounts } from '../add-counts.ts';
import type { PipelineContext } from '../context.ts';
import type { Job } from '../jobs.ts';
import type { RecordSummary } from '../probing/record.ts';
import {
  deliverEvents,
  DELIVERY_INTERVAL_SECONDS,
  EMPTY_DELIVER_SUMMARY,
} from '../watches/deliver-events.ts';
import { createCronOptions, type OpenContext } from './function-options.ts';
import { createRunStep } from './job-functions.ts';

/** Inngest event that requests a run of deliveries. The event is sent when messages of watches may be due. */
const deliveriesDue = eventType('touchstone/deliveries.due', {
  schema: staticSchema<{ key: string }>(),
});

/** Maximum number of steps per run. A step takes at most about a minute, and a run at most 30 minutes. */
const MAX_BATCHES = 30;
/**
 * Maximum number of concurrent runs. Several runs are needed, because a step ends only after all of its requests in
 * flight have ended. Leases ensure that each destination has one request in flight.
 */
const MAX_CONCURRENT_RUNS = 4;

/** Time for which a batch requests a run of deliveries, in milliseconds since the epoch; null if it requests no run. */
type DeliveryTime = number | null;

/**
 * Returns the time at which the messages that a batch of probes may have caused are delivered: the end of the current
 * interval of five seconds. All batches of an interval request the same run.
 *
 * @returns null if the batch recorded nothing, or this service delivers no messages
 */
export function getDeliveryTime(
  { now, watches }: Pick<PipelineContext, 'now' | 'watches'>,
  { recorded }: Pick<RecordSummary, 'recorded'>,
): DeliveryTime {
  if (recorded === 0 || !watches?.cipher) return null;
  const intervalMs = DELIVERY_INTERVAL_SECONDS * 1000;
  return (Math.floor(now() / intervalMs) + 1) * intervalMs;
}

/** Creates the event that requests a run of deliveries. Inngest starts one run for all events with the same time. */
export function createDeliveryRequest(at: number) {
  const key = new Date(at).toISOString();
  return deliveriesDue.create({ key }, { id: `${deliveriesDue.name}/${key}`, ts: at });
}

/**
 * Creates the function that delivers the events of watches, with one step per batch. The function runs every minute,
 * and soon after a batch of probes that may have caused events.
 */
export function createDeliverFunction(client: Inngest, job: Job, openContext: OpenContext) {
  const options = createCronOptions(job);
  return client.createFunction(
    {
      ...options,
      triggers: [...options.triggers, deliveriesDue],
      concurrency: { limit: MAX_CONCURRENT_RUNS },
      retries: 2,
      // A run that does not start within its minute is cancelled, because the run of the next minute delivers the same
      // messages.
      timeouts: { start: '1m', finish: '30m' },
    },
    async ({ step }) => {
      const batches = await runBatches(
        { runStep: createRunStep(step) },
        {
          name: 'deliver batch',
          max: MAX_BATCHES,
          run: async () =>
            deliverEvents({
              ...(await openContext()),
              logError: (message) => client.logger.error(message),
            }),
          isLast: ({ claimed }) => claimed === 0,
        },
      );
      return batches.reduce((sum, batch) => addCounts(sum, batch), EMPTY_DELIVER_SUMMARY);
    },
  );
}
