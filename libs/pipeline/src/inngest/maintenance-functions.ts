import { internalEvents, eventType, staticSchema, type Inngest } from 'inngest';
import type { Job } from '../jobs.ts';
import { addMaintainSummaries, maintain, type MaintainSummary } from '../maintenance/maintain.ts';
import {
  createCronOptions,
  createStepSignal,
  ONE_STEP_PER_REQUEST,
  type OpenContext,
} from './function-options.ts';

/** Maximum number of steps of a maintenance run, which takes at most 45 minutes. The next day deletes the rest. */
const MAX_MAINTENANCE_STEPS = 10;

/**
 * Creates the daily function that creates the partitions of the next days and deletes expired data. A step that reaches
 * its deadline is followed by another one.
 */
export function createMaintainFunction(client: Inngest, job: Job, openContext: OpenContext) {
  return client.createFunction(
    {
      ...createCronOptions(job),
      retries: 5,
      timeouts: { start: '6h', finish: '1h' },
    },
    async ({ step }) => {
      let total: MaintainSummary | null = null;
      for (let part = 1; ; part += 1) {
        const summary = await step.run(`maintain part ${part}`, async () =>
          maintain(await openContext(), { signal: createStepSignal() }),
        );
        total = total === null ? summary : addMaintainSummaries(total, summary);
        if (summary.more !== true || part === MAX_MAINTENANCE_STEPS) return total;
      }
    },
  );
}

/** Creates the function that runs every minute and deletes adopted endpoints whose report was not paid. */
export function createDeleteAdoptionsFunction(client: Inngest, job: Job, openContext: OpenContext) {
  return client.createFunction(
    { ...createCronOptions(job), retries: 2, timeouts: { start: '5m', finish: '5m' } },
    ({ step }) => step.run('delete unpaid adoptions', async () => job.run(await openContext())),
  );
}

/**
 * Event that Inngest sends when a run has failed in all its attempts. The fields of the error depend on the version of
 * Inngest.
 */
const functionFailed = eventType(internalEvents.FunctionFailed, {
  schema: staticSchema<{ function_id: string; run_id: string; error?: { message?: string } }>(),
});

const LOG_FAILURES_ID = 'log-failures';
/** Maximum length of each text in the log line, in characters. */
const MAX_TEXT_LENGTH = 300;
/** URL in a text. It is logged without user, path and query, because these can contain keys. */
const URL_TEXT = /\b(\w+:\/\/)(?:\S*@)?([^\s/?#]*)\S*/g;

const toLogText = (text: string): string =>
  text.replaceAll(URL_TEXT, '$1$2/…').replaceAll(/\s+/g, ' ').slice(0, MAX_TEXT_LENGTH);

/**
 * Creates the function that logs each run that failed in all its attempts, as one line of JSON. Operators can alert on
 * its member `failed`. The line contains neither the event of the run, nor a stack trace, nor the credentials of a URL.
 */
export function createLogFailuresFunction(client: Inngest) {
  return client.createFunction(
    {
      ...ONE_STEP_PER_REQUEST,
      id: LOG_FAILURES_ID,
      name: 'Log failed runs',
      // A failed run of this function must not cause another run of it.
      triggers: [
        { event: functionFailed, if: `event.data.function_id != '${client.id}-${LOG_FAILURES_ID}'` },
      ],
      concurrency: { limit: 1 },
      retries: 3,
      timeouts: { start: '1h', finish: '5m' },
    },
    ({ event }) => {
      const { function_id: functionId, run_id: runId, error } = event.data;
      // Inngest sends the event for every application of the environment.
      if (!functionId.startsWith(`${client.id}-`)) return null;
      const failure = {
        failed: 'job',
        job: toLogText(functionId),
        runId: toLogText(runId),
        cause: toLogText(error?.message ?? 'unknown'),
      };
      client.logger.error(JSON.stringify(failure));
      return failure;
    },
  );
}
