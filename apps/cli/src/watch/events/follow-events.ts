import type { CliError } from '../../cli-error.ts';
import type { CommandTools } from '../../run.ts';
import type { OwnedWatch } from '../owned-watch.ts';
import type { ReceivedEvent } from '../received-watch.ts';
import { readNewEvents, type Cursors, type NewEvents, type TemporaryFailure } from './read-events.ts';
import { createReadPosition } from './read-position.ts';

/** Start, interval and text format of the events to print. */
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
  /** Sequence number of the last event before which every event was printed; 0 before the first event. */
  readonly position: number;
  /** Number of printed events. */
  readonly count: number;
  readonly status: NewEvents['status'];
  /** True if the log has more events than were printed. */
  readonly hasMore: boolean;
  /** Error that ended the requests; null with an interval. */
  readonly error: CliError | null;
}

/**
 * Prints the events of a watch. With an interval, waits for new events until the signal is aborted, the watch is over,
 * or the output is closed. Temporary errors are reported once, and the requests continue.
 *
 * @throws CliError for an error that is not temporary
 */
export async function followEvents(
  watch: OwnedWatch,
  { start, intervalMs, format, signal }: EventsRequest,
  tools: Pick<CommandTools, 'out' | 'printMessage' | 'sleep'>,
): Promise<EventsOutcome> {
  const outage = createOutageReport(tools);
  const position = createReadPosition(watch.id, start);
  let cursors = start;
  let count = 0;
  let status: NewEvents['status'] = null;
  for (;;) {
    const read = await readNewEvents(watch, cursors, signal);
    for (const event of read.events) await tools.out.write(format(event));
    ({ cursors } = read);
    count += read.events.length;
    status = read.status ?? status;
    const hasMore = read.failure === null && !read.isComplete;
    const outcome = { position: position.add(read), count, status, hasMore, error: null };
    if (signal.aborted || tools.out.isClosed) return outcome;
    if (intervalMs === null) return { ...outcome, error: read.failure?.error ?? null };
    outage.report(read.failure, intervalMs);
    if (read.isComplete && isOver(status)) return outcome;
    const isWaited = await wait(
      tools.sleep(Math.max(intervalMs, read.failure?.pauseMs ?? 0), signal),
      signal,
    );
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

/** Waits for the end of a pause. @returns false if the signal ended the pause */
async function wait(pause: Promise<void>, signal: AbortSignal): Promise<boolean> {
  try {
    await pause;
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}
