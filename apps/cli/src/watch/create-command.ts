import { watchCreateRequestSchema } from '@touchstone/contract';
import { Command } from 'commander';
import { addBuyOptions, BUY_HELP, listServiceOptions, validateInput } from '../buy/buy-options.ts';
import type { CommandTools } from '../run.ts';
import { formatCreated } from './watch-text.ts';
import { type ReceivedCreated, receivedCreatedSchema } from './request-watch.ts';
import { getWatchFile, storeWatch } from './owned-watch.ts';
import { addSettingsOptions, toSettings, type SettingsOptions } from './watch-options.ts';

/** Default of --max-usd for a watch, in US dollars: its price. */
export const WATCH_MAX_USD = '0.20';

const HELP = `
Watch
  For 30 days, the endpoint is probed every 5 minutes, and every change of the
  chosen types is an alert. Alerts can be read with touchstone watch events.
  --webhook and --slack also send them to URLs, which are tested before the
  payment. The command stores the secret of the watch and prints it once.
${BUY_HELP}
Exit codes
  0  bought and stored
  2  not bought, or bought but not stored; the message has the reason

Examples
  touchstone watch create --sandbox https://skyfall.sandbox.test/v2/current
  touchstone watch create --webhook https://hooks.example.com/alerts --events payto_change,price_change https://api.example.com/v1/weather`;

/** Creates `touchstone watch create`, which buys a watch and stores its secret. */
export function createCreateCommand(tools: CommandTools): Command {
  const command = new Command('create')
    .description('Buys alerts on an endpoint for 30 days, paid with a wallet through x402.')
    .argument('<url>', 'full URL of the endpoint, as directories list it');
  return addBuyOptions(addSettingsOptions(command), WATCH_MAX_USD)
    .addHelpText('after', HELP)
    .action(async (endpoint: string, options: SettingsOptions, self: Command) => {
      const { env } = tools.host;
      const input = { endpoint, ...toSettings(options) };
      validateInput(watchCreateRequestSchema, input);
      const product = {
        path: '/v1/watch-endpoint-30d',
        query: {},
        input,
        name: 'a watch',
        description: `a watch on ${endpoint} for 30 days`,
        schema: receivedCreatedSchema,
        toText: formatCreated,
        verify: null,
        keep: (watch: ReceivedCreated, service: URL) =>
          storeWatch(env, {
            service: service.origin,
            id: watch.watch_id,
            secret: watch.secret,
            webhook_secret: watch.webhook_secret,
            endpoint: watch.endpoint,
          }),
        toHint: ({ watch_id: id }: ReceivedCreated) =>
          [
            `The secrets are stored in ${getWatchFile(env, id)}`,
            `Read the events:  touchstone watch events ${id} --follow`,
            `Show its state:   touchstone watch show ${id}`,
            `Add 30 days:      ${['touchstone watch renew', ...listServiceOptions(self), id].join(' ')}`,
          ].join('\n'),
      };
      // This module imports the wallet libraries, which load slowly, so it is loaded only for a purchase.
      const { buyAndPrint } = await import('../buy/buy-and-print.ts');
      await buyAndPrint(product, self, tools);
    });
}
