import { formatCount, formatUsd } from '@touchstone/common';
import { BULK_SIZES, chooseBulkSize, findOperation, toBulkPath } from '@touchstone/contract';
import type { Command } from 'commander';
import { addBuyOptions, formatBuyHelp } from '../buy/buy-options.ts';
import type { CommandTools } from '../command-tools.ts';
import { readFileOrStdin } from '../network/read-source.ts';
import { createOperationCommand, findOperationCommand } from '../service/operation-command.ts';
import { readBulk } from './bulk-text.ts';
import { parseResources } from './parse-resources.ts';

const PRICES = BULK_SIZES.map(
  (size) =>
    `  up to ${String(size).padStart(3)} URLs  ${formatUsd(findOperation('POST', toBulkPath(size))?.priceUsd ?? '')}`,
);

const HELP = `
List
  One URL on each line, a JSON array of strings, or {"resources": [...]} as in
  the API. Empty lines and lines that begin with # are left out, and repeated
  URLs are bought once.

  The scores are the latest in the database, without live probes. If none of
  the URLs of a purchase is in the catalog, nothing is charged.

Prices
${PRICES.join('\n')}
  For up to 8 URLs, live reports cost less: touchstone buy trust, $0.005 each.
  For 11 to 40 URLs, lists of 10 cost less.
  Divide a longer list, for example with split -l 500.
`;

export function createBulkCommand(tools: CommandTools): Command {
  const row = findOperationCommand('getTrustBulk10');
  return addBuyOptions(createOperationCommand(row), row.maxUsd)
    .addHelpText('after', formatBuyHelp(row, { help: HELP }))
    .action(async (file: string, _options: object, self: Command) => {
      const resources = parseResources(await readFileOrStdin(file, tools.host));
      const purchase = {
        name: 'a list of scores of these URLs',
        description: `the trust scores of ${formatCount(resources.length, 'endpoint')}`,
        path: toBulkPath(chooseBulkSize(resources.length)),
        input: { resources },
        values: { resources },
        presentation: { readResult: readBulk },
        defaultService: undefined,
      };
      // `buy-and-print.ts` imports the wallet libraries, and they load slowly. So it is loaded only for a purchase.
      const { buyAndPrint } = await import('../buy/buy-and-print.ts');
      await buyAndPrint(purchase, self, tools);
    });
}
