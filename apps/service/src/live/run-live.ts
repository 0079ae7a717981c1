import { JOBS, maintain } from '@touchstone/pipeline';
import type { LiveConfig } from '../config/live-config.ts';
import { createChainWatch, MAX_BLOCK_AGE_MS } from '../jobs/chain-watch.ts';
import { writeDiscoveryFile } from '../jobs/directory-readings.ts';
import {
  repeatUntilDone,
  runUntilStopped,
  startScheduler,
  type JobRun,
  type RunningJobs,
  type Scheduler,
} from '../jobs/scheduler.ts';
import { runDiscoveryLoop } from './discovery-loop.ts';

export interface LiveRun extends JobRun {
  readonly live: LiveConfig;
}

/**
 * Starts the scheduled jobs of live mode and the discovery loop. Jobs and loop keep running when the network is
 * unavailable.
 */
export function runLive(run: LiveRun): RunningJobs {
  const { context, folder, print, log } = run;
  return runUntilStopped(run.signal, async (signal) => {
    printSettings(run);
    // Creates today's table partitions before the first probe result is stored in them.
    await repeatUntilDone(() => maintain(context), { part: 'schedule', print, log, signal });
    if (signal.aborted) return;
    // The discovery loop below replaces the scheduled discovery, because the loop retries sooner after a network
    // failure.
    const jobs = JOBS.filter(({ id }) => id !== 'discover');
    const { chains = [] } = context;
    const chainWatch = createChainWatch({ chains, maxBlockAgeMs: MAX_BLOCK_AGE_MS, print });
    const scheduler = startScheduler([...jobs, chainWatch], context, log);
    void runOverdueJobs(scheduler);
    await runDiscoveryLoop({
      context,
      print,
      log,
      signal,
      onRead: (readings) => {
        writeDiscoveryFile(folder, readings, print);
        // Scores new endpoints immediately, so that their pages appear before the next scheduled run.
        void scoreAndSearch(scheduler);
      },
    });
    await scheduler.stop();
  });
}

/**
 * Probes and scores endpoints that became due while the service was stopped. These endpoints do not wait for the first
 * scheduled run.
 */
async function runOverdueJobs(scheduler: Scheduler): Promise<void> {
  await scheduler.runNow('probe');
  await scoreAndSearch(scheduler);
}

/** Scores endpoints, records their statistics, and then embeds their texts and counts their alternatives. */
async function scoreAndSearch(scheduler: Scheduler): Promise<void> {
  await scheduler.runNow('score');
  await scheduler.runNow('statistics');
  await scheduler.runNow('search');
}

/** Prints the User-Agent, the request rates and the directories, before the first request. */
function printSettings({ live, print }: LiveRun): void {
  const names = live.directories.map(({ name }) => name).join(', ');
  print('live', `unpaid probes of real endpoints, with the User-Agent ${live.userAgent}`);
  print(
    'live',
    `each endpoint every 30 minutes; at most ${live.probesPerSecond} probes per second, ` +
      `${live.probesPerHostPerSecond} per host`,
  );
  print('live', `directories, read every hour: ${names}`);
  if (live.purchases !== undefined) {
    const { account, budget } = live.purchases;
    print(
      'live',
      `test purchases with the wallet ${account.address}: at most $${budget.purchase} each, ` +
        `$${budget.day} a day, $${budget.total} in total`,
    );
  }
  if (live.allowPrivate) print('live', 'ALLOW_PRIVATE is set: endpoints can be on private addresses');
}
