import { Command, Option } from 'commander';
import { NETWORK_DEFAULT, WALLET_HELP } from '../buy/buy-options.ts';
import type { CommandTools } from '../command-tools.ts';
import { splitList } from '../service/operation-command.ts';
import { addServiceOptions } from '../service/service-options.ts';

/** Default of --max-usd, in US dollars: the price of the most expensive tool. */
const DEFAULT_MAX_CALL_USD = '0.50';

const HELP = `
Paying
  A client of the server, such as an agent, can call its tools without a
  confirmation, so the limits are the only protection of the wallet. They hold
  for one run of the server: they begin at zero when a client starts the server
  again, and each window of a client can start its own server. Every signed
  payment counts, also one that the service refuses, because its signature can
  be settled until it expires. A call above a limit is rejected before anything
  is signed. Purchases run one after another. The server pays only in USDC, with
  one transfer of the price.

${WALLET_HELP}  Without a key, paid tools return their quote. --sandbox pays with the demo
  wallet of the sandbox.

  One payment buys one result. It is stored before it is sent, and deleted after
  its result was returned. When a call was cancelled or got no response, the
  same call gets the result of the stored payment within 24 hours.

  A result over 20,000 bytes is shortened for the agent. The whole result is
  stored in the folder results of the state folder, and the result names the file.

Standard output has only MCP messages. Messages on payments are on standard
error. The server ends when standard input ends.

Environment
  TOUCHSTONE_KEY, TOUCHSTONE_SERVICE, TOUCHSTONE_MAX_USD,
  TOUCHSTONE_MAX_TOTAL_USD, TOUCHSTONE_MAX_CALLS, TOUCHSTONE_NETWORK

Exit codes
  0  standard input ended
  2  not started; the message has the reason

Examples
  touchstone mcp --sandbox
  touchstone mcp --service https://touchstone.example --max-total-usd 2`;

export function createMcpCommand(tools: CommandTools): Command {
  const command = new Command('mcp').description(
    'Serves the tools of Touchstone to an agent over MCP, and pays within limits.',
  );
  return addServiceOptions(
    command,
    'use the service that npm start runs on this machine, with made-up dollars',
  )
    .addOption(
      new Option('--max-usd <amount>', 'maximum price of one call in US dollars')
        .env('TOUCHSTONE_MAX_USD')
        .default(DEFAULT_MAX_CALL_USD),
    )
    .addOption(
      new Option('--max-total-usd <amount>', 'maximum sum of the payments of one run in US dollars')
        .env('TOUCHSTONE_MAX_TOTAL_USD')
        .default('1'),
    )
    .addOption(
      new Option('--max-calls <n>', 'maximum number of payments of one run')
        .env('TOUCHSTONE_MAX_CALLS')
        .default('100'),
    )
    .addOption(
      new Option(
        '--network <ids>',
        `networks to pay on, as CAIP-2 ids with commas (default: ${NETWORK_DEFAULT})`,
      )
        .env('TOUCHSTONE_NETWORK')
        .argParser(splitList),
    )
    .addHelpText('after', HELP)
    .action(async (_options: object, self: Command) => {
      // `serve-mcp.ts` imports the MCP and the wallet libraries, and they load slowly. So it is loaded only when the
      // server starts.
      const { serveMcp } = await import('./serve-mcp.ts');
      await serveMcp(self, tools);
    });
}
