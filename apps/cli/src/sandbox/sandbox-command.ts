import { Argument, Command, Option } from 'commander';
import { z } from 'zod';
import { CliError, type CommandTools } from '../command-tools.ts';
import { parseOrNull } from '../json.ts';
import { openSandbox } from '../network/sandbox-file.ts';
import { sendRequest } from '../service/request.ts';
import { toPlainText } from '../terminal/text.ts';

const CHANGES = {
  payto: 'the challenge names another address that receives the payments',
  price: 'the price is ten times as high',
  asset: 'the payment is in a token of another network',
  challenge: 'the challenge cannot be read',
  listing: 'the endpoint leaves its directory',
  outage: 'each request gets status 503',
} as const;

const HELP = `
Changes
${Object.entries(CHANGES)
  .map(([name, text]) => `  ${name.padEnd(11)}${text}`)
  .join('\n')}

  A change applies at once and to one endpoint. Several changes can apply at the
  same time. A watched endpoint is probed every 5 minutes, so a watch reports a
  change within minutes. liveness_down takes as many probes as its sensitivity.

Exit codes
  0  done
  2  not done; the message has the reason

Examples
  touchstone sandbox change https://skyfall.sandbox.test/v2/current payto
  touchstone sandbox restore https://skyfall.sandbox.test/v2/current`;

interface SandboxOptions {
  readonly dataDir: string;
}

const changedSchema = z.object({ endpoint: z.string(), changes: z.array(z.string().max(64)).max(100) });
const errorSchema = z.object({ error: z.string() });

export function createSandboxCommand(tools: CommandTools): Command {
  const change = createSubcommand('change', 'Changes an endpoint of the sandbox, so that a watch reports it.')
    .addArgument(new Argument('<change>', 'change to make').choices(Object.keys(CHANGES)))
    .action(async (endpoint: string, name: string, options: SandboxOptions) => {
      const request = { method: 'PUT', body: JSON.stringify({ change: name }) };
      await tools.out.write(await changeEndpoint(endpoint, request, options));
    });
  const restore = createSubcommand('restore', 'Removes all changes of an endpoint.').action(
    async (endpoint: string, options: SandboxOptions) => {
      await tools.out.write(await changeEndpoint(endpoint, { method: 'DELETE' }, options));
    },
  );
  return new Command('sandbox')
    .description('Changes the endpoints of the sandbox that npm start runs on this machine.')
    .addCommand(change)
    .addCommand(restore);
}

function createSubcommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .argument('<url>', 'URL of an endpoint of the sandbox')
    .addOption(
      new Option('--data-dir <folder>', 'data folder of the service').env('DATA_DIR').default('.touchstone'),
    )
    .addHelpText('after', HELP);
}

/** Sends a change to the sandbox. @returns the changes of the endpoint, in one line */
async function changeEndpoint(
  endpoint: string,
  init: { readonly method: string; readonly body?: string },
  { dataDir }: SandboxOptions,
): Promise<string> {
  const { controlUrl } = await openSandbox(dataDir);
  const url = new URL('/changes', controlUrl);
  url.searchParams.set('endpoint', endpoint);
  const received = await sendRequest(url, init, 'sandbox');
  if ('error' in received) throw new CliError(`The sandbox did not respond: ${received.error}`);
  const body = parseOrNull(received.text);
  const changed = changedSchema.safeParse(body);
  if (received.status !== 200 || !changed.success) throw createRefusal(received.status, body);
  const names = changed.data.changes.map((name) => toPlainText(name));
  const state = names.length === 0 ? 'has no changes now' : `has these changes now: ${names.join(', ')}`;
  return `${toPlainText(changed.data.endpoint, 3_000)} ${state}.\n`;
}

function createRefusal(status: number, body: unknown): CliError {
  const { data } = errorSchema.safeParse(body);
  const reason =
    data === undefined ? `it responded with status ${String(status)}` : toPlainText(data.error, 500);
  return new CliError(`The sandbox changed nothing: ${reason}.`);
}
