import { eventType, internalEvents, staticSchema, type Inngest } from 'inngest';
import { ONE_STEP_PER_REQUEST } from './function-options.ts';

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
