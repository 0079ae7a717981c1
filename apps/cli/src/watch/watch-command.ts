import { Command } from 'commander';
import type { CommandTools } from '../run.ts';
import { createCreateCommand } from './create-command.ts';
import { createEventsCommand } from './events-command.ts';
import {
  createCancelCommand,
  createEditCommand,
  createListCommand,
  createShowCommand,
} from './owner-commands.ts';
import { createRenewCommand } from './renew-command.ts';

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
