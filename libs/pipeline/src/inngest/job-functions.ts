import { internalEvents, eventType, staticSchema, type Inngest } from 'inngest';
import type { PipelineContext } from '../context.ts';
import type { RunStep } from '../steps.ts';
import { JOB } from '../jobs.ts';
import {
  createCronOptions,
  createStepSignal,
  ONE_STEP_PER_REQUEST,
  type OpenContext,
} from './function-options.ts';

/**
 * Options of the Inngest functions that run a whole job, by the id of the job. `start` is the time after which a
 * waiting run is cancelled. `finish` is the maximum duration of a run.
 */
const OPTIONS = {
  /**
   * A new run starts every minute. One run uses one database connection, and this connection scores 600 to 1,170
   * endpoints per second (docs/scale.md). A run with all batches takes two to four minutes alone, and up to ten minutes
   * beside other runs. Each run claims its own endpoints, so four runs may overlap.
   */
  score: { retries: 2, timeouts: { start: '1m', finish: '30m' }, concurrency: { limit: 4 } },
  search: { retries: 2, timeouts: { start: '1m', finish: '30m' } },
  statistics: { retries: 2, timeouts: { start: '30m', finish: '5m' } },
  settle: { retries: 3, timeouts: { start: '5m', finish: '1h' } },
  reconcile: { retries: 2, timeouts: { start: '2m', finish: '1h' } },
  adoptions: { retries: 2, timeouts: { start: '5m', finish: '5m' } },
  watches: { retries: 2, timeouts: { start: '1m', finish: '5m' } },
  maintain: { retries: 5, timeouts: { start: '6h', finish: '1h' } },
} as const;

/**
 * Creates the function that runs a job on its schedule. Each step of the job runs in its own request. In each request,
 * the job starts again from the beginning, and Inngest returns the stored results of the earlier steps.
 */
export function createJobFunction(client: Inngest, id: keyof typeof OPTIONS, openContext: OpenContext) {
  const job = JOB[id];
  return client.createFunction({ ...createCronOptions(job), ...OPTIONS[id] }, async ({ step }) => {
    // The cast is safe, because the result of a step is JSON.
    const runStep: RunStep = async (name, work) =>
      (await step.run(name, work)) as Awaited<ReturnType<typeof work>>;
    const logError = (message: string): void => client.logger.error(message);
    const context: PipelineContext = await openContext();
    return job.run({ ...context, signal: createStepSignal(), runStep, logError });
  });
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
/** URL in a text. The URL is logged without user, path and query, because all three can contain keys. */
const URL_TEXT = /\b(\w+:\/\/)(?:\S*@)?([^\s/?#]*)\S*/g;

const toLogText = (text: string): string =>
  text.replaceAll(URL_TEXT, '$1$2/…').replaceAll(/\s+/g, ' ').slice(0, MAX_TEXT_LENGTH);

/**
 * Creates the function that logs each run that failed in all its attempts, as one line of JSON. Operators can set an
 * alert on the member `failed` of this line. The line contains neither the event of the run, nor a stack trace, nor the
 * credentials of a URL.
 */
export function createLogFailuresFunction(client: Inngest) {
  return client.createFunction(
    {
      ...ONE_STEP_PER_REQUEST,
      id: LOG_FAILURES_ID,
      name: 'Log failed runs',
      // A failed run of this function must not cause another run of the function.
      triggers: [
        { event: functionFailed, if: `event.data.function_id != '${client.id}-${LOG_FAILURES_ID}'` },
      ],
      concurrency: { limit: 1 },
      retries: 3,
      timeouts: { start: '1h', finish: '5m' },
    },
    ({ event }) => {
      const { function_id: functionId, run_id: runId, error } = event.data;
      // Inngest also sends this event for failed runs of other applications.
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
