import { eventType, NonRetriableError, staticSchema, type Inngest } from 'inngest';
import type { PipelineContext } from '../context.ts';
import { discoverDirectory, MAX_CONCURRENT_DIRECTORIES } from '../discovery/discover.ts';
import type { Job } from '../jobs.ts';
import {
  createCronOptions,
  createStepSignal,
  ONE_STEP_PER_REQUEST,
  type OpenContext,
} from './function-options.ts';

/**
 * Event that requests the reading of one directory. The event contains the name of the directory and no URL, so only
 * configured directories can be read. `key` makes the event unique.
 */
export const directoryDue = eventType('touchstone/directory.due', {
  schema: staticSchema<{ key: string; directory: string }>(),
});

/**
 * Maximum number of directory pages per step. With a slow directory, ten pages of 1,000 items take one or two minutes.
 * With timeouts and retries, the step ends at its deadline without the remaining pages.
 */
const MAX_PAGES_PER_STEP = 10;
/** Maximum number of steps per run; Inngest allows 1,000. The run of the next hour reads the remaining pages. */
const MAX_STEPS = 200;

/** Creates the hourly function that requests one run per configured directory. */
export function createDiscoverFunction(client: Inngest, job: Job, openContext: OpenContext) {
  return client.createFunction(
    {
      ...createCronOptions(job),
      retries: 2,
      timeouts: { start: '30m', finish: '5m' },
    },
    async ({ step, runId }) => {
      const names = await step.run('list the directories', async () => {
        const { directories } = await openContext();
        return directories.map(({ name }) => name);
      });
      if (names.length > 0) {
        await step.sendEvent(
          'request the directories',
          names.map((directory) => {
            const key = `${runId}/${directory}`;
            return directoryDue.create({ key, directory }, { id: `${directoryDue.name}/${key}` });
          }),
        );
      }
      return { directories: names.length };
    },
  );
}

/**
 * Creates the function that reads one directory, with several pages per step. The reading position is stored in the
 * database, so a repeated step and the run of the next hour continue at that position. Only one run reads a directory
 * at a time, and a slow directory does not delay other directories.
 */
export function createReadDirectoryFunction(client: Inngest, openContext: OpenContext) {
  return client.createFunction(
    {
      ...ONE_STEP_PER_REQUEST,
      id: 'read-directory',
      name: 'Read one directory',
      triggers: [directoryDue],
      concurrency: [{ limit: 1, key: 'event.data.directory' }, { limit: MAX_CONCURRENT_DIRECTORIES }],
      idempotency: 'event.data.key',
      retries: 2,
      // A run that does not start within an hour is cancelled, because the next hour requests a new run.
      timeouts: { start: '1h', finish: '1h' },
    },
    async ({ event, step }) => {
      let read = 0;
      for (let part = 1; ; part += 1) {
        const reading = await step.run(`read part ${part}`, async () =>
          readPart(await openContext(), event.data.directory),
        );
        // A paused reading without new items means that the directory requested a pause, so the run ends.
        if (!reading.paused || reading.items <= read || part === MAX_STEPS) return reading;
        read = reading.items;
      }
    },
  );
}

async function readPart(context: PipelineContext, name: string) {
  const directory = context.directories.find((configured) => configured.name === name);
  if (!directory) throw new NonRetriableError(`no directory is configured as ${JSON.stringify(name)}`);
  const reading = await discoverDirectory(context, directory, {
    maxPages: MAX_PAGES_PER_STEP,
    signal: createStepSignal(),
  });
  // Inngest gets only counts. Rejected items and their reasons stay in the database.
  const { rejects: _rejects, url: _url, ...counts } = reading;
  return counts;
}
