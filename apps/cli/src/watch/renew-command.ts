import { Command } from 'commander';
import { addBuyOptions, BUY_HELP } from '../buy/buy-options.ts';
import type { CommandTools } from '../run.ts';
import { WATCH_MAX_USD } from './create-command.ts';
import { formatRenewed } from './watch-text.ts';
import { findStoredWatch, readWatchId } from './owned-watch.ts';
import { receivedRenewedSchema } from './request-watch.ts';

const HELP = `
Renewal
  A renewal adds 30 days to the end of the watch, or to now if it has expired. A
  watch can be renewed until 7 days after its end. It needs the id of the watch,
  and no secret. Without --service, it is bought from the service of the stored
  watch.
${BUY_HELP}
Exit codes
  0  bought
  2  not bought, or the response is not one that this version can read

Examples
  touchstone watch renew --sandbox w_k5xgq2dlmvzw433bnz2gs3tbme
  touchstone watch renew --yes w_k5xgq2dlmvzw433bnz2gs3tbme`;

/** Creates `touchstone watch renew`, which buys 30 more days of a watch. */
export function createRenewCommand(tools: CommandTools): Command {
  const command = new Command('renew')
    .description('Adds 30 days to a watch, paid with a wallet through x402.')
    .argument('<id>', 'id of the watch');
  return addBuyOptions(command, WATCH_MAX_USD)
    .addHelpText('after', HELP)
    .action(async (text: string, _options: object, self: Command) => {
      const id = readWatchId(text);
      const defaultService = findStoredWatch(tools.host.env, id)?.service;
      const product = {
        path: `/v1/watch/${id}/renew`,
        query: {},
        // The operation has no parameters in its body.
        input: {},
        name: 'a renewed watch',
        description: `30 more days of the watch ${id}`,
        schema: receivedRenewedSchema,
        toText: formatRenewed,
        verify: null,
        ...(defaultService === undefined ? {} : { defaultService }),
      };
      // This module imports the wallet libraries, which load slowly, so it is loaded only for a purchase.
      const { buyAndPrint } = await import('../buy/buy-and-print.ts');
      await buyAndPrint(product, self, tools);
    });
}
