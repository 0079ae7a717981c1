import { NonRetriableError, type Inngest } from 'inngest';
import type { PipelineContext } from './context.ts';
import { discoverDirectory } from './discover.ts';
import { directoryDue } from './inngest-events.ts';
import { cronOptions, ONE_STEP_A_REQUEST } from './inngest-options.ts';
import type { Job } from './jobs.ts';

/** Directories that are read at the same time; each of them by one run only. */
const DIRECTORIES_AT_ONCE = 4;
/** Pages of one step: of 1,000 items each, a minute or two at the pace of a slow directory. */
const PAGES_A_PART = 10;
/** Steps of one run, of the 1,000 that Inngest allows; what is left is for the next hour's run. */
const MAX_PARTS = 200;

/** Every hour: asks for one run per configured directory. */
export function discoverFunction(client: Inngest, job: Job, context: () => PipelineContext) {
  return client.createFunction(
    {
      ...cronOptions(job),
      retries: 2,
      timeouts: { start: '30m', finish: '5m' },
    },
    async ({ step, runId }) => {
      const names = await step.run('name the directories', () =>
        context().directories.map(({ name }) => name),
      );
      if (names.length > 0) {
        await step.sendEvent(
          'ask for directories',
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
 * Reads one directory, some pages in a step. Where it is stands in the database, so a step that failed or was delivered
 * twice goes on there, and so does the next hour's run. A directory is never read by two runs at once, and one that is
 * slow holds up no other.
 */
export function readDirectoryFunction(client: Inngest, context: () => PipelineContext) {
  return client.createFunction(
    {
      ...ONE_STEP_A_REQUEST,
      id: 'read-directory',
      name: 'Read one directory',
      triggers: [directoryDue],
      concurrency: [{ limit: 1, key: 'event.data.directory' }, { limit: DIRECTORIES_AT_ONCE }],
      idempotency: 'event.data.key',
      retries: 2,
      // What could not begin within the hour is asked for again by the next.
      timeouts: { start: '1h', finish: '1h' },
    },
    async ({ event, step }) => {
      let read = 0;
      for (let part = 1; ; part += 1) {
        const report = await step.run(`read part ${part}`, () => readPart(context(), event.data.directory));
        // A directory that wants to be left alone is paused without having been read any further.
        if (!report.paused || report.items <= read || part === MAX_PARTS) return report;
        read = report.items;
      }
    },
  );
}

async function readPart(context: PipelineContext, name: string) {
  const directory = context.directories.find((configured) => configured.name === name);
  if (!directory) throw new NonRetriableError(`no directory is configured as ${JSON.stringify(name)}`);
  const report = await discoverDirectory(context, directory, { pages: PAGES_A_PART });
  const { complete, paused, unreached, items, accepted, duplicates, rejected, note } = report;
  const { listed, relisted, delisted } = report;
  // Counts only: the items that were rejected, and why, stay in the database.
  return {
    directory: name,
    ...{ complete, paused, unreached, items, accepted, duplicates, rejected, note },
    ...{ listed, relisted, delisted },
  };
}
