import { Command, Option } from 'commander';
import { historyRequestSchema, historySchema } from '@touchstone/contract';
import { CliError } from '../cli-error.ts';
import type { CommandTools } from '../run.ts';
import { addBuyOptions, BUY_HELP, validateInput } from './buy-options.ts';
import { formatHistory } from './output/history-text.ts';

const HELP = `${BUY_HELP}
Exit codes
  0  bought
  2  not bought, or the response is not a history that this version can read

Examples
  touchstone history --sandbox --days 14 https://skyfall.sandbox.test/v2/current
  touchstone history --yes --json https://api.example.com/v1/weather | jq '.snapshots[]'`;

interface HistoryOptions {
  readonly days: number;
  readonly resolution?: string;
}

/** Creates `touchstone history`, which buys the observations of one endpoint over time and draws them. */
export function createHistoryCommand(tools: CommandTools): Command {
  const command = new Command('history')
    .description('Buys the history of an endpoint with a wallet through x402, and draws it.')
    .argument('<url>', 'full URL of the endpoint, as directories list it')
    .addOption(new Option('--days <n>', 'days of history, 1 to 90').default(30).argParser(readDays))
    .addOption(new Option('--resolution <size>', 'daily leaves out the single probes').choices(['daily']));
  return addBuyOptions(command)
    .addHelpText('after', HELP)
    .action(async (resource: string, { days, resolution }: HistoryOptions, self: Command) => {
      const product = {
        path: '/v1/x402-history',
        query: resolution === undefined ? {} : { resolution },
        input: validateInput(historyRequestSchema, { resource, days }),
        name: 'a history',
        description: `the history of ${resource}, ${days} days`,
        schema: historySchema,
        toText: formatHistory,
        verify: null,
      };
      // This module imports the wallet libraries, which load slowly, so it is loaded only for a purchase.
      const { buyAndPrint } = await import('./buy-and-print.ts');
      await buyAndPrint(product, self, tools);
    });
}

function readDays(text: string): number {
  if (!/^\d{1,2}$/.test(text))
    throw new CliError(`--days must be a whole number from 1 to 90; received ${text}.`);
  return Number(text);
}
