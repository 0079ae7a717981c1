import { setTimeout as wait } from 'node:timers/promises';
import { HOUR_MS, MINUTE_MS } from '@touchstone/common';
import { discover, type DirectoryReading, type PipelineContext } from '@touchstone/pipeline';
import type { Logger } from 'pino';
import { formatDirectoryReading } from '../jobs/directory-readings.ts';
import type { Print } from '../processes/supervisor.ts';

export interface DiscoveryLoop {
  readonly context: PipelineContext;
  readonly print: Print;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** Called each time the discovery directories have been read. */
  readonly onRead: (readings: readonly DirectoryReading[]) => void;
  /**
   * Waits between two readings; tests replace this function. By default, waits in real time or until `signal` is
   * aborted.
   */
  readonly sleep?: (ms: number) => Promise<unknown>;
  /** Waits between two attempts to read the same directory page; tests replace this function. */
  readonly sleepBetweenAttempts?: (ms: number) => Promise<unknown>;
}

/** Interval from the start of one reading of the directories to the start of the next. */
const INTERVAL_MS = HOUR_MS;
/** Delay before an incomplete reading of a directory is continued. */
const RESUME_AFTER_MS = 5 * MINUTE_MS;
const FIRST_RETRY_MS = 30_000;
const MAX_RETRY_MS = 15 * MINUTE_MS;

/**
 * Reads the directories once an hour until `signal` is aborted. Prints the result of each directory's first reading.
 * When no directory can be reached, the loop prints one line and tries again after 30 seconds. The delay doubles with
 * each further attempt, to at most 15 minutes.
 */
export async function runDiscoveryLoop(loop: DiscoveryLoop): Promise<void> {
  const { context, signal, sleep = (ms: number) => pause(ms, signal) } = loop;
  const printReadings = createReadingPrinter(loop.print);
  const isStopped = (): boolean => signal.aborted;
  let failures = 0;
  while (!isStopped()) {
    const started = context.now();
    const readings = await readDirectories(loop);
    if (isStopped()) return;
    const wasReached = readings?.some(({ unreached }) => !unreached) ?? false;
    failures = wasReached ? 0 : failures + 1;
    const retryMs = Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), MAX_RETRY_MS);
    if (readings !== null) {
      printReadings(readings, retryMs);
      loop.onRead(readings);
    }
    await sleep(wasReached ? computeDelay(readings ?? [], context.now() - started) : retryMs);
  }
}

/** Returns the delay before the next reading. `tookMs` is negative if the clock was set back during the reading. */
function computeDelay(readings: readonly DirectoryReading[], tookMs: number): number {
  if (readings.some(({ paused }) => paused)) return RESUME_AFTER_MS;
  return Math.min(INTERVAL_MS, Math.max(MINUTE_MS, INTERVAL_MS - tookMs));
}

/** Reads all directories once. Logs an error, such as a failed database request, and then returns null. */
async function readDirectories(loop: DiscoveryLoop): Promise<readonly DirectoryReading[] | null> {
  const { context, signal, log, sleepBetweenAttempts: sleep } = loop;
  try {
    const { directories } = await discover(context, sleep === undefined ? { signal } : { signal, sleep });
    const counts = directories.map((reading) => ({ ...reading, rejects: reading.rejects.length }));
    log.info({ job: 'discover', directories: counts }, 'Read the directories');
    return directories;
  } catch (error) {
    log.error({ job: 'discover', err: error }, 'Read the directories: failed; the job is tried again');
    return null;
  }
}

/**
 * Creates a function that prints the result of each directory's first reading. The function also prints a line when all
 * directories become unreachable, and when a directory can be reached again.
 */
function createReadingPrinter(print: Print) {
  const printed = new Set<string>();
  let isOffline = false;
  return (readings: readonly DirectoryReading[], retryMs: number): void => {
    if (readings.every(({ unreached }) => unreached)) {
      const [first] = readings;
      if (!isOffline) print('network', formatOffline(first?.note ?? 'no reason given', retryMs));
      isOffline = true;
      return;
    }
    if (isOffline) print('network', 'directories can be reached again');
    isOffline = false;
    for (const reading of readings.filter(({ directory, paused }) => !paused && !printed.has(directory))) {
      printed.add(reading.directory);
      for (const line of formatDirectoryReading(reading, reading.directory)) print('directory', line);
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
