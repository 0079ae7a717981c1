import {
  type CommandOption,
  formatIssue,
  type Operation,
  type OperationCommand,
  OPERATIONS,
  type ToolRequest,
  TOOLS,
  toToolRequest,
} from '@touchstone/contract';
import { Command, Option } from 'commander';
import type { z } from 'zod';
import { CliError } from '../command-tools.ts';
import { toPlainText } from '../terminal/text.ts';

/** Values of a command line. Each key is the name of a member of the request. */
export type Input = Readonly<Record<string, unknown>>;

export function findOperationCommand(operationId: string): OperationCommand {
  const command = OPERATIONS.find(({ id }) => id === operationId)?.command ?? null;
  if (command === null) throw new Error(`The contract has no command for ${operationId}`);
  return command;
}

export function createOperationCommand({ name, summary, argument, options }: OperationCommand): Command {
  const command = new Command(name.split(' ').at(-1))
    .description(summary)
    .argument(`<${argument.name}>`, argument.text);
  return addOptions(command, options);
}

export function addOptions(command: Command, options: readonly CommandOption[]): Command {
  for (const option of options) command.addOption(createOption(option));
  return command;
}

function createOption({ flags, text, kind, choices = [] }: CommandOption): Option {
  const option = new Option(flags, text);
  if (kind === 'choice') return option.choices(choices);
  if (kind === 'number') return option.argParser(readNumber);
  if (kind === 'repeated') return option.argParser(collect);
  return kind === 'list' ? option.argParser((value) => readList(value, choices)) : option;
}

/**
 * Parses the value of a number option. Other text is returned unchanged: the schema of the request rejects the text with
 * a message that names the expected range.
 */
export function readNumber(text: string): number | string {
  return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text;
}

function collect(value: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), value];
}

function readList(text: string, all: readonly string[]): readonly string[] {
  return text.trim() === 'all' ? all : splitList(text);
}

/** Splits a list with commas. Empty items are left out. */
export function splitList(text: string): readonly string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/**
 * Reads the options of a command line that set members of the request.
 *
 * @returns the given values; `delivery.webhook_urls` is the member `webhook_urls` of the object `delivery`
 */
export function readOptions({ options }: Pick<OperationCommand, 'options'>, command: Command): Input {
  const input: Record<string, unknown> = {};
  const values = command.optsWithGlobals<Record<string, unknown>>();
  for (const { member, flags } of options) {
    const value = values[new Option(flags).attributeName()];
    // The value is false for an option such as --no-slack, which `touchstone watch edit` reads.
    if (value === undefined || value === false) continue;
    const [name = '', inner] = member.split('.');
    input[name] = inner === undefined ? value : { ...toObject(input[name]), [inner]: value };
  }
  return input;
}

function toObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

/** Request of an operation. `values` contains the input, and the defaults of the contract. */
export interface OperationRequest extends ToolRequest {
  readonly values: Input;
}

/** Creates the request of an operation. @throws CliError that describes the first mistake in the input */
export function createRequest(operation: Operation, input: Input): OperationRequest {
  const tool = TOOLS.find(({ operations }) => operations.includes(operation));
  if (tool === undefined) throw new Error(`The contract has no input schema for ${operation.id}`);
  const values = validateInput(tool.input, input);
  return { ...toToolRequest(tool, values), values };
}

/** Validates values with a schema of the contract. @throws CliError that describes the first mistake */
export function validateInput<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const message = issue === undefined ? 'The request is not valid.' : formatIssue(issue, input);
  throw new CliError(toPlainText(message, 300));
}
