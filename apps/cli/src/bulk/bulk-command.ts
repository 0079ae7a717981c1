import { BULK_SIZES } from '@touchstone/contract';
import type { Command } from 'commander';
import { addBuyOptions, formatBuyHelp } from '../buy/buy-options.ts';
import type { CommandTools } from '../command-tools.ts';
import { readFileOrStdin } from '../network/read-source.ts';
import { createOperationCommand, findOperationCommand } from '../service/operation-command.ts';
import { formatUsdc } from '../terminal/text.ts';
import { findBulkPrice, parseResources } from './plan-purchases.ts';

/** Lines with the price of each number of URLs. */
const PRICES = BULK_SIZES.map(
  (size) => `  up to ${String(size).padStart(3)} URLs  ${formatUsdc(findBulkPrice(size))}`,
);

const HELP = `
List
  One URL on each line, a JSON array of strings, or {"resources": [...]} as in
  the API. Empty lines and lines that begin with # are left out, and repeated
  URLs are bought once.

  The scores are the latest stored ones: no endpoint is probed. If none of the
  URLs of a purchase is in the catalog, it is not charged.

Prices
${PRICES.join('\n')}
  For up to 8 URLs, live reports cost less: touchstone buy trust, $0.005 each.
  For 11 to 40 URLs, lists of 10 cost less.
  A longer list needs several purchases, which are confirmed once with their
  total price. --max-usd is the limit of the total.
`;

const EXIT_CODES = `
  0  bought; in several purchases, also if some had no URL in the catalog
  2  not everything was bought, or a response is not one that this version can
     read; the message has the reason`;

/** Creates `touchstone bulk`, which buys the scores of a list of endpoints. */
export function createBulkCommand(tools: CommandTools): Command {
  const row = findOperationCommand('getTrustBulk10');
  return addBuyOptions(createOperationCommand(row), row.maxUsd)
    .addHelpText('after', formatBuyHelp(row, { help: HELP, exitCodes: EXIT_CODES }))
    .action(async (file: string, _options: object, self: Command) => {
      const resources = parseResources(await readFileOrStdin(file, tools.host));
      // This module imports the wallet libraries, which load slowly, so it is loaded only for a purchase.
      const { buyBulk } = await import('./buy-bulk.ts');
      await buyBulk(resources, self, tools);
    });
}
