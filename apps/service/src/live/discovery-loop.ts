import { setTimeout as wait } from 'node:timers/promises';
import { HOUR_MS, MINUTE_MS } from '@touchstone/common';
import { discover, type DirectoryReading, type PipelineContext } from '@touchstone/pipeline';
import type { Logger } from 'pino';
import { formatDiscoveryReport } from '../jobs/discovery-report.ts';
import type { Print } from '../processes/supervisor.ts';

export interface DiscoveryLoop {
  readonly context: PipelineContext;
  readonly print: Print;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** Called each time the discovery directories have been read. */
  readonly onRead: (reports: readonly DirectoryReading[]) => void;
  /** Waits between two readings; tests replace it. By default, it waits in real time, or until `signal` is aborted. */
  readonly sleep?: (ms: number) => Promise<unknown>;
  /** Waits between two attempts to read the same directory page; tests replace it. */
  readonly sleepBetweenAttempts?: (ms: number) => Promise<unknown>;
}

/** Interval between the starts of two readings of the directories. */
const INTERVAL_MS = HOUR_MS;
/** Delay before a paused reading of a directory is continued. */
const RESUME_AFTER_MS = 5 * MINUTE_MS;
const FIRST_RETRY_MS = 30_000;
const MAX_RETRY_MS = 15 * MINUTE_MS;

/**
 * Reads the directories once an hour until `signal` is aborted. Prints the result of each directory's first reading.
 * When no directory can be reached, it prints one line and tries again after 30 seconds. The delay doubles with each
 * further attempt, to at most 15 minutes.
 */
export async function runDiscoveryLoop(loop: DiscoveryLoop): Promise<void> {
  const { context, signal, sleep = (ms: number) => pause(ms, signal) } = loop;
  const printReports = createReportPrinter(loop.print);
  const isStopped = (): boolean => signal.aborted;
  let failures = 0;
  while (!isStopped()) {
    const started = context.now();
    const reports = await readDirectories(loop);
    if (isStopped()) return;
    const wasReached = reports?.some(({ unreached }) => !unreached) ?? false;
    failures = wasReached ? 0 : failures + 1;
    const retryMs = Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), MAX_RETRY_MS);
    if (reports !== null) {
      printReports(reports, retryMs);
      loop.onRead(reports);
    }
    await sleep(wasReached ? computeDelay(reports ?? [], context.now() - started) : retryMs);
  }
}

/** Returns the delay before the next reading. `tookMs` is negative if the clock was set back during the reading. */
function computeDelay(reports: readonly DirectoryReading[], tookMs: number): number {
  if (reports.some(({ paused }) => paused)) return RESUME_AFTER_MS;
  return Math.min(INTERVAL_MS, Math.max(MINUTE_MS, INTERVAL_MS - tookMs));
}

/** Reads all directories once. Logs an error, such as a failed database request, and then returns null. */
async function readDirectories(loop: DiscoveryLoop): Promise<readonly DirectoryReading[] | null> {
  const { context, signal, log, sleepBetweenAttempts: sleep } = loop;
  try {
    const { directories } = await discover(context, sleep === undefined ? { signal } : { signal, sleep });
    const counts = directories.map((report) => ({ ...report, rejects: report.rejects.length }));
    log.info({ job: 'discover', directories: counts }, 'Read the directories');
    return directories;
  } catch (error) {
    log.error({ job: 'discover', err: error }, 'Read the directories: failed; the job is tried again');
    return null;
  }
}

/**
 * Creates a function that prints the result of each directory's first reading. It also prints a line when no directory
 * can be reached any more, and when directories can be reached again.
 */
function createReportPrinter(print: Print) {
  const printed = new Set<string>();
  let isOffline = false;
  return (reports: readonly DirectoryReading[], retryMs: number): void => {
    if (reports.every(({ unreached }) => unreached)) {
      const [first] = reports;
      if (!isOffline) print('network', formatOffline(first?.note ?? 'no reason given', retryMs));
      isOffline = true;
      return;
    }
    if (isOffline) print('network', 'directories can be reached again');
    isOffline = false;
    for (const report of reports.filter(({ directory, paused }) => !paused && !printed.has(directory))) {
      printed.add(report.directory);
      for (const line of formatDiscoveryReport(report, report.directory)) print('directory', line);
    }
  };
}

function formatOffline(note: string, retryMs: number): string {
  return (
    `no directory can be reached (${note}); uptime and listings are not affected. ` +
    `Directories are tried again in ${retryMs / 1000} seconds, then at increasing intervals up to 15 minutes`
  );
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => undefined);
}
