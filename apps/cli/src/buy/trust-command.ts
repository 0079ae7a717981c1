import { Command } from 'commander';
import { trustReportSchema, trustRequestSchema } from '@touchstone/contract';
import type { CommandTools } from '../run.ts';
import { BUY_HELP } from './help.ts';
import { addBuyOptions } from './options.ts';
import { readInput } from './read-input.ts';
import { trustText } from './trust-text.ts';
import { verifyBought } from './verify-bought.ts';

const HELP = `${BUY_HELP}
Exit codes
  0  bought, every figure agrees, and the service signed it
  1  bought, but a figure differs, the signature is not of the service, or the
     report is about something else
  2  not bought, or bought and not to be judged; the message says which

Examples
  touchstone buy trust --sandbox https://skyfall.sandbox.test/v2/current
  touchstone buy trust --service https://touchstone.example --max-usd 0.01 https://api.example.com/v1/weather
  touchstone buy trust --yes --json https://api.example.com/v1/weather | jq .recommendation`;

/** `touchstone buy`: buys what a Touchstone service sells, with a wallet. */
export function buyCommand(tools: CommandTools): Command {
  return new Command('buy')
    .description('Buys a trust report with a wallet, through x402.')
    .addCommand(trustCommand(tools));
}

function trustCommand(tools: CommandTools): Command {
  const command = new Command('trust')
    .description('Buys the trust report on an endpoint, checks it, and shows it.')
    .argument('<url>', 'full URL of the endpoint, as directories list it');
  return addBuyOptions(command)
    .addHelpText('after', HELP)
    .action(async (resource: string, _: unknown, self: Command) => {
      const { stdin } = tools.host;
      const ware = {
        path: '/v1/x402-trust',
        input: readInput(trustRequestSchema, { resource }),
        name: 'a trust report',
        what: `a trust report on ${resource}`,
        schema: trustReportSchema,
        toText: trustText,
        verify: (value: unknown, service: URL) => verifyBought(value, { service, resource, stdin }),
      };
      // Wallets and chains take long to load, which other commands need not wait for.
      const { showBought } = await import('./show-bought.ts');
      await showBought(ware, self, tools);
    });
}
