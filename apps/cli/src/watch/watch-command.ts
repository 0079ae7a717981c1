import { Command } from 'commander';
import type { Presentation } from '../buy/buy-and-print.ts';
import { createBuyingCommands } from '../buy/buy-command.ts';
import type { CommandTools } from '../command-tools.ts';
import { listServiceOptions } from '../service/service-options.ts';
import { createEventsCommand } from './events-command.ts';
import {
  findStoredWatch,
  getWatchFile,
  readWatchId,
  receivedCreatedSchema,
  receivedRenewedSchema,
  storeWatch,
} from './owned-watch.ts';
import {
  createCancelCommand,
  createEditCommand,
  createListCommand,
  createShowCommand,
} from './owner-commands.ts';
import { formatCreated, formatRenewed } from './watch-text.ts';

export function createWatchCommand(tools: CommandTools): Command {
  const [create, ...others] = createBuyingCommands('watch', PRESENTATIONS, tools);
  const command = new Command('watch').description(
    'Buys alerts on changes and outages of an endpoint, and reads them.',
  );
  const commands = [
    ...(create === undefined ? [] : [create]),
    createEventsCommand(tools),
    createShowCommand(tools),
    createEditCommand(tools),
    ...others,
    createCancelCommand(tools),
    createListCommand(tools),
  ];
  for (const each of commands) command.addCommand(each);
  return command;
}

const PRESENTATIONS: Readonly<Record<string, Presentation>> = {
  createWatch: {
    help: `
Watch
  For 30 days, the endpoint is probed every 5 minutes, and every change of the
  chosen types is an alert. Alerts can be read with touchstone watch events.
  --webhook and --slack also send them to URLs, which are tested before the
  payment. The command stores the secret of the watch and prints it once.
`,
    exitCodes: `
  0  bought and stored
  2  not bought, or bought but not stored; the message has the reason`,
    readResult: (json, { service, command, host: { env } }) => {
      const { data: watch } = receivedCreatedSchema.safeParse(json);
      if (watch === undefined) return null;
      const { watch_id: id, secret, webhook_secret, endpoint } = watch;
      return {
        toText: (style) => formatCreated(watch, style),
        keep: () => storeWatch(env, { service: service.origin, id, secret, webhook_secret, endpoint }),
        hint: [
          `The secrets are stored in ${getWatchFile(env, id)}`,
          `Read the events:  touchstone watch events ${id} --follow`,
          `Show its state:   touchstone watch show ${id}`,
          `Add 30 days:      ${['touchstone watch renew', ...listServiceOptions(command), id].join(' ')}`,
        ].join('\n'),
      };
    },
  },
  renewWatch: {
    help: `
Renewal
  A renewal adds 30 days to the end of the watch, or to now if it has expired. A
  watch can be renewed until 7 days after its end. It needs the id of the watch,
  and no secret. Without --service, it is bought from the service of the stored
  watch.
`,
    checkArgument: readWatchId,
    findDefaultService: (id, env) => findStoredWatch(env, id)?.service,
    readResult: (json) => {
      const { data } = receivedRenewedSchema.safeParse(json);
      return data === undefined ? null : { toText: (style) => formatRenewed(data, style) };
    },
  },
};
