import { once } from 'node:events';
import { DAY_MS, formatCount } from '@touchstone/common';
import {
  claimAndProbe,
  discover,
  JOBS,
  maintain,
  recordStatistics,
  releaseAbandonedLeases,
  scoreChanged,
  settle,
  type Job,
} from '@touchstone/pipeline';
import type { ServiceConfig } from '../config/config.ts';
import { createChainWatch } from '../jobs/chain-watch.ts';
import { formatDirectoryReading, writeDiscoveryFile } from '../jobs/directory-readings.ts';
import {
  repeatUntilDone,
  runUntilStopped,
  startScheduler,
  type JobRun,
  type RunningJobs,
  type Scheduler,
} from '../jobs/scheduler.ts';
import type { Sandbox } from './start-sandbox.ts';
import { runTimeLapse } from './time-lapse.ts';

interface SandboxRun extends JobRun {
  readonly sandbox: Sandbox;
  readonly config: ServiceConfig;
}

/**
 * Schedule of the discovery in the sandbox, every five minutes. An endpoint is delisted when it is missing in two
 * readings of its directory. So an alert about the removal arrives within about ten minutes.
 */
const DISCOVERY_CRON = '*/5 * * * *';

/** Jobs of the service with the schedules of the sandbox. */
export const SANDBOX_JOBS: readonly Job[] = JOBS.map((job) =>
  job.id === 'discover' ? { ...job, cron: DISCOVERY_CRON } : job,
);

/**
 * Runs the time-lapse of the simulated past, unless an earlier run completed the time-lapse. Then starts the scheduled
 * jobs in real time.
 */
export function runSandbox(run: SandboxRun): RunningJobs {
  return runUntilStopped(run.signal, async (signal) => {
    const stopped = once(signal, 'abort');
    const options = { print: run.print, log: run.log, signal };
    if (run.config.sandbox.days > 0 && !run.folder.state().timeLapseDone)
      await repeatUntilDone(() => simulatePast({ ...run, signal }), { ...options, part: 'time-lapse' });
    if (signal.aborted) return;
    const scheduler = await repeatUntilDone(() => startPresent(run), { ...options, part: 'schedule' });
    await stopped;
    await scheduler.stop();
  });
}

/** Simulates the past. Continues at the time up to which all results are recorded, so a failed run can be repeated. */
export async function simulatePast({
  context,
  sandbox,
  folder,
  print,
  signal,
}: Omit<SandboxRun, 'config' | 'log'>): Promise<void> {
  // An earlier attempt may have left leases, which end only after 30 simulated days. No other worker holds leases at
  // this time.
  await releaseAbandonedLeases(context);
  const started = performance.now();
  const { livedUntil: recorded, discoveredUntil } = folder.state();
  const from = recorded === null ? sandbox.epoch : Date.parse(recorded);
  const days = Math.round((Date.now() - sandbox.epoch) / DAY_MS);
  if (days > 0) {
    const resumed = recorded === null ? '' : ', resumed';
    const period = days === 1 ? 'day' : `${days} days`;
    print('time-lapse', `probes of the last ${period} on a simulated clock${resumed}`);
  }
  let [probes, lastDay] = [0, 0];
  await runTimeLapse({
    context,
    control: sandbox.control,
    from,
    discoveredUntil: discoveredUntil === null ? 0 : Date.parse(discoveredUntil),
    signal,
    onDiscovered: (at) => {
      folder.save({ discoveredUntil: new Date(at).toISOString() });
    },
    onStep: (recordedUntil, done) => {
      probes = done;
      folder.save({ livedUntil: new Date(recordedUntil).toISOString() });
      const day = Math.min(days, Math.floor((recordedUntil - sandbox.epoch) / DAY_MS) + 1);
      if (signal.aborted || day === lastDay) return;
      lastDay = day;
      print('time-lapse', `day ${day} of ${days} · ${formatCount(probes, 'probe')}`);
    },
  });
  folder.save({ timeLapseDone: !signal.aborted });
  const seconds = Math.round((performance.now() - started) / 1000);
  if (probes > 0 && !signal.aborted)
    print('time-lapse', `${formatCount(probes, 'probe')} recorded in ${seconds} s`);
}

async function startPresent({ context, sandbox, folder, print, log }: SandboxRun): Promise<Scheduler> {
  await sandbox.control.setClock(null);
  const { directories } = await discover(context);
  writeDiscoveryFile(folder, directories, print);
  for (const line of directories.flatMap((reading) => formatDirectoryReading(reading)))
    print('directory', line);
  const refreshNames: Job = {
    id: 'names',
    title: 'Read the host names of the sandbox',
    cron: '* * * * *',
    run: async () => {
      await sandbox.control.refresh();
      return {};
    },
  };
  const chainWatch = createChainWatch({ chains: context.chains ?? [], maxBlockAgeMs: null, print });
  // Overdue probes run before scoring. Otherwise, scores would describe the state before the service was stopped.
  await claimAndProbe(context);
  for (const { network, unreadable } of (await settle(context)).unreadable)
    print('chain', `settlements on ${network} could not be read: ${unreadable}`);
  await scoreChanged(context, { includesWaiting: true });
  await recordStatistics(context);
  await maintain(context);
  const scheduler = startScheduler([refreshNames, chainWatch, ...SANDBOX_JOBS], context, log);
  // Counts the better alternatives soon after the start, because pages show this number. The start does not wait for
  // the embedder.
  void scheduler.runNow('search');
  print('schedule', `${SANDBOX_JOBS.length} jobs are running; each endpoint is probed every 30 minutes`);
  return scheduler;
}
