import { Option, type Command } from 'commander';

const DEFAULT_LIMIT = '0.05';
/** Base. */
export const DEFAULT_NETWORK = 'eip155:8453';

/** What all commands that buy something take. */
export interface BuyOptions {
  readonly service?: string;
  readonly sandbox?: true;
  readonly dataDir: string;
  readonly maxUsd: string;
  readonly network: string;
  readonly yes?: true;
  readonly json?: true;
  readonly color?: boolean;
}

/** Adds those options to a command. */
export function addBuyOptions(command: Command): Command {
  return command
    .addOption(new Option('--service <url>', 'the Touchstone service to buy from').env('TOUCHSTONE_SERVICE'))
    .option('--sandbox', 'buy with made-up dollars from the service that npm start runs on this machine')
    .addOption(
      new Option('--data-dir <folder>', 'data folder of that service').env('DATA_DIR').default('.touchstone'),
    )
    .addOption(
      new Option('--max-usd <amount>', 'the most to pay, in US dollars')
        .env('TOUCHSTONE_MAX_USD')
        .default(DEFAULT_LIMIT),
    )
    .addOption(
      new Option('--network <id>', 'the only network to pay on, as a CAIP-2 id')
        .env('TOUCHSTONE_NETWORK')
        .default(DEFAULT_NETWORK),
    )
    .option('--yes', 'pay up to the limit without asking')
    .option('--json', 'print the answer as it came, and all else to standard error');
}
