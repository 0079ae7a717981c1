import {
  createChainSources,
  createHostRateLimiter,
  createProbers,
  createProbeSender,
  JOBS,
  maintain,
  type PipelineContext,
} from '@touchstone/pipeline';
import { connect } from '@touchstone/store';
import type { Cipher } from '@touchstone/watch';
import type { Logger } from 'pino';
import type { LiveConfig } from '../config/live-config.ts';
import type { DataFolder } from '../data-folder/data-folder.ts';
import { createChainWatch, MAX_BLOCK_AGE_MS } from '../jobs/chain-watch.ts';
import { writeDiscoveryFile } from '../jobs/discovery-report.ts';
import { repeatUntilDone, startScheduler, type Scheduler } from '../jobs/scheduler.ts';
import { runDiscoveryLoop } from './discovery-loop.ts';

export interface LiveContextOptions extends Pick<PipelineContext, 'owner' | 'embedder' | 'onChanged'> {
  readonly live: LiveConfig;
  readonly baseUrl: string;
  readonly database: { readonly url: string; readonly secret: string };
  /** Cipher of the secrets of watches. */
  readonly cipher: Cipher;
}

/**
 * Creates the pipeline context of live mode. Probes go to the public internet with rate limits, and time is real time.
 */
export function createLiveContext({
  live,
  baseUrl,
  database,
  cipher,
  owner,
  embedder,
  onChanged,
}: LiveContextOptions): PipelineContext {
  const { userAgent, nameServers, allowPrivate } = live;
  const network = { userAgent, nameServers: nameServers ?? undefined, allowPrivate };
  return {
    db: connect({ url: database.url, key: database.secret }),
    ...createProbers({ ...network, canaryUrls: live.canaries }),
    watches: { cipher, send: createProbeSender(network), baseUrl },
    rateLimiter: createHostRateLimiter({
      perSecond: live.probesPerSecond,
      perHostPerSecond: live.probesPerHostPerSecond,
    }),
    chains: createChainSources(live.rpcUrls),
    directories: live.directories,
    userAgent,
    fetch: globalThis.fetch,
    now: Date.now,
    owner,
    embedder: embedder ?? null,
    onChanged,
  };
}

export interface LiveRun {
  readonly context: PipelineContext;
  readonly live: LiveConfig;
  readonly folder: DataFolder;
  /** Prints a line for the operator. */
  readonly print: (part: string, text: string) => void;
  readonly log: Logger;
}

/** Starts the scheduled jobs of live mode and the discovery loop. They keep running when the network is unavailable. */
export function runLive(run: LiveRun): { failed: Promise<never>; stop: () => Promise<void> } {
  const stopping = new AbortController();
  const { context, folder, print, log } = run;
  const running = (async () => {
    printSettings(run);
    // Creates today's table partitions before the first probe result is stored in them.
    const { signal } = stopping;
    await repeatUntilDone(() => maintain(context), { part: 'schedule', print, log, signal });
    if (stopping.signal.aborted) return;
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
      signal: stopping.signal,
      onRead: (reports) => {
        writeDiscoveryFile(folder, reports, print);
        // Scores new endpoints now, so that their pages appear before the next scheduled run.
        void scoreAndSearch(scheduler);
      },
    });
    await scheduler.stop();
  })();
  const failed = new Promise<never>((_, reject) => {
    running.catch(reject);
  });
  failed.catch(() => undefined);
  return {
    failed,
    stop: async () => {
      stopping.abort();
      await running.catch(() => undefined);
    },
  };
}

/**
 * Probes and scores endpoints that became due while the service was stopped. Does not wait for the first scheduled run.
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
  if (live.allowPrivate) print('live', 'ALLOW_PRIVATE is set: endpoints can be on private addresses');
}
