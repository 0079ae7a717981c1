import { isJsonObject } from '@touchstone/common';
import { type Operation, type OperationCommand, OPERATIONS } from '@touchstone/contract';
import type { Command } from 'commander';
import type { CommandTools } from '../command-tools.ts';
import {
  createOperationCommand,
  createRequest,
  type Input,
  readOptions,
} from '../service/operation-command.ts';
import { toPlainText } from '../terminal/text.ts';
import type { PlannedPurchase, Presentation } from './buy-and-print.ts';
import { addBuyOptions, formatBuyHelp } from './buy-options.ts';

/** Presentation of a result without its own formatter: one line for each value, below the names of its objects. */
const PLAIN: Presentation = {
  readResult: (json) =>
    isJsonObject(json) ? { toText: () => `${formatMembers(json, '').join('\n')}\n` } : null,
};

const MAX_VALUE_CHARS = 3_000;

function formatMembers(object: object, indent: string): string[] {
  return Object.entries(object).flatMap(([name, value]: [string, unknown]) => {
    const label = `${indent}${toPlainText(name, 100)}:`;
    return typeof value === 'object' && value !== null
      ? [label, ...formatMembers(value, `${indent}  `)]
      : [
          `${label} ${toPlainText(typeof value === 'string' ? value : JSON.stringify(value), MAX_VALUE_CHARS)}`,
        ];
  });
}

/**
 * Creates the buying commands. Each command buys the result of one operation.
 *
 * @param group first word of the command names, such as `watch`; null for commands with one word
 * @param presentations presentations by operation id
 */
export function createBuyingCommands(
  group: string | null,
  presentations: Readonly<Record<string, Presentation>>,
  tools: CommandTools,
): Command[] {
  return OPERATIONS.flatMap((operation) => {
    const { id, command } = operation;
    // `product` is null for a command that several operations share, such as `touchstone bulk`. Another function
    // creates this command.
    if (command === null || command.product === null) return [];
    const words = command.name.split(' ');
    if ((words.length === 1 ? null : words[0]) !== group) return [];
    const sale = { operation, command, product: command.product };
    return [createBuyingCommand(sale, presentations[id] ?? PLAIN, tools)];
  });
}

/** A paid operation of the API contract, with its command and its product. */
interface Sale {
  readonly operation: Operation;
  readonly command: OperationCommand;
  readonly product: NonNullable<OperationCommand['product']>;
}

function createBuyingCommand(sale: Sale, presentation: Presentation, tools: CommandTools): Command {
  const { argument, maxUsd } = sale.command;
  return addBuyOptions(createOperationCommand(sale.command), maxUsd)
    .addHelpText('after', formatBuyHelp(sale.command, presentation))
    .action(async (text: string, _options: object, self: Command) => {
      presentation.checkArgument?.(text);
      const planned = planPurchase(sale, { [argument.member]: text, ...readOptions(sale.command, self) });
      const defaultService = presentation.findDefaultService?.(text, tools.host.env);
      // `buy-and-print.ts` imports the wallet libraries, and they load slowly. So it is loaded only for a purchase.
      const { buyAndPrint } = await import('./buy-and-print.ts');
      await buyAndPrint({ ...planned, presentation, defaultService }, self, tools);
    });
}

/**
 * Plans a purchase. The request body contains the given values, and the default values that the description of the
 * product mentions. So the service sells exactly what the user confirms.
 *
 * @throws CliError that describes the first mistake in the input
 */
function planPurchase({ operation, product: { name, description } }: Sale, input: Input): PlannedPurchase {
  const { path, query, body, values } = createRequest(operation, input);
  const isSent = (member: string): boolean => member in input || description.includes(`{${member}}`);
  return {
    path,
    query,
    input: Object.fromEntries(Object.entries(body ?? {}).filter(([member]) => isSent(member))),
    name,
    description: description.replace(/\{(\w+)\}/g, (_, member: string) => String(values[member])),
    values,
  };
}
