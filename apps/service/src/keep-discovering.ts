import { setTimeout as wait } from 'node:timers/promises';
import { discover, type DirectoryReport, type PipelineContext } from '@touchstone/pipeline';
import type { Logger } from 'pino';
import { discoveryReport } from './discovery-report.ts';

export interface Discovering {
  readonly context: PipelineContext;
  readonly say: (part: string, text: string) => void;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** Told after each reading. */
  readonly onRead: (reports: readonly DirectoryReport[]) => void;
  /** Waits so many milliseconds or until the signal; the real time unless given. */
  readonly sleep?: (ms: number) => Promise<unknown>;
  /** The same between the attempts at one page. */
  readonly sleepBetweenAttempts?: (ms: number) => Promise<unknown>;
}

const MINUTE_MS = 60_000;
/** From the start of one reading to the start of the next. */
const EVERY_MS = 60 * MINUTE_MS;
/** A directory that broke off is gone on with after so long. */
const PAUSED_MS = 5 * MINUTE_MS;
const FIRST_RETRY_MS = 30_000;
const LAST_RETRY_MS = 15 * MINUTE_MS;

/**
 * Reads the directories once an hour until the signal, each first reading reported. When none can be reached, that is
 * said in one line, and they are asked again after half a minute and then at doubling pauses of 15 minutes at most.
 */
export async function keepDiscovering(discovering: Discovering): Promise<void> {
  const { context, signal, sleep = (ms: number) => pause(ms, signal) } = discovering;
  const reporter = createReporter(discovering.say);
  const isOver = (): boolean => signal.aborted;
  let failures = 0;
  while (!isOver()) {
    const began = context.now();
    const reports = await readOnce(discovering);
    if (isOver()) return;
    const reached = reports?.some(({ unreached }) => !unreached) ?? false;
    failures = reached ? 0 : failures + 1;
    const retryMs = Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LAST_RETRY_MS);
    if (reports !== null) {
      reporter(reports, retryMs);
      discovering.onRead(reports);
    }
    await sleep(reached ? untilNext(reports ?? [], context.now() - began) : retryMs);
  }
}

function untilNext(reports: readonly DirectoryReport[], tookMs: number): number {
  return reports.some(({ paused }) => paused) ? PAUSED_MS : Math.max(MINUTE_MS, EVERY_MS - tookMs);
}

/** Null when the database could not take it. */
async function readOnce(discovering: Discovering): Promise<readonly DirectoryReport[] | null> {
  const { context, signal, log, sleepBetweenAttempts: sleep } = discovering;
  try {
    const { directories } = await discover(context, sleep === undefined ? { signal } : { signal, sleep });
    const counts = directories.map((report) => ({ ...report, rejects: report.rejects.length }));
    log.info({ job: 'discover', directories: counts }, 'Read the directories');
    return directories;
  } catch (error) {
    log.error({ job: 'discover', err: error }, 'Read the directories: failed, tried again');
    return null;
  }
}

/** Says of each directory how its first reading ended, and of the network when it goes and when it is back. */
function createReporter(say: Discovering['say']) {
  const told = new Set<string>();
  let offline = false;
  return (reports: readonly DirectoryReport[], retryMs: number): void => {
    if (reports.every(({ unreached }) => unreached)) {
      const [first] = reports;
      if (!offline) say('network', offlineLine(first?.note ?? 'no reason given', retryMs));
      offline = true;
      return;
    }
    if (offline) say('network', 'there again');
    offline = false;
    for (const report of reports.filter(({ directory, paused }) => !paused && !told.has(directory))) {
      told.add(report.directory);
      for (const line of discoveryReport(report, report.directory)) say('directory', line);
    }
  };
}

function offlineLine(note: string, retryMs: number): string {
  return (
    `no directory can be reached (${note}); nothing is held against anybody, and ` +
    `they are tried again in ${retryMs / 1000} seconds, then less and less often`
  );
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => undefined);
}
