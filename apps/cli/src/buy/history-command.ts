import { Command, Option } from 'commander';
import { historyRequestSchema, historySchema } from '@touchstone/contract';
import type { CommandTools } from '../run.ts';
import { CliError } from '../cli-error.ts';
import { BUY_HELP } from './help.ts';
import { historyText } from './history-text.ts';
import { addBuyOptions } from './options.ts';
import { readInput } from './read-input.ts';

const HELP = `${BUY_HELP}
Exit codes
  0  bought
  2  not bought, or not a history as this version knows it

Examples
  touchstone history --sandbox --days 14 https://skyfall.sandbox.test/v2/current
  touchstone history --yes --json https://api.example.com/v1/weather | jq '.snapshots[]'`;

/** `touchstone history`: buys what was seen of one endpoint over time, and draws it. */
export function historyCommand(tools: CommandTools): Command {
  const command = new Command('history')
    .description('Buys the history of an endpoint with a wallet, through x402, and draws it.')
    .argument('<url>', 'full URL of the endpoint, as directories list it')
    .addOption(
      new Option('--days <n>', 'how many days to look back, 1 to 90').default(30).argParser(readDays),
    );
  return addBuyOptions(command)
    .addHelpText('after', HELP)
    .action(async (resource: string, { days }: { readonly days: number }, self: Command) => {
      const ware = {
        path: '/v1/x402-history',
        input: readInput(historyRequestSchema, { resource, days }),
        name: 'a history',
        what: `the history of ${resource}, ${days} days`,
        schema: historySchema,
        toText: historyText,
        verify: null,
      };
      // Wallets and chains take long to load, which other commands need not wait for.
      const { showBought } = await import('./show-bought.ts');
      await showBought(ware, self, tools);
    });
}

function readDays(text: string): number {
  if (!/^\d{1,2}$/.test(text)) throw new CliError(`--days ${text}: give a whole number from 1 to 90.`);
  return Number(text);
}
