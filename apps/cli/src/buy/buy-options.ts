import type { OperationCommand } from '@touchstone/contract';
import { DEFAULT_NETWORK } from '@touchstone/x402/networks';
import { type Command, Option } from 'commander';
import { addServiceOptions, type ServiceOptions } from '../service/service-options.ts';

/** Default of --max-usd, in US dollars. A command with a higher price has its own default. */
const DEFAULT_MAX_USD = '0.05';
/** Description of the default of --network, for help texts. */
export const NETWORK_DEFAULT = `"${DEFAULT_NETWORK}"; with --sandbox, the network of the sandbox`;

/** Help text on the wallet, for every command that pays. */
export const WALLET_HELP = `
  The wallet is the private key in the variable TOUCHSTONE_KEY. The key is never
  shown. It cannot be an argument, because other users of the machine can read
  arguments. Use a separate wallet that holds no more than you want to spend.
`.slice(1);

/** Help text on payments, for every command that buys something. */
const PAYING_HELP = `
Paying
  The command first requests and shows the price. It signs nothing before you
  confirm the price on the terminal, or with --yes. It rejects a quote above the
  limit, on another network, in a token other than the network's USDC, for
  another URL, or for more than one transfer of the price.

${WALLET_HELP}  --sandbox pays with the demo wallet of the sandbox.

  One payment buys one result. It is stored before it is sent, and deleted after
  its result was printed or it was refused without a charge. When no response
  arrives, the same payment is sent again a few times. The same command, run
  again within 24 hours, gets the result of the stored payment. Payments are in
  $XDG_STATE_HOME/touchstone (~/.local/state/touchstone). Only one run of the
  same command can buy at a time; other runs end with an error.

Environment
  TOUCHSTONE_KEY, TOUCHSTONE_SERVICE, TOUCHSTONE_MAX_USD, TOUCHSTONE_NETWORK
`;

/** Parts of the help text that differ between the buying commands. */
export interface BuyHelp {
  /** Sections of the help text before the section on payments. */
  readonly help?: string;
  /** Help text on the exit codes. */
  readonly exitCodes?: string;
}

const EXIT_CODES = `
  0  bought
  2  not bought, or the response is not one that this version can read`;

export function formatBuyHelp(
  { examples }: Pick<OperationCommand, 'examples'>,
  { help = '', exitCodes = EXIT_CODES }: BuyHelp,
): string {
  const lines = examples.map((example) => `\n  ${example}`).join('');
  return `${help}${PAYING_HELP}\nExit codes${exitCodes}\n\nExamples${lines}`;
}

export interface BuyOptions extends ServiceOptions {
  readonly maxUsd: string;
  readonly network?: string;
  readonly yes?: true;
  readonly json?: true;
  readonly color?: boolean;
}

/** Adds the options of `BuyOptions` to a command. @param maxUsd default of --max-usd, in US dollars; null for $0.05 */
export function addBuyOptions(command: Command, maxUsd: string | null): Command {
  const sandboxHelp = 'buy with made-up dollars from the service that npm start runs on this machine';
  return addServiceOptions(command, sandboxHelp)
    .addOption(
      new Option('--max-usd <amount>', 'maximum price in US dollars')
        .env('TOUCHSTONE_MAX_USD')
        .default(maxUsd ?? DEFAULT_MAX_USD),
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
