import { isJsonObject } from '@touchstone/common';
import { readFileSync } from 'node:fs';
import type { CommandOption } from '@touchstone/contract';
import {
  type Action,
  createGuard,
  DEFAULT_POLICY,
  fetchKeys,
  type Guard,
  type Policy,
  type PublicKeyJwk,
  toPolicy,
} from '@touchstone/guard';
import type { Command } from 'commander';
import { CliError, toMessage } from '../command-tools.ts';
import type { SourceOptions } from '../network/read-source.ts';
import { addOptions, readOptions } from '../service/operation-command.ts';
import { findServiceUrl, type ServiceOptions } from '../service/service-options.ts';
import { toPlainText } from '../terminal/text.ts';
import { readTrustedKeys } from '../verify/check-report.ts';
import { LOOKUP_TIMEOUT_MS, type TrustedService } from './check-endpoint.ts';

/** Options that select the service, its keys and the policy. */
export interface OpenGuardOptions extends ServiceOptions {
  readonly keys?: string;
  readonly policy?: string;
}

/**
 * Creates the guard that the options of a command describe, and finds the service whose statements it checks.
 *
 * @param source access to the keys of `--keys`
 * @throws CliError for an invalid option, and without keys
 */
export async function openGuard(
  command: Command,
  source: SourceOptions,
): Promise<{ readonly guard: Guard; readonly service: TrustedService }> {
  const options = command.optsWithGlobals<OpenGuardOptions>();
  const policy = readPolicy(options.policy, command);
  const { origin } = findServiceUrl(options);
  const keys =
    options.keys === undefined
      ? await fetchServiceKeys(origin)
      : (await readTrustedKeys(options.keys, source)).keys.keys;
  const guard = createGuard({ service: origin, keys, policy, timeoutMs: LOOKUP_TIMEOUT_MS });
  return { guard, service: { origin, keys } };
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

/** Options that change one member of the policy each. */
const POLICY_OPTIONS: readonly CommandOption[] = [
  { member: 'maxPriceUsd', flags: '--max-usd <amount>', text: 'highest price in US dollars', kind: 'text' },
  {
    member: 'maxUnknownPriceUsd',
    flags: '--max-unknown-usd <amount>',
    text: `highest price of an endpoint that is unknown or not verified (default: ${String(DEFAULT_POLICY.maxUnknownPriceUsd)})`,
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
  { member: 'minScore', flags: '--min-score <n>', text: 'lowest score, 0 to 100', kind: 'number' },
  {
    member: 'minConfidence',
    flags: '--min-confidence <n>',
    text: 'lowest confidence, 0 to 1',
    kind: 'number',
  },
  {
    member: 'unknown',
    flags: '--unknown <action>',
    text: `action for an endpoint that Touchstone does not know (default: ${DEFAULT_POLICY.unknown})`,
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

/** Adds the options that change the policy. */
export function addPolicyOptions(command: Command): Command {
  return addOptions(command, POLICY_OPTIONS).option(
    '--policy <file>',
    'JSON file with a policy of @touchstone/guard; options overrule it',
  );
}

/** Reads the policy from the options of a command. @throws CliError for an invalid policy */
function readPolicy(file: string | undefined, command: Command): Policy {
  const fromFile = file === undefined ? {} : readPolicyFile(file);
  const fromOptions = readOptions({ options: POLICY_OPTIONS }, command);
  for (const { member, flags } of POLICY_OPTIONS) {
    // Each option is checked alone, so that the message can name the option.
    const alone = member in fromOptions ? { [member]: fromOptions[member] } : {};
    checkPolicy(alone, (message) => message.replace(`policy.${member}`, flags.split(' ')[0] ?? ''));
  }
  return checkPolicy({ ...fromFile, ...fromOptions }, (message) => message);
}

function readPolicyFile(file: string): object {
  const policy = parsePolicyFile(file);
  if (!isJsonObject(policy)) throw new CliError(`--policy ${file} must contain a JSON object.`);
  // The file can contain any members. toPolicy() checks their names and values.
  checkPolicy(policy, (message) => `--policy ${file} is not valid: ${message}`);
  return policy;
}

function parsePolicyFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as unknown;
  } catch (cause) {
    if (cause instanceof SyntaxError) throw new CliError(`--policy ${file} is not valid JSON.`, { cause });
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    throw new CliError(
      `--policy ${file} ${isMissing ? 'does not exist.' : `cannot be read: ${toMessage(cause)}`}`,
      {
        cause,
      },
    );
  }
}

/** Completes a policy. @throws CliError with the explained message of an invalid policy */
function checkPolicy(options: object, explain: (message: string) => string): Policy {
  try {
    return toPolicy(options);
  } catch (cause) {
    if (cause instanceof TypeError) throw new CliError(explain(cause.message), { cause });
    throw cause;
  }
}
