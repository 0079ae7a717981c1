import type { Inngest } from 'inngest';
import { functionFailed } from './events.ts';
import { ONE_STEP_PER_REQUEST } from './function-options.ts';

const ID = 'log-failures';
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
      id: ID,
      name: 'Log failed runs',
      // A failed run of this function must not cause another run of it.
      triggers: [{ event: functionFailed, if: `event.data.function_id != '${client.id}-${ID}'` }],
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
