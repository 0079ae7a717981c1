import { readFileSync } from 'node:fs';
import { DEFAULT_POLICY, toPolicy, type Action, type Policy } from '@touchstone/guard';
import { Option, type Command } from 'commander';
import { readNumber } from '../buy/read-number.ts';
import { CliError } from '../cli-error.ts';

/** Options that change the policy. */
export interface PolicyFlags {
  readonly policy?: string;
  readonly maxUsd?: string;
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
  const { maxPriceMultiple, unknown, unreachable } = DEFAULT_POLICY;
  return command
    .option('--max-usd <amount>', 'highest price in US dollars')
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

/** Reads the policy from the options of a command. @throws CliError for an invalid policy */
export function readPolicy({ policy: file, maxUsd, ...flags }: PolicyFlags): Policy {
  const { maxPriceMultiple, minGrade, minScore, minConfidence, unknown, unreachable } = flags;
  const options = {
    ...(file === undefined ? {} : readPolicyFile(file)),
    ...dropUndefined({
      maxPriceUsd: maxUsd,
      maxPriceMultiple,
      minGrade,
      minScore,
      minConfidence,
      unknown,
      unreachable,
    }),
  };
  try {
    // The file can contain any members. toPolicy() checks their names and values.
    return toPolicy(options);
  } catch (cause) {
    if (cause instanceof TypeError) throw new CliError(cause.message, { cause });
    throw cause;
  }
}

function readPolicyFile(file: string): object {
  try {
    const policy: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof policy === 'object' && policy !== null && !Array.isArray(policy)) return policy;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CliError(`--policy ${file} cannot be read: ${reason}`, { cause });
  }
  throw new CliError(`--policy ${file} must contain a JSON object.`);
}

function dropUndefined(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
