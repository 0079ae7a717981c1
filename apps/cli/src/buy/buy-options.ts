import { type Command, Option } from 'commander';
import { formatIssue } from '@touchstone/contract';
import type { z } from 'zod';
import { CliError } from '../cli-error.ts';
import type { buyAndPrint } from './buy-and-print.ts';
import { readSandboxFile } from '../network/open-sandbox.ts';
import { readServiceUrl } from '../network/read-url.ts';
import { toPlainText } from '../terminal/plain-text.ts';

/** Default of --max-usd, in US dollars. A command with a higher price has its own default. */
const DEFAULT_MAX_USD = '0.05';
/** Default of --network without --sandbox: Base. */
export const DEFAULT_NETWORK = 'eip155:8453';

/** Description of the default of --network, for help texts. */
export const NETWORK_DEFAULT = `"${DEFAULT_NETWORK}"; with --sandbox, the network of the sandbox`;

/** Help text on payments, for every command that buys something. */
export const BUY_HELP = `
Paying
  The command first requests and shows the price. It signs nothing before you
  confirm the price on the terminal, or with --yes. It rejects a quote above the
  limit, on another network, in a token other than the network's USDC, for
  another URL, or for more than one transfer of the price.

  The wallet is the private key in the variable TOUCHSTONE_KEY. The key is never
  shown. It cannot be an argument, because other users of the machine can read
  arguments. Use a separate wallet that holds no more than you want to spend.
  --sandbox pays with the demo wallet of the sandbox.

  One payment buys one result. It is stored before it is sent, and deleted after
  its result was printed or it was refused without a charge. When no response
  arrives, the same payment is sent again a few times. The same command, run
  again within 24 hours, gets the result of the stored payment. Payments are in
  $XDG_STATE_HOME/touchstone (~/.local/state/touchstone). Only one run of the
  same command can buy at a time; other runs end with an error.

Environment
  TOUCHSTONE_KEY, TOUCHSTONE_SERVICE, TOUCHSTONE_MAX_USD, TOUCHSTONE_NETWORK
`;

/** Options that select the service. */
export interface ServiceOptions {
  readonly service?: string | undefined;
  readonly sandbox?: true;
  readonly dataDir: string;
}

/** Options of every command that buys something. */
export interface BuyOptions extends ServiceOptions {
  readonly maxUsd: string;
  readonly network?: string;
  readonly yes?: true;
  readonly json?: true;
  readonly color?: boolean;
}

/** @throws CliError for a command line with both --service and --sandbox */
export function assertOneService(command: Command): void {
  const { sandbox } = command.optsWithGlobals<ServiceOptions>();
  if (sandbox === true && command.getOptionValueSource('service') === 'cli')
    throw new CliError('Give --service or --sandbox, not both.');
}

/** Returns the URL of the service that the options select. @throws CliError without a service */
export function findServiceUrl({ service, sandbox, dataDir }: ServiceOptions): URL {
  if (sandbox === true) return readServiceUrl(readSandboxFile(dataDir).serviceUrl);
  if (service !== undefined) return readServiceUrl(service);
  throw new CliError(
    'No service is configured. Give the URL of a Touchstone service with --service or TOUCHSTONE_SERVICE, ' +
      'or use --sandbox for the service of npm start.',
  );
}

/** Adds the options of `ServiceOptions` to a command. @param sandboxHelp help text of --sandbox */
export function addServiceOptions(
  command: Command,
  sandboxHelp = 'use the service that npm start runs on this machine',
): Command {
  return command
    .addOption(new Option('--service <url>', 'URL of the Touchstone service').env('TOUCHSTONE_SERVICE'))
    .option('--sandbox', sandboxHelp)
    .addOption(
      new Option('--data-dir <folder>', 'data folder of that service').env('DATA_DIR').default('.touchstone'),
    );
}

/** Buys a product. Loads the wallet libraries, which load slowly, only for a purchase. */
export async function buyProduct<T>(...purchase: Parameters<typeof buyAndPrint<T>>): Promise<void> {
  const { buyAndPrint } = await import('./buy-and-print.ts');
  await buyAndPrint(...purchase);
}

/** Adds the options of `BuyOptions` to a command. @param maxUsd default of --max-usd, in US dollars */
export function addBuyOptions(command: Command, maxUsd = DEFAULT_MAX_USD): Command {
  const sandboxHelp = 'buy with made-up dollars from the service that npm start runs on this machine';
  return addServiceOptions(command, sandboxHelp)
    .addOption(
      new Option('--max-usd <amount>', 'maximum price in US dollars')
        .env('TOUCHSTONE_MAX_USD')
        .default(maxUsd),
    )
    .addOption(
      new Option(
        '--network <id>',
        `only network to pay on, as a CAIP-2 id (default: ${NETWORK_DEFAULT})`,
      ).env('TOUCHSTONE_NETWORK'),
    )
    .option('--yes', 'pay up to the limit without confirmation')
    .option('--json', 'print the response unchanged, and all messages to standard error');
}

/**
 * Parses the value of a number option. Any other text is returned unchanged, so that the schema of the request rejects
 * it with the expected range.
 */
export function readNumber(text: string): number | string {
  return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text;
}

/**
 * Validates a request body with the schema of the service before anything is paid.
 *
 * @throws CliError that describes the first mistake
 */
export function validateInput<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const message = issue === undefined ? 'The request is not valid.' : formatIssue(issue, input);
  throw new CliError(toPlainText(message, 300));
}

/** Options that select the service and the wallet. A command on the same service repeats them. */
const SERVICE_OPTIONS = [
  { attribute: 'sandbox', flag: '--sandbox' },
  { attribute: 'dataDir', flag: '--data-dir' },
  { attribute: 'service', flag: '--service' },
] as const;

/** Characters that no shell interprets. */
const SAFE_WORD = /^[\w./:@%+=,-]+$/;

/**
 * Formats the command line that buys the alternatives to an endpoint from the same service. Environment variables stay
 * set, so only the options of this command line are repeated.
 *
 * @param command command of this run
 * @param options further options with their values
 */
export function formatSimilarLine(
  resource: string,
  command: Command,
  options: readonly string[] = [],
): string {
  return ['touchstone similar', ...options, ...listServiceOptions(command), quote(resource)].join(' ');
}

/** Lists the words of a command line that select the same service as the command line of this run. */
export function listServiceOptions(command: Command): readonly string[] {
  return SERVICE_OPTIONS.flatMap(({ attribute, flag }) => {
    if (command.getOptionValueSource(attribute) !== 'cli') return [];
    const value: unknown = command.getOptionValue(attribute);
    return typeof value === 'string' ? [flag, quote(value)] : [flag];
  });
}

/** Quotes a word for a POSIX shell or PowerShell. A URL with `&` would otherwise start a second command. */
export function quote(word: string): string {
  return SAFE_WORD.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
