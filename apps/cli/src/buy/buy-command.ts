import { Command, Option } from 'commander';
import {
  historyRequestSchema,
  historySchema,
  semanticSearchRequestSchema,
  similarRequestSchema,
  type TrustReport,
  trustReportSchema,
  trustRequestSchema,
} from '@touchstone/contract';
import type { CommandTools } from '../command-tools.ts';
import { CliError } from '../cli-error.ts';
import type { TextStyle } from '../terminal/text-style.ts';
import { addBuyOptions, BUY_HELP, validateInput } from './buy-options.ts';
import { formatSimilarLine, readNumber } from '../service/service-options.ts';
import { formatTrustReport } from '../results/trust-text.ts';
import type { buyAndPrint } from './buy-and-print.ts';
import { formatHistory } from '../results/history-text.ts';
import {
  formatSearch,
  formatSimilar,
  type ReceivedSearch,
  receivedSearchSchema,
  type ReceivedSimilar,
  receivedSimilarSchema,
} from '../results/list-text.ts';

const TRUST_HELP = `${BUY_HELP}
Exit codes
  0  bought; all figures agree, and the service signed the report
  1  bought, but a figure differs, the signature is not by the service, or the
     report is about another endpoint
  2  not bought, or bought but not verified; the message has the reason

Examples
  touchstone buy trust --sandbox https://skyfall.sandbox.test/v2/current
  touchstone buy trust --service https://touchstone.example --max-usd 0.01 https://api.example.com/v1/weather
  touchstone buy trust --yes --json https://api.example.com/v1/weather | jq .recommendation`;

/** Buys a product. Loads the wallet libraries, which load slowly, only for a purchase. */
export async function buyProduct<T>(...purchase: Parameters<typeof buyAndPrint<T>>): Promise<void> {
  const { buyAndPrint } = await import('./buy-and-print.ts');
  await buyAndPrint(...purchase);
}

/** Creates `touchstone buy`, which buys results of a Touchstone service. */
export function createBuyCommand(tools: CommandTools): Command {
  return new Command('buy')
    .description('Buys a trust report with a wallet through x402.')
    .addCommand(createTrustCommand(tools));
}

function createTrustCommand(tools: CommandTools): Command {
  const command = new Command('trust')
    .description('Buys the trust report of an endpoint, verifies it and prints it.')
    .argument('<url>', 'full URL of the endpoint, as directories list it')
    .addOption(
      new Option('--detail <level>', 'full also lists the passed compliance checks').choices(['full']),
    );
  return addBuyOptions(command)
    .addHelpText('after', TRUST_HELP)
    .action(async (resource: string, { detail }: { readonly detail?: string }, self: Command) => {
      const { stdin } = tools.host;
      const product = {
        path: '/v1/x402-trust',
        query: detail === undefined ? {} : { detail },
        input: validateInput(trustRequestSchema, { resource }),
        name: 'a trust report',
        description: `a trust report on ${resource}`,
        schema: trustReportSchema,
        toText: formatTrustReport,
        verify: async (value: unknown, service: URL) => {
          const { verifyBoughtReport } = await import('./buy-and-print.ts');
          return verifyBoughtReport(value, { service, resource, stdin });
        },
        toHint: ({ recommendation }: TrustReport) =>
          recommendation === 'avoid' || recommendation === 'caution'
            ? `Find alternatives: ${formatSimilarLine(resource, self)}`
            : null,
      };
      await buyProduct(product, self, tools);
    });
}

const HISTORY_HELP = `${BUY_HELP}
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
    .addHelpText('after', HISTORY_HELP)
    .action(async (resource: string, { days, resolution }: HistoryOptions, self: Command) => {
      const product = {
        path: '/v1/x402-history',
        query: resolution === undefined ? {} : { resolution },
        input: validateInput(historyRequestSchema, { resource, days }),
        name: 'a history',
        description: `the history of ${resource}, ${days} days`,
        schema: historySchema,
        toText: formatHistory,
      };
      await buyProduct(product, self, tools);
    });
}

function readDays(text: string): number {
  if (!/^\d{1,2}$/.test(text))
    throw new CliError(`--days must be a whole number from 1 to 90; received ${text}.`);
  return Number(text);
}

const SEARCH_HELP = `
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
    .addHelpText('after', SEARCH_HELP)
    .action(async (query: string, { limit }: { readonly limit?: number | string }, self: Command) => {
      const input = validateInput(semanticSearchRequestSchema, {
        query,
        ...(limit === undefined ? {} : { limit }),
      });
      const product = {
        path: '/v1/semantic-search',
        input,
        name: 'a list of matches',
        description: `the endpoints that match "${input.query}", at most ${String(input.limit)}`,
        schema: receivedSearchSchema,
        toText: (value: ReceivedSearch, style: TextStyle) => formatSearch(value, input, style),
      };
      await buyProduct(product, self, tools);
    });
}

const SIMILAR_HELP = `
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
    .addHelpText('after', SIMILAR_HELP)
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
        input,
        name: 'a list of alternatives',
        description: `the alternatives to ${resource}, at most ${String(input.limit)}, each with at least ${String(input.minScoreDelta)} points more`,
        schema: receivedSimilarSchema,
        toText: (value: ReceivedSimilar, style: TextStyle) =>
          formatSimilar(value, { ...input, retryLine }, style),
      };
      await buyProduct(product, self, tools);
    });
}
