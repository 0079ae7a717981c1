import { Command, Option } from 'commander';
import { semanticSearchRequestSchema } from '@touchstone/contract';
import type { CommandTools } from '../run.ts';
import type { TextStyle } from '../terminal/text-style.ts';
import { addBuyOptions, BUY_HELP, readNumber, validateInput } from './buy-options.ts';
import { formatSearch, type ReceivedSearch, receivedSearchSchema } from './output/list-text.ts';

const HELP = `
Ranking
  Matches are ranked by similarity in whole percent, then by score. Endpoints
  less than 50 % similar are left out. A match is no recommendation: buy the trust
  report of an endpoint before you pay it.
${BUY_HELP}
Exit codes
  0  bought, also without any match
  2  not bought, or the response is not a list that this version can read

Examples
  touchstone search --sandbox "current weather for a city"
  touchstone search --yes --json --limit 5 "translate text" | jq -r '.matches[].resource'`;

/** Creates `touchstone search`, which buys a list of the endpoints that match a description. */
export function createSearchCommand(tools: CommandTools): Command {
  const command = new Command('search')
    .description('Finds endpoints by what they do, paid with a wallet through x402.')
    .argument('<query>', 'what the endpoint should do, in at most 500 characters')
    .addOption(
      new Option('--limit <n>', 'maximum number of matches, 1 to 25 (default: 25)').argParser(readNumber),
    );
  return addBuyOptions(command)
    .addHelpText('after', HELP)
    .action(async (query: string, { limit }: { readonly limit?: number | string }, self: Command) => {
      const input = validateInput(semanticSearchRequestSchema, {
        query,
        ...(limit === undefined ? {} : { limit }),
      });
      const product = {
        path: '/v1/semantic-search',
        query: {},
        input,
        name: 'a list of matches',
        description: `the endpoints that match "${input.query}", at most ${String(input.limit)}`,
        schema: receivedSearchSchema,
        toText: (value: ReceivedSearch, style: TextStyle) => formatSearch(value, input, style),
        verify: null,
      };
      // This module imports the wallet libraries, which load slowly, so it is loaded only for a purchase.
      const { buyAndPrint } = await import('./buy-and-print.ts');
      await buyAndPrint(product, self, tools);
    });
}
