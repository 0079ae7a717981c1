import { Command } from 'commander';
import { watchCreateRequestSchema } from '@touchstone/contract';
import type { CommandTools } from '../command-tools.ts';
import { addBuyOptions, BUY_HELP, validateInput } from '../buy/buy-options.ts';
import { buyProduct } from '../buy/buy-command.ts';
import { listServiceOptions } from '../service/service-options.ts';
import { createEventsCommand } from './events-command.ts';
import {
  createCancelCommand,
  createEditCommand,
  createListCommand,
  createShowCommand,
} from './owner-commands.ts';
import { formatCreated, formatRenewed } from './watch-text.ts';
import { type ReceivedCreated, receivedCreatedSchema, receivedRenewedSchema } from './request-watch.ts';
import { findStoredWatch, getWatchFile, readWatchId, storeWatch } from './owned-watch.ts';
import { addSettingsOptions, type SettingsOptions, toSettings } from './watch-options.ts';

/** Creates `touchstone watch`, which buys alerts on an endpoint and reads them. */
export function createWatchCommand(tools: CommandTools): Command {
  return new Command('watch')
    .description('Buys alerts on changes and outages of an endpoint, and reads them.')
    .addCommand(createCreateCommand(tools))
    .addCommand(createEventsCommand(tools))
    .addCommand(createShowCommand(tools))
    .addCommand(createEditCommand(tools))
    .addCommand(createRenewCommand(tools))
    .addCommand(createCancelCommand(tools))
    .addCommand(createListCommand(tools));
}

/** Default of --max-usd for a watch, in US dollars: its price. */
const WATCH_MAX_USD = '0.20';

const CREATE_HELP = `
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
function createCreateCommand(tools: CommandTools): Command {
  const command = new Command('create')
    .description('Buys alerts on an endpoint for 30 days, paid with a wallet through x402.')
    .argument('<url>', 'full URL of the endpoint, as directories list it');
  return addBuyOptions(addSettingsOptions(command), WATCH_MAX_USD)
    .addHelpText('after', CREATE_HELP)
    .action(async (endpoint: string, options: SettingsOptions, self: Command) => {
      const { env } = tools.host;
      const input = { endpoint, ...toSettings(options) };
      validateInput(watchCreateRequestSchema, input);
      const product = {
        path: '/v1/watch-endpoint-30d',
        input,
        name: 'a watch',
        description: `a watch on ${endpoint} for 30 days`,
        schema: receivedCreatedSchema,
        toText: formatCreated,
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
      await buyProduct(product, self, tools);
    });
}

const RENEW_HELP = `
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
function createRenewCommand(tools: CommandTools): Command {
  const command = new Command('renew')
    .description('Adds 30 days to a watch, paid with a wallet through x402.')
    .argument('<id>', 'id of the watch');
  return addBuyOptions(command, WATCH_MAX_USD)
    .addHelpText('after', RENEW_HELP)
    .action(async (text: string, _options: object, self: Command) => {
      const id = readWatchId(text);
      const defaultService = findStoredWatch(tools.host.env, id)?.service;
      const product = {
        path: `/v1/watch/${id}/renew`,
        // The operation has no parameters in its body.
        input: {},
        name: 'a renewed watch',
        description: `30 more days of the watch ${id}`,
        schema: receivedRenewedSchema,
        toText: formatRenewed,
        ...(defaultService === undefined ? {} : { defaultService }),
      };
      await buyProduct(product, self, tools);
    });
}
