import { watchEditSchema } from '@touchstone/contract';
import { Command } from 'commander';
import { CliError, type CommandTools, confirm } from '../command-tools.ts';
import {
  addOptions,
  createOperationCommand,
  findOperationCommand,
  type Input,
  readOptions,
  validateInput,
} from '../service/operation-command.ts';
import { addServiceOptions } from '../service/service-options.ts';
import {
  createTextStyle,
  escapeJsonText,
  type TextStyle,
  toPlainJson,
  toPlainText,
} from '../terminal/text.ts';
import {
  findOwnedWatch,
  listStoredWatches,
  receivedEditedSchema,
  receivedWatchSchema,
  requestWatch,
} from './owned-watch.ts';
import { formatWatch } from './watch-text.ts';

const EXIT_CODES = `
Exit codes
  0  done
  2  not done; the message has the reason`;

export function createShowCommand(tools: CommandTools): Command {
  return createOwnerCommand('getWatch').action(async (text: string, _options: object, self: Command) => {
    const watch = findOwnedWatch(text, self, tools.host);
    const { value, text: json } = await requestWatch(watch, { method: 'GET' }, receivedWatchSchema);
    await printResult(self, tools, { json, toText: (style) => formatWatch(value, style) });
  });
}

/**
 * Options `--no-webhooks` and `--no-slack` of `touchstone watch edit`, which remove all URLs of a kind. Commander sets
 * `webhooks` or `slack` to false for an option that begins with `--no-`.
 */
interface RemovalOptions {
  readonly webhook?: readonly string[];
  readonly webhooks?: false;
  readonly slack?: readonly string[] | false;
}

export function createEditCommand(tools: CommandTools): Command {
  const row = findOperationCommand('editWatch');
  return createOwnerCommand('editWatch')
    .option('--no-webhooks', 'remove all webhooks')
    .option('--no-slack', 'remove all chats')
    .addHelpText(
      'after',
      `
Delivery URLs
  The --webhook URLs replace all webhooks, and the --slack URLs replace all chats.
  New URLs are tested first. If a test fails, nothing changes.`,
    )
    .action(async (text: string, options: RemovalOptions, self: Command) => {
      const watch = findOwnedWatch(text, self, tools.host);
      const body = removeUrls(readOptions(row, self), options);
      if (Object.keys(body).length === 0)
        throw new CliError('Nothing to change. Give at least one setting; see touchstone watch edit --help.');
      validateInput(watchEditSchema, body);
      const request = { method: 'PATCH', body } as const;
      const { value, text: json } = await requestWatch(watch, request, receivedEditedSchema);
      const toText = (style: TextStyle) => formatWatch(value, style, value.connection_test);
      await printResult(self, tools, { json, toText });
    });
}

/**
 * Adds an empty list for each kind of delivery URL that the options remove. @throws CliError for options that
 * contradict each other
 */
function removeUrls({ delivery, ...settings }: Input, { webhook, webhooks, slack }: RemovalOptions): Input {
  if (webhooks === false && webhook !== undefined)
    throw new CliError('Give --webhook or --no-webhooks, not both.');
  if (webhooks !== false && slack !== false && delivery === undefined) return settings;
  return {
    ...settings,
    delivery: {
      ...(typeof delivery === 'object' ? delivery : {}),
      ...(webhooks === false ? { webhook_urls: [] } : {}),
      ...(slack === false ? { slack_urls: [] } : {}),
    },
  };
}

const NOT_CANCELLED = {
  refusal: 'The watch was not cancelled.',
  advice: 'Give --yes to cancel it without confirmation.',
};

export function createCancelCommand(tools: CommandTools): Command {
  return createOwnerCommand('cancelWatch')
    .option('--yes', 'cancel without confirmation')
    .action(async (text: string, { yes }: { readonly yes?: true }, self: Command) => {
      const watch = findOwnedWatch(text, self, tools.host);
      if (yes !== true)
        await confirm(`Cancel the watch ${watch.id}? Nothing is refunded.`, NOT_CANCELLED, tools.host);
      const { value, text: json } = await requestWatch(watch, { method: 'DELETE' }, receivedWatchSchema);
      await printResult(self, tools, { json, toText: (style) => formatWatch(value, style) });
    });
}

export function createListCommand(tools: CommandTools): Command {
  return new Command('list')
    .description('Lists the watches that were bought on this machine, without their secrets.')
    .option('--json', 'print one JSON object on each line')
    .action(async ({ json }: OwnerOptions) => {
      const watches = listStoredWatches(tools.host.env);
      for (const { id, endpoint, service } of watches) {
        const line =
          json === true
            ? toPlainJson({ id, endpoint, service })
            : `${id}  ${toPlainText(endpoint, 3_000)}  ${service}`;
        await tools.out.write(`${line}\n`);
      }
      if (watches.length === 0)
        tools.printMessage('No watch is stored. Buy one with touchstone watch create.');
    });
}

function createOwnerCommand(operationId: string): Command {
  const { options, ...row } = findOperationCommand(operationId);
  const command = addOwnerOptions(createOperationCommand({ ...row, options: [] }));
  return addOptions(command, options).addHelpText('after', `${OWNER_HELP}\n${EXIT_CODES}`);
}

interface Result {
  /** Body of the response. */
  readonly json: string;
  readonly toText: (style: TextStyle) => string;
}

async function printResult(
  command: Command,
  { host, out }: CommandTools,
  { json, toText }: Result,
): Promise<void> {
  const options = command.optsWithGlobals<OwnerOptions>();
  const text =
    options.json === true
      ? `${escapeJsonText(json).trimEnd()}\n`
      : toText(createTextStyle(host, options.color));
  await out.write(text);
}

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

export interface OwnerOptions {
  readonly json?: true;
  readonly color?: boolean;
}

/** Adds the options of `OwnerOptions` to a command. @param json help text of --json */
export function addOwnerOptions(command: Command, json = 'print the response unchanged'): Command {
  return addServiceOptions(command).option('--json', json);
}
