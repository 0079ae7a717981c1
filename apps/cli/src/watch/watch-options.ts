import { WATCH_EVENT_TYPES } from '@touchstone/contract';
import { Option, type Command } from 'commander';
import { addServiceOptions, readNumber } from '../service/service-options.ts';
import { CliError } from '../cli-error.ts';

/** Help text on secrets, for the commands of an owner. */
export const OWNER_HELP = `
Secret
  The secret of a watch is in the file that touchstone watch create stored in
  $XDG_STATE_HOME/touchstone/watches (~/.local/state/touchstone/watches). It is
  sent only to the service that sold the watch. For a watch that was bought
  elsewhere, set TOUCHSTONE_WATCH_SECRET, and name the service with --service.
  The secret cannot be an argument, because other users of the machine can read
  arguments.

Environment
  TOUCHSTONE_WATCH_SECRET, TOUCHSTONE_SERVICE`;

/** Options of the commands of an owner. */
export interface OwnerOptions {
  readonly json?: true;
  readonly color?: boolean;
}

/** Adds the options that every command of an owner has. @param json help text of --json */
export function addOwnerOptions(command: Command, json = 'print the response unchanged'): Command {
  return addServiceOptions(command).option('--json', json);
}

/** Options with the settings of a watch. */
export interface SettingsOptions {
  readonly webhook?: readonly string[];
  /** False for --no-webhooks. */
  readonly webhooks?: boolean;
  /** False for --no-slack. */
  readonly slack?: readonly string[] | false;
  readonly events?: readonly string[];
  readonly sensitivity?: number | string;
}

const collect = (value: string, previous: unknown): readonly string[] => [
  ...(Array.isArray(previous) ? previous.map(String) : []),
  value,
];

const readTypes = (text: string): readonly string[] =>
  text.trim() === 'all'
    ? WATCH_EVENT_TYPES
    : text
        .split(',')
        .map((type) => type.trim())
        .filter((type) => type !== '');

/** Adds the options with the settings of a watch. */
export function addSettingsOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--webhook <url>', 'URL that gets signed messages; repeat it for more, at most 5').argParser(
        collect,
      ),
    )
    .addOption(
      new Option(
        '--slack <url>',
        'incoming webhook of Slack or Discord; repeat it for more, at most 5',
      ).argParser(collect),
    )
    .addOption(
      new Option(
        '--events <types>',
        `types of alerts with commas, or all: ${WATCH_EVENT_TYPES.join(', ')}`,
      ).argParser(readTypes),
    )
    .addOption(
      new Option('--sensitivity <n>', 'missed probes before liveness_down, 1 to 10').argParser(readNumber),
    );
}

/** Converts the options with the settings of a watch to members of a request. @throws CliError for a contradiction */
export function toSettings({ webhook, webhooks, slack, events, sensitivity }: SettingsOptions) {
  if (webhooks === false && webhook !== undefined)
    throw new CliError('Give --webhook or --no-webhooks, not both.');
  const webhookUrls = webhooks === false ? [] : webhook;
  const slackUrls = slack === false ? [] : slack;
  const delivery = {
    ...(webhookUrls === undefined ? {} : { webhook_urls: webhookUrls }),
    ...(slackUrls === undefined ? {} : { slack_urls: slackUrls }),
  };
  return {
    ...(events === undefined ? {} : { events }),
    ...(sensitivity === undefined ? {} : { liveness_sensitivity_n: sensitivity }),
    ...(Object.keys(delivery).length === 0 ? {} : { delivery }),
  };
}
