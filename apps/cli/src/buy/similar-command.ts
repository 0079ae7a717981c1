import { Command, Option } from 'commander';
import { similarRequestSchema } from '@touchstone/contract';
import type { CommandTools } from '../run.ts';
import type { TextStyle } from '../terminal/text-style.ts';
import { addBuyOptions, BUY_HELP, formatSimilarLine, readNumber, validateInput } from './buy-options.ts';
import { formatSimilar, type ReceivedSimilar, receivedSimilarSchema } from './output/list-text.ts';

const HELP = `
Alternatives
  An alternative is a listed endpoint on another host that is at least 50 %
  similar and has a higher score. Endpoints with the recommendation avoid are
  left out. Alternatives are ranked by similarity in whole percent, then by score.
${BUY_HELP}
Exit codes
  0  bought, also without any alternative
  2  not bought, or the response is not a list that this version can read

Examples
  touchstone similar --sandbox https://skyfall.sandbox.test/v2/current
  touchstone similar --yes --json https://api.example.com/v1/weather | jq -r '.alternatives[0].resource'`;

interface SimilarOptions {
  readonly limit?: number | string;
  readonly minScoreDelta?: number | string;
}

/** Creates `touchstone similar`, which buys a list of better endpoints with the same purpose. */
export function createSimilarCommand(tools: CommandTools): Command {
  const command = new Command('similar')
    .description('Finds better endpoints with the same purpose, paid with a wallet through x402.')
    .argument('<url>', 'full URL of the endpoint, as directories list it')
    .addOption(
      new Option('--limit <n>', 'maximum number of alternatives, 1 to 25 (default: 5)').argParser(readNumber),
    )
    .addOption(
      new Option(
        '--min-score-delta <n>',
        'points that an alternative must have more, 0 to 100 (default: 5)',
      ).argParser(readNumber),
    );
  return addBuyOptions(command)
    .addHelpText('after', HELP)
    .action(async (resource: string, options: SimilarOptions, self: Command) => {
      const { limit, minScoreDelta } = options;
      const input = validateInput(similarRequestSchema, {
        resource,
        ...(limit === undefined ? {} : { limit }),
        ...(minScoreDelta === undefined ? {} : { minScoreDelta }),
      });
      const retryLine = formatSimilarLine(resource, self, ['--min-score-delta', '0']);
      const product = {
        path: '/v1/similar',
        query: {},
        input,
        name: 'a list of alternatives',
        description: `the alternatives to ${resource}, at most ${String(input.limit)}, each with at least ${String(input.minScoreDelta)} points more`,
        schema: receivedSimilarSchema,
        toText: (value: ReceivedSimilar, style: TextStyle) =>
          formatSimilar(value, { ...input, retryLine }, style),
        verify: null,
      };
      // This module imports the wallet libraries, which load slowly, so it is loaded only for a purchase.
      const { buyAndPrint } = await import('./buy-and-print.ts');
      await buyAndPrint(product, self, tools);
    });
}
