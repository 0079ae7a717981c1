import { formatEventId, parseWatchCursor } from '@touchstone/contract';
import { type Command, Option } from 'commander';
import { CliError, type CommandTools, untilInterrupted } from '../command-tools.ts';
import { createOperationCommand, findOperationCommand, readNumber } from '../service/operation-command.ts';
import { createTextStyle, toPlainJson, toPlainText } from '../terminal/text.ts';
import { type EventsOutcome, followEvents, isOver } from './follow-events.ts';
import { findOwnedWatch, type ReceivedEvent } from './owned-watch.ts';
import { addOwnerOptions, OWNER_HELP, type OwnerOptions } from './owner-commands.ts';
import { formatEvent } from './watch-text.ts';

/** Limits and default of --interval, in seconds. */
const INTERVAL_SECONDS = { min: 1, max: 3_600, default: 10 } as const;

const HELP = `
Events
  The log of a watch has the alerts on the endpoint and the events on the watch
  itself, in one sequence without gaps. --since continues after an event: give
  its id or its number. The last line on standard error has the number.

  With --follow, the command prints new events until you press Ctrl-C, or until
  the watch is cancelled or expired. It continues after a network error.
${OWNER_HELP}

Exit codes
  0  printed, also without any event; with --follow, ended by Ctrl-C or with the watch
  2  not read; the message has the reason

Examples
  touchstone watch events w_k5xgq2dlmvzw433bnz2gs3tbme --follow
  touchstone watch events w_k5xgq2dlmvzw433bnz2gs3tbme --json | jq 'select(.severity == "critical")'`;

interface EventsOptions {
  readonly since?: string;
  readonly follow?: true;
  readonly interval?: number | string;
}

export function createEventsCommand(tools: CommandTools): Command {
  const command = createOperationCommand(findOperationCommand('readWatchEvents'))
    .option('--since <cursor>', 'print only the events after the one with this id or number')
    .option('--follow', 'wait for new events')
    .addOption(
      new Option(
        '--interval <seconds>',
        'pause between two requests with --follow, 1 to 3600 (default: 10)',
      ).argParser(readNumber),
    );
  return addOwnerOptions(command, 'print one event as JSON on each line')
    .addHelpText('after', HELP)
    .action(async (text: string, options: EventsOptions, self: Command) => {
      const watch = findOwnedWatch(text, self, tools.host);
      const { json, color } = self.optsWithGlobals<OwnerOptions>();
      const style = createTextStyle(tools.host, color);
      const cursor = readCursor(watch.id, options.since);
      const request = {
        start: { alerts: cursor, watchEvents: cursor },
        intervalMs: readInterval(options),
        format: (event: ReceivedEvent) =>
          json === true ? `${toPlainJson(event)}\n` : formatEvent(event, style),
      };
      const outcome = await untilInterrupted(tools.host, (signal) =>
        followEvents(watch, { ...request, signal }, tools),
      );
      if (outcome.error === null || outcome.count > 0) tools.printMessage(describeOutcome(watch.id, outcome));
      if (outcome.error !== null) throw outcome.error;
    });
}

/** Reads --since. @throws CliError for a text that is not an event id of the watch */
function readCursor(id: string, since: string | undefined): string {
  if (since === undefined) return formatEventId(id, 0);
  const cursor = /^\d{1,10}$/.test(since) ? formatEventId(id, Number(since)) : since;
  if (parseWatchCursor(cursor, id) !== null) return cursor;
  throw new CliError(
    `--since must be the id or the number of an event of this watch, such as ${formatEventId(id, 7)} or 7; received "${toPlainText(since, 60)}".`,
  );
}

/** Returns the pause between requests in milliseconds; null without --follow. @throws CliError for an invalid value */
function readInterval({ follow, interval }: EventsOptions): number | null {
  const { min, max, default: standard } = INTERVAL_SECONDS;
  if (follow !== true) {
    if (interval !== undefined) throw new CliError('--interval is for --follow only.');
    return null;
  }
  const seconds = interval ?? standard;
  if (typeof seconds === 'number' && Number.isInteger(seconds) && seconds >= min && seconds <= max)
    return seconds * 1_000;
  throw new CliError(
    `--interval must be a whole number of seconds from ${String(min)} to ${String(max)}; received "${toPlainText(String(seconds), 60)}".`,
  );
}

function describeOutcome(id: string, { position: number, count, status, hasMore }: EventsOutcome): string {
  const position = `Read to event #${String(number)}; continue with --since ${formatEventId(id, number)}`;
  const none = count === 0 ? ['No new event.'] : [];
  if (hasMore) return [...none, 'The log has more events.', position].join('\n');
  const end = isOver(status) ? [`The watch is ${status ?? ''}, so no event will follow.`] : [];
  return [...none, ...end, position].join('\n');
}
