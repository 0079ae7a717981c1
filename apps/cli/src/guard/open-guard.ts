import { isJsonObject, parseJson } from '@touchstone/common';
import type { CommandOption } from '@touchstone/contract';
import {
  type Action,
  createGuard,
  DEFAULT_POLICY,
  fetchKeys,
  type Guard,
  type GuardOptions,
  type Policy,
  type PublicKeyJwk,
  toPolicy,
} from '@touchstone/guard';
import { verifyOffer } from '@touchstone/guard/offers';
import type { Command } from 'commander';
import { CliError, toMessage } from '../command-tools.ts';
import { readFileOrStdin, type SourceOptions } from '../network/read-source.ts';
import { addOptions, readOptions } from '../service/operation-command.ts';
import { findServiceUrl, type ServiceOptions } from '../service/service-options.ts';
import { toPlainText } from '../terminal/text.ts';
import { readTrustedKeys } from '../verify/check-report.ts';
import { LOOKUP_TIMEOUT_MS, type TrustedService } from './check-endpoint.ts';

export interface OpenGuardOptions extends ServiceOptions {
  readonly keys?: string;
  readonly policy?: string;
  readonly private?: true;
}

/**
 * Creates the guard that the options of a command describe, and finds the service whose statements the guard checks.
 *
 * @param source access to the keys of `--keys`
 * @param memory journal of the payments, and source of their states; by default, nothing is remembered
 * @throws CliError for an invalid option, and when there are no keys
 */
export async function openGuard(
  command: Command,
  source: SourceOptions,
  memory: Pick<GuardOptions, 'journal' | 'trace'> = {},
): Promise<{ readonly guard: Guard; readonly service: TrustedService }> {
  const options = command.optsWithGlobals<OpenGuardOptions>();
  const policy = await readPolicy(options.policy, command, source);
  const service = await openTrustedService(options, source);
  const { origin, keys } = service;
  const lookups = options.private === true ? 'range' : 'exact';
  const settings = { policy, ...memory, verifyOffer, timeoutMs: LOOKUP_TIMEOUT_MS, lookups } as const;
  return { guard: createGuard({ service: origin, keys, ...settings }), service };
}

/** Finds the service that the options select, and its trusted keys. @throws CliError when there are no keys */
export async function openTrustedService(
  options: OpenGuardOptions,
  source: SourceOptions,
): Promise<TrustedService> {
  const { origin } = findServiceUrl(options);
  const keys =
    options.keys === undefined
      ? await fetchServiceKeys(origin)
      : (await readTrustedKeys(options.keys, source)).keys.keys;
  return { origin, keys };
}

/** Adds the option with the trusted keys of the service. */
export function addKeysOption(command: Command): Command {
  return command.option('--keys <source>', 'trusted keys: file or URL of a key set, or URL of a service');
}

async function fetchServiceKeys(service: string): Promise<readonly PublicKeyJwk[]> {
  try {
    return await fetchKeys(service);
  } catch (cause) {
    throw new CliError(`${toPlainText(toMessage(cause))} Give the keys of the service with --keys.`, {
      cause,
    });
  }
}

const ACTIONS: readonly Action[] = ['pay', 'warn', 'abort'];

/** Options that change the policy. Each option changes one member. */
const POLICY_OPTIONS: readonly CommandOption[] = [
  { member: 'maxPriceUsd', flags: '--max-usd <amount>', text: 'highest price in US dollars', kind: 'text' },
  {
    member: 'maxUnknownPriceUsd',
    flags: '--max-unknown-usd <amount>',
    text: `highest price of an endpoint that is unknown or not verified (default: ${String(DEFAULT_POLICY.maxUnknownPriceUsd)})`,
    kind: 'text',
  },
  {
    member: 'maxFirstPaymentUsd',
    flags: '--max-first-usd <amount>',
    text: `highest price of the first payment to a host that Touchstone does not know (default: ${String(DEFAULT_POLICY.maxFirstPaymentUsd)})`,
    kind: 'text',
  },
  {
    member: 'maxPriceMultiple',
    flags: '--max-price-multiple <n>',
    text: `highest price as a multiple of the highest of 30 days (default: ${String(DEFAULT_POLICY.maxPriceMultiple)})`,
    kind: 'number',
  },
  {
    member: 'minGrade',
    flags: '--min-grade <grade>',
    text: 'lowest grade',
    kind: 'choice',
    choices: ['A', 'B', 'C', 'D', 'F'],
  },
  {
    member: 'unknown',
    flags: '--unknown <action>',
    text: `action for an endpoint that Touchstone does not know (default: ${DEFAULT_POLICY.unknown})`,
    kind: 'choice',
    choices: ACTIONS,
  },
  {
    member: 'optedOut',
    flags: '--opted-out <action>',
    text: `action if the provider opted out of probing (default: ${DEFAULT_POLICY.optedOut})`,
    kind: 'choice',
    choices: ACTIONS,
  },
  {
    member: 'unreachable',
    flags: '--unreachable <action>',
    text: `action if Touchstone cannot be reached (default: ${DEFAULT_POLICY.unreachable})`,
    kind: 'choice',
    choices: ACTIONS,
  },
];

/** Options of the limits that need the journal of earlier payments. */
const BUDGET_OPTIONS: readonly CommandOption[] = [
  {
    member: 'maxUsdPerDay',
    flags: '--max-usd-per-day <amount>',
    text: 'highest sum of 24 hours in US dollars',
    kind: 'text',
  },
  {
    member: 'maxHostUsdPerDay',
    flags: '--max-host-usd-per-day <amount>',
    text: 'highest sum of 24 hours for one host',
    kind: 'text',
  },
  {
    member: 'maxUsdTotal',
    flags: '--max-usd-total <amount>',
    text: 'highest sum of all payments in the journal',
    kind: 'text',
  },
];
const ALL_OPTIONS = [...POLICY_OPTIONS, ...BUDGET_OPTIONS];

/** Adds the options of the limits that need a journal. The parent command has the other options of the policy. */
export function addBudgetOptions(command: Command): Command {
  return addOptions(command, BUDGET_OPTIONS);
}

export function addPolicyOptions(command: Command): Command {
  return addOptions(command, POLICY_OPTIONS)
    .option('--policy <file>', 'JSON file with a policy of @touchstone/guard; options overrule it')
    .option('--private', 'look up a range of hosts, and send the service no URL');
}

/** Reads the policy from the options of a command. @throws CliError for an invalid policy */
async function readPolicy(file: string | undefined, command: Command, host: SourceOptions): Promise<Policy> {
  const fromFile = file === undefined ? {} : await readPolicyFile(file, host);
  const fromOptions = readOptions({ options: ALL_OPTIONS }, command);
  // The file is already validated, so the message is about a member that an option sets.
  return checkPolicy({ ...fromFile, ...fromOptions }, (message) =>
    message.replace(/^policy\.(\w+)/, (_, name: string) => {
      const option = ALL_OPTIONS.find(({ member }) => member === name);
      return option?.flags.split(' ')[0] ?? name;
    }),
  );
}

async function readPolicyFile(file: string, host: SourceOptions): Promise<object> {
  const policy = parseJson(await readFileOrStdin(file, host));
  if (policy === undefined) throw new CliError(`--policy ${file} is not valid JSON.`);
  if (!isJsonObject(policy)) throw new CliError(`--policy ${file} must contain a JSON object.`);
  // The file can contain any members. toPolicy() checks their names and values.
  checkPolicy(policy, (message) => `--policy ${file} is not valid: ${message}`);
  return policy;
}

/** Completes a policy. @throws CliError for an invalid policy, with the message that `explain` returns */
function checkPolicy(options: object, explain: (message: string) => string): Policy {
  try {
    return toPolicy(options);
  } catch (cause) {
    if (cause instanceof TypeError) throw new CliError(explain(cause.message), { cause });
    throw cause;
  }
}
