import { readFileSync } from 'node:fs';
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
import { type Command, Option } from 'commander';
import { findServiceUrl, type ServiceOptions } from '../service/service-options.ts';
import { readNumber } from '../service/operation-command.ts';
import { CliError, toMessage } from '../command-tools.ts';
import { toPlainText } from '../terminal/text.ts';
import { isJsonObject } from '../json.ts';
import { readTrustedKeys } from '../verify/check-report.ts';
import type { SourceOptions } from '../network/read-source.ts';
import { LOOKUP_TIMEOUT_MS, type TrustedService } from './check-endpoint.ts';

/** Options that select the service, its keys and the policy. */
export interface OpenGuardOptions extends ServiceOptions, PolicyFlags {
  readonly keys?: string;
}

/**
 * Creates the guard that the options of a command describe, and finds the service whose statements it checks.
 *
 * @param source access to the keys of `--keys`
 * @throws CliError for an invalid option, and without keys
 */
export async function openGuard(
  options: OpenGuardOptions,
  source: SourceOptions,
): Promise<{ readonly guard: Guard; readonly service: TrustedService }> {
  const policy = readPolicy(options);
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

/** Options that change the policy. */
interface PolicyFlags {
  readonly policy?: string;
  readonly maxUsd?: string;
  readonly maxUnknownUsd?: string;
  readonly maxPriceMultiple?: number | string;
  readonly minGrade?: Exclude<Policy['minGrade'], null>;
  readonly minScore?: number | string;
  readonly minConfidence?: number | string;
  readonly unknown?: Action;
  readonly unreachable?: Action;
}

const ACTIONS: readonly Action[] = ['pay', 'warn', 'abort'];

/** Adds the options of `PolicyFlags` to a command. */
export function addPolicyOptions(command: Command): Command {
  const { maxPriceMultiple, maxUnknownPriceUsd, unknown, unreachable } = DEFAULT_POLICY;
  return command
    .option('--max-usd <amount>', 'highest price in US dollars')
    .option(
      '--max-unknown-usd <amount>',
      `highest price of an endpoint that is unknown or not verified (default: ${String(maxUnknownPriceUsd)})`,
    )
    .addOption(
      new Option(
        '--max-price-multiple <n>',
        `highest price as a multiple of the highest of 30 days (default: ${String(maxPriceMultiple)})`,
      ).argParser(readNumber),
    )
    .addOption(new Option('--min-grade <grade>', 'lowest grade').choices(['A', 'B', 'C', 'D', 'F']))
    .addOption(new Option('--min-score <n>', 'lowest score, 0 to 100').argParser(readNumber))
    .addOption(new Option('--min-confidence <n>', 'lowest confidence, 0 to 1').argParser(readNumber))
    .addOption(
      new Option(
        '--unknown <action>',
        `action for an endpoint that Touchstone does not know (default: ${unknown})`,
      ).choices(ACTIONS),
    )
    .addOption(
      new Option(
        '--unreachable <action>',
        `action if Touchstone cannot be reached (default: ${unreachable})`,
      ).choices(ACTIONS),
    )
    .option('--policy <file>', 'JSON file with a policy of @touchstone/guard; options overrule it');
}

/** Options and the members of the policy that they set. */
const MEMBERS = {
  maxUsd: { option: '--max-usd', member: 'maxPriceUsd' },
  maxUnknownUsd: { option: '--max-unknown-usd', member: 'maxUnknownPriceUsd' },
  maxPriceMultiple: { option: '--max-price-multiple', member: 'maxPriceMultiple' },
  minGrade: { option: '--min-grade', member: 'minGrade' },
  minScore: { option: '--min-score', member: 'minScore' },
  minConfidence: { option: '--min-confidence', member: 'minConfidence' },
  unknown: { option: '--unknown', member: 'unknown' },
  unreachable: { option: '--unreachable', member: 'unreachable' },
} as const satisfies Record<
  Exclude<keyof PolicyFlags, 'policy'>,
  { readonly option: string; readonly member: keyof Policy }
>;

/** Reads the policy from the options of a command. @throws CliError for an invalid policy */
function readPolicy({ policy: file, ...flags }: PolicyFlags): Policy {
  const fromFile = file === undefined ? {} : readPolicyFile(file);
  const fromOptions = Object.entries(MEMBERS).flatMap(([name, { option, member }]) => {
    const value = flags[name as keyof typeof MEMBERS];
    if (value === undefined) return [];
    // Each option is checked alone, so that the message can name it.
    checkPolicy({ [member]: value }, (message) => message.replace(`policy.${member}`, option));
    return [[member, value] as const];
  });
  return checkPolicy({ ...fromFile, ...Object.fromEntries(fromOptions) }, (message) => message);
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
