import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandTools } from '../../run.ts';
import type { OwnedWatch } from '../owned-watch.ts';
import type { ReceivedEvent } from '../received-watch.ts';
import { readNewEvents, type Cursors, type NewEvents, type TemporaryFailure } from './read-events.ts';

/** What to read and how to print it. */
export interface EventsRequest {
  readonly start: Cursors;
  /** Pause between two requests, in milliseconds; null to read the present events only. */
  readonly intervalMs: number | null;
  readonly format: (event: ReceivedEvent) => string;
  /** Ends the command. */
  readonly signal: AbortSignal;
}

/** Outcome of reading events. */
export interface EventsOutcome {
  readonly cursors: Cursors;
  /** Number of printed events. */
  readonly count: number;
  readonly status: NewEvents['status'];
}

/**
 * Prints the events of a watch. With an interval, waits for new events until the signal is aborted, the watch is over,
 * or nobody reads the output any more. Temporary errors are reported once, and the requests continue.
 *
 * @throws CliError for an error that is not temporary; without an interval, for every error
 */
export async function followEvents(
  watch: OwnedWatch,
  { start, intervalMs, format, signal }: EventsRequest,
  tools: Pick<CommandTools, 'out' | 'printMessage'>,
): Promise<EventsOutcome> {
  const outage = createOutageReport(tools);
  let outcome: EventsOutcome = { cursors: start, count: 0, status: null };
  for (;;) {
    const read = await readNewEvents(watch, outcome.cursors, signal);
    for (const event of read.events) await tools.out.write(format(event));
    const { cursors, status } = read;
    outcome = { cursors, count: outcome.count + read.events.length, status: status ?? outcome.status };
    if (signal.aborted || tools.out.isClosed) return outcome;
    if (intervalMs === null) {
      if (read.failure !== null) throw read.failure.error;
      return outcome;
    }
    outage.report(read.failure, intervalMs);
    if (read.failure === null && isOver(status)) return outcome;
    const isWaited = await wait(Math.max(intervalMs, read.failure?.pauseMs ?? 0), signal);
    if (!isWaited) return outcome;
  }
}

/** Returns true for a watch that gets no more events. */
export function isOver(status: NewEvents['status']): boolean {
  return status === 'cancelled' || status === 'expired';
}

/** Reports the beginning and the end of an outage, and not each failed request. */
function createOutageReport({ printMessage }: Pick<CommandTools, 'printMessage'>) {
  let isDown = false;
  return {
    report: (failure: TemporaryFailure | null, intervalMs: number): void => {
      if (failure !== null && !isDown)
        printMessage(
          `${failure.error.message} The request is repeated every ${String(intervalMs / 1_000)} s.`,
        );
      if (failure === null && isDown) printMessage('The service responds again.');
      isDown = failure !== null;
    },
  };
}

/** Waits. @returns false if the signal ended the wait */
async function wait(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await sleep(ms, undefined, { signal });
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}
