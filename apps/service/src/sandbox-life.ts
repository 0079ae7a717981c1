import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  DAY_MS,
  discover,
  JOBS,
  maintain,
  scoreChanged,
  settle,
  sweep,
  type Job,
  type PipelineContext,
} from '@touchstone/pipeline';
import type { Logger } from 'pino';
import type { ServiceConfig } from './config.ts';
import type { DataFolder } from './data-folder.ts';
import { discoveryReport } from './discovery-report.ts';
import { createProgressWriter, progressLine } from './progress.ts';
import { RECONCILE } from './reconcile-job.ts';
import { startScheduler, type Scheduler } from './scheduler.ts';
import type { Sandbox } from './start-sandbox.ts';
import { runTimeLapse } from './time-lapse.ts';

export interface Life {
  readonly context: PipelineContext;
  readonly sandbox: Sandbox;
  readonly folder: DataFolder;
  readonly config: ServiceConfig;
  readonly say: (part: string, text: string) => void;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** The past first, where it was not lived through yet, then the present. */
export function liveInSandbox(life: Life): { failed: Promise<never>; stop: () => Promise<void> } {
  let scheduler: Scheduler | null = null;
  const living = (async () => {
    if (life.config.sandbox.days > 0 && !life.folder.state().timeLapseDone) await past(life);
    if (life.signal.aborted) return;
    scheduler = await present(life);
  })();
  const failed = new Promise<never>((_, reject) => {
    living.catch(reject);
  });
  failed.catch(() => undefined);
  return {
    failed,
    stop: async () => {
      await living.catch(() => undefined);
      await scheduler?.stop();
    },
  };
}

async function past({ context, sandbox, folder, say, signal }: Life): Promise<void> {
  const started = performance.now();
  const writer = createProgressWriter(process.stdout);
  const { livedUntil: recorded, discoveredUntil } = folder.state();
  const from = recorded === null ? sandbox.epoch : Date.parse(recorded);
  const days = Math.round((Date.now() - sandbox.epoch) / DAY_MS);
  if (days > 0) {
    say('time-lapse', `${days} days of probing on a virtual clock${recorded === null ? '' : ', resumed'}`);
  }
  let probes = 0;
  await runTimeLapse({
    context,
    world: sandbox.world,
    from,
    discoveredUntil: discoveredUntil === null ? 0 : Date.parse(discoveredUntil),
    signal,
    onDiscovered: (at) => {
      folder.save({ discoveredUntil: new Date(at).toISOString() });
    },
    onStep: (at, done) => {
      probes = done;
      folder.save({ livedUntil: new Date(at).toISOString() });
      if (signal.aborted) return;
      const tookMs = performance.now() - started;
      const progress = { from: sandbox.epoch, began: from, livedUntil: at, to: Date.now(), probes, tookMs };
      writer.draw(progressLine(progress), new Date(at).toISOString().slice(0, 10));
    },
  });
  writer.end();
  folder.save({ timeLapseDone: !signal.aborted });
  const seconds = Math.round((performance.now() - started) / 1000);
  if (probes > 0 && !signal.aborted)
    say('time-lapse', `${probes.toLocaleString('en-US')} probes recorded in ${seconds} s`);
}

async function present({ context, sandbox, folder, say, log }: Life): Promise<Scheduler> {
  await sandbox.world.setClock(null);
  const { directories } = await discover(context);
  writeFileSync(join(folder.path, 'discovery.json'), `${JSON.stringify(directories, null, 2)}\n`);
  for (const line of directories.flatMap((read) => discoveryReport(read))) say('directory', line);
  const names: Job = {
    id: 'names',
    title: 'Read the names of the sandbox',
    cron: '* * * * *',
    run: async () => {
      await sandbox.world.refresh();
      return {};
    },
  };
  // What is due first: a score without a fresh probe says how things were when the service was stopped.
  await sweep(context);
  for (const { network, unreadable } of (await settle(context)).unreadable)
    say('chain', `${network} could not be read: ${unreadable}`);
  await scoreChanged(context);
  await maintain(context);
  const scheduler = startScheduler([names, ...JOBS, RECONCILE], context, log);
  say('schedule', `${JOBS.map((job) => job.id).join(', ')}; each endpoint is probed every 30 minutes`);
  return scheduler;
}
