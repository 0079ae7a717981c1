import { watchEditSchema } from '@touchstone/contract';
import { Command } from 'commander';
import { confirm, type CommandTools } from '../command-tools.ts';
import { validateInput } from '../buy/buy-options.ts';
import { CliError } from '../cli-error.ts';
import { escapeJsonText, toPlainJson, toPlainText } from '../terminal/plain-text.ts';
import { createTextStyle, type TextStyle } from '../terminal/text-style.ts';
import { formatWatch } from './watch-text.ts';
import { findOwnedWatch, listStoredWatches } from './owned-watch.ts';
import { receivedEditedSchema, receivedWatchSchema, requestWatch } from './request-watch.ts';
import {
  addOwnerOptions,
  addSettingsOptions,
  OWNER_HELP,
  toSettings,
  type OwnerOptions,
  type SettingsOptions,
} from './watch-options.ts';

const EXIT_CODES = `
Exit codes
  0  done
  2  not done; the message has the reason`;

/** Creates `touchstone watch show`, which prints a watch and the state of its deliveries. */
export function createShowCommand(tools: CommandTools): Command {
  return createOwnerCommand('show', 'Shows a watch and the state of its deliveries.').action(
    async (text: string, _options: object, self: Command) => {
      const watch = findOwnedWatch(text, self, tools.host);
      const { value, text: json } = await requestWatch(watch, { method: 'GET' }, receivedWatchSchema);
      await printResult(self, tools, { json, toText: (style) => formatWatch(value, style) });
    },
  );
}

/** Creates `touchstone watch edit`, which changes the settings of a watch. */
export function createEditCommand(tools: CommandTools): Command {
  const command = addSettingsOptions(
    createOwnerCommand('edit', 'Changes the alerts, the sensitivity or the delivery URLs of a watch.'),
  )
    .option('--no-webhooks', 'remove all webhooks')
    .option('--no-slack', 'remove all chats');
  return command
    .addHelpText(
      'after',
      `
Delivery URLs
  The --webhook URLs replace all webhooks, and the --slack URLs replace all chats.
  New URLs are tested first. If a test fails, nothing changes.`,
    )
    .action(async (text: string, options: SettingsOptions, self: Command) => {
      const watch = findOwnedWatch(text, self, tools.host);
      const body = toSettings(options);
      if (Object.keys(body).length === 0)
        throw new CliError('Nothing to change. Give at least one setting; see touchstone watch edit --help.');
      validateInput(watchEditSchema, body);
      const request = { method: 'PATCH', body } as const;
      const { value, text: json } = await requestWatch(watch, request, receivedEditedSchema);
      const toText = (style: TextStyle) => formatWatch(value, style, value.connection_test);
      await printResult(self, tools, { json, toText });
    });
}

/** Creates `touchstone watch cancel`, which ends a watch. */
export function createCancelCommand(tools: CommandTools): Command {
  return createOwnerCommand('cancel', 'Ends a watch now. Nothing is refunded.')
    .option('--yes', 'cancel without confirmation')
    .action(async (text: string, { yes }: { readonly yes?: true }, self: Command) => {
      const watch = findOwnedWatch(text, self, tools.host);
      if (yes !== true) await confirmCancellation(watch.id, tools);
      const { value, text: json } = await requestWatch(watch, { method: 'DELETE' }, receivedWatchSchema);
      await printResult(self, tools, { json, toText: (style) => formatWatch(value, style) });
    });
}

/** Creates `touchstone watch list`, which lists the watches that are stored on this machine. */
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

function createOwnerCommand(name: string, description: string): Command {
  const command = new Command(name).description(description).argument('<id>', 'id of the watch');
  return addOwnerOptions(command).addHelpText('after', `${OWNER_HELP}\n${EXIT_CODES}`);
}

async function confirmCancellation(id: string, { host }: CommandTools): Promise<void> {
  const isConfirmed = await confirm(`Cancel the watch ${id}? Nothing is refunded.`, host);
  if (isConfirmed === null)
    throw new CliError(
      'The watch was not cancelled: without a terminal you cannot confirm it. Give --yes to cancel it without confirmation.',
    );
  if (!isConfirmed) throw new CliError('The watch was not cancelled.');
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
