import { Command } from 'commander';
import { CliError, type CommandTools } from '../command-tools.ts';
import { addRequestOptions } from '../lint/lint-command.ts';
import { lintEndpoint } from '../lint/lint-endpoint.ts';
import { openNetwork } from '../network/open-network.ts';
import { readUrl } from '../network/read-source.ts';
import { addServiceOptions, assertOneService, listServiceOptions } from '../service/service-options.ts';
import { createTextStyle } from '../terminal/text.ts';
import { checkEndpoint, type GuardResult, toExitCode } from './check-endpoint.ts';
import { formatJson, formatGuardResult } from './format-result.ts';
import { createServeCommand } from './serve/serve-command.ts';
import { addKeysOption, addPolicyOptions, openGuard, type OpenGuardOptions } from './open-guard.ts';

const HELP = `
Decision
  The command requests the payment terms of the endpoint without paying. It asks
  the service what it has observed at this URL, and verifies the signature of
  the statement. Then it compares: recommendation, wallet, token, network, and
  the price with the last 30 days. The query of the URL is not sent to the
  service. If the endpoint offers several payment options, the strictest
  decision counts, because a client may choose any of them.
  With --private, the service receives only one digit of a hash of the host.
  Imitations of known hosts are then not recognized.

Keys
  Without --keys, the service's own keys are fetched from it. That proves no
  more than the HTTPS connection does. In scripts, store the key set once, and
  give the file:
    curl -fo keys.json https://HOST/.well-known/touchstone-keys.json

Exit codes
  0  pay; warnings are printed
  1  do not pay; with --strict also for a warning
  2  no decision: the URL contains a placeholder, the endpoint sent no payment
     terms, the service could not be reached, or the arguments are invalid.
     With --json, action is null and problem is the reason

Examples
  touchstone guard --keys keys.json https://api.example.com/v1/weather && pay
  touchstone guard --min-grade B --max-usd 0.05 https://api.example.com/v1/x
  touchstone guard --json https://api.example.com/v1/weather | jq .action

Environment
  TOUCHSTONE_SERVICE`;

interface GuardCommandOptions extends OpenGuardOptions {
  readonly method?: string;
  readonly network?: string;
  readonly allowPrivate?: true;
  readonly ca?: string;
  readonly strict?: true;
  readonly json?: true;
  readonly color?: boolean;
}

export function createGuardCommand(tools: CommandTools): Command {
  const command = new Command('guard')
    .description('Decides if a payment to an x402 endpoint is safe. Pays nothing.')
    .argument('<url>', 'http or https URL of the endpoint');
  return addKeysOption(addRequestOptions(addPolicyOptions(addServiceOptions(command))))
    .option('--network <id>', 'check only the payment options on this network')
    .option('--strict', 'exit with 1 for a warning, too')
    .option('--json', 'print one JSON object')
    .addCommand(createServeCommand(tools))
    .addHelpText('after', HELP)
    .action(async (url: string, _: unknown, self: Command) => {
      assertOneService(self);
      const options = self.optsWithGlobals<GuardCommandOptions>();
      if (options.sandbox === true && options.allowPrivate === true)
        throw new CliError('Give --allow-private or --sandbox, not both.');
      await guard(url, self, tools);
    });
}

async function guard(text: string, command: Command, tools: CommandTools): Promise<void> {
  const { json, color, strict } = command.optsWithGlobals<GuardCommandOptions>();
  const isStrict = strict === true;
  const result = await (json === true ? checkOrExplain : check)(text, command, tools);
  const serviceArguments = listServiceOptions(command).join(' ');
  const style = { ...createTextStyle(tools.host, color), serviceArguments, isStrict };
  await tools.out.write(json === true ? `${formatJson(result)}\n` : formatGuardResult(result, style));
  if (json !== true && result.problem !== null) tools.printMessage(`No decision: ${result.problem}`);
  tools.setExitCode(toExitCode(result, isStrict));
}

/** Checks an endpoint. After an input error or a network error, the result has no decision and explains the problem. */
async function checkOrExplain(text: string, command: Command, tools: CommandTools): Promise<GuardResult> {
  try {
    return await check(text, command, tools);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const nothing = { response: null, options: [], obstacle: null, action: null, statement: null };
    return { ...nothing, url: URL.parse(text)?.href ?? null, problem: error.message };
  }
}

async function check(text: string, command: Command, tools: CommandTools): Promise<GuardResult> {
  const options = command.optsWithGlobals<GuardCommandOptions>();
  const { method, network, sandbox, dataDir, ca } = options;
  const allowPrivate = options.allowPrivate === true;
  const url = readUrl(text, { isPublic: !allowPrivate && sandbox !== true });
  const source = { stdin: tools.host.stdin, allowPrivate, caFile: ca, command: 'guard' };
  const opened = await openGuard(command, source);
  const sandboxDir = sandbox === true ? dataDir : undefined;
  const request = async () => {
    const access = await openNetwork(url, { allowPrivate, caFile: ca, sandboxDir, command: 'guard' });
    return lintEndpoint({ url, method, now: Date.now() }, access);
  };
  const service = options.private === true ? null : opened.service;
  return checkEndpoint({ ...opened, service, url, request, network });
}
