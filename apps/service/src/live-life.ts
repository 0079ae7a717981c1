import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { JOBS, maintain, type PipelineContext } from '@touchstone/pipeline';
import type { Logger } from 'pino';
import type { DataFolder } from './data-folder.ts';
import { keepDiscovering } from './keep-discovering.ts';
import type { LiveConfig } from './live-config.ts';
import { RECONCILE } from './reconcile-job.ts';
import { startScheduler, type Scheduler } from './scheduler.ts';

export interface LiveLife {
  readonly context: PipelineContext;
  readonly live: LiveConfig;
  readonly folder: DataFolder;
  readonly say: (part: string, text: string) => void;
  readonly log: Logger;
}

/** Probes what is known and reads the directories beside it, from the first moment on, with or without a network. */
export function liveOnline(life: LiveLife): { failed: Promise<never>; stop: () => Promise<void> } {
  const stopping = new AbortController();
  const { context, folder, say, log } = life;
  const living = (async () => {
    describe(life);
    // The partitions of today have to be there before the first observation.
    await maintain(context);
    if (stopping.signal.aborted) return;
    // The directories have a rhythm of their own, because the network may not be there.
    const jobs = [...JOBS.filter(({ id }) => id !== 'discover'), RECONCILE];
    const scheduler = startScheduler(jobs, context, log);
    void beginAtOnce(scheduler);
    await keepDiscovering({
      context,
      say,
      log,
      signal: stopping.signal,
      onRead: (reports) => {
        writeFileSync(join(folder.path, 'discovery.json'), `${JSON.stringify(reports, null, 2)}\n`);
        // What was just listed has its page now rather than with the next minute.
        void scheduler.runNow('score');
      },
    });
    await scheduler.stop();
  })();
  const failed = new Promise<never>((_, reject) => {
    living.catch(reject);
  });
  failed.catch(() => undefined);
  return {
    failed,
    stop: async () => {
      stopping.abort();
      await living.catch(() => undefined);
    },
  };
}

/** What fell due while nobody probed, and then its pages, without waiting for the minute. */
async function beginAtOnce(scheduler: Scheduler): Promise<void> {
  await scheduler.runNow('sweep');
  await scheduler.runNow('score');
}

/** What is sent to whom, before anything is sent. */
function describe({ live, say }: LiveLife): void {
  const names = live.directories.map(({ name }) => name).join(', ');
  say('live', `unpaid probes of real endpoints, as ${live.userAgent}`);
  say(
    'live',
    `each every 30 minutes, at most ${live.probesPerSecond} a second, ${live.probesPerHostPerSecond} at one host`,
  );
  say('live', `directories, every hour: ${names}`);
  if (live.allowPrivate) say('live', 'ALLOW_PRIVATE is set: endpoints may be on private addresses');
}
