import { METHODS } from '@touchstone/check';
import { STACKS, type Stack } from '@touchstone/x402';
import { Command, Option } from 'commander';
import { CliError, type CommandTools } from '../command-tools.ts';
import { openNetwork } from '../network/open-network.ts';
import { readUrl } from '../network/read-source.ts';
import { createTextStyle, DEFAULT_WIDTH } from '../terminal/text.ts';
import { formatJson } from './format-json.ts';
import { formatLintResult } from './format-result.ts';
import { formatSarif, type PlacedResult } from './format-sarif.ts';
import { lintEndpoint } from './lint-endpoint.ts';
import { FAIL_ON, type FailOn, type LintResult, toExitCode } from './lint-result.ts';
import { lintSaved, type PrintResult } from './lint-saved.ts';

const HELP = `
Exit codes
  0  every response is payable, and no check failed with an error (--fail-on)
  1  a response is not payable, or a check failed with an error. A response is
     also not payable if the signed payment would fail or be lost. --fail-on
     warning also counts warnings; --fail-on unpayable counts no failed checks
  2  not everything could be checked: invalid arguments, an unreadable file or
     invalid lines in it, an address that is not allowed, no network connection,
     or a status that does not show if payment is required (401, 429 and others)

Saved responses (--file)
  One JSON object, or one on each line:
    {"url": "https://…", "method": "GET", "status": 402,
     "headers": {"name": "value"}, "body": "…"}
  Headers may also be a list of [name, value] pairs, or of {name, value} objects
  as in HTTP archives. The body may also be null, a JSON object or a list.
  Optional members: "at", the time of the response (ISO 8601); "bodyTruncated",
  true when the end of the body is missing, or "bodyEnd", how the body ended
  (complete, size-limit, too-long, deadline, closed or undecodable);
  "redirects", the followed redirects as {"status", "url"} objects;
  "interimStatuses", a list of 1xx statuses; and "listing", the directory item
  of the endpoint. Unknown members, and optional members with an invalid value,
  are ignored with a remark.

Examples
  touchstone lint https://api.example.com/v1/weather
  touchstone lint --allow-private http://localhost:8080/paid
  touchstone lint --code hono https://api.example.com/v1/weather
  touchstone lint --json --file responses.jsonl | jq .verdict
  touchstone lint --sarif https://api.example.com/v1/weather > lint.sarif`;

interface LintOptions {
  readonly file?: string;
  readonly json?: true;
  readonly all?: true;
  readonly sarif?: true;
  /** Stack of the code; true for the stack that the headers name. */
  readonly code?: Stack | true;
  readonly method?: string;
  readonly failOn: FailOn;
  readonly allowPrivate?: true;
  readonly ca?: string;
  readonly sandbox?: true;
  readonly dataDir: string;
  readonly color?: boolean;
}

export function createLintCommand(tools: CommandTools): Command {
  return addOptions(new Command('lint'))
    .description('Checks the unpaid response of an x402 endpoint, and explains each mistake and its fix.')
    .argument('[url]', 'http or https URL of the endpoint')
    .addHelpText('after', HELP)
    .action(async (url: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<LintOptions>();
      if (options.sandbox !== true && command.getOptionValueSource('dataDir') === 'cli')
        throw new CliError('--data-dir is the data folder of a sandbox. Use it together with --sandbox.');
      await lint(url, options, tools);
    });
}

export function addRequestOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--method <method>', 'try this method only (default: GET, then POST)').argParser(readMethod),
    )
    .option('--allow-private', 'allow private addresses, for an endpoint on your own machine or network')
    .option('--ca <file>', 'also trust the certificate authorities in this PEM file');
}

function addOptions(command: Command): Command {
  const online = ['method', 'allowPrivate', 'ca', 'sandbox'];
  return addRequestOptions(command)
    .addOption(
      new Option('--file <path>', 'check saved responses instead; - reads standard input').conflicts(online),
    )
    .addOption(
      new Option('--json', 'print one JSON object for each response, with all checks').conflicts('all'),
    )
    .addOption(
      new Option('--sarif', 'print one SARIF 2.1.0 log of all failed checks, for code scanning').conflicts([
        ...['json', 'all', 'code'],
      ]),
    )
    .addOption(
      new Option(
        '--code [stack]',
        'print the repaired route as code (default: the stack that the headers name, else express)',
      ).choices(Object.keys(STACKS)),
    )
    .option('--all', 'print the requirements of passed checks, and list checks that did not apply')
    .addOption(
      new Option('--fail-on <fault>', 'mildest fault that leads to exit code 1')
        .choices(FAIL_ON)
        .default('error'),
    )
    .addOption(
      new Option('--sandbox', 'use the sandbox of a service that runs on this machine').conflicts(
        'allowPrivate',
      ),
    )
    .addOption(
      new Option('--data-dir <folder>', 'data folder of that service').env('DATA_DIR').default('.touchstone'),
    );
}

async function lint(url: string | undefined, options: LintOptions, tools: CommandTools): Promise<void> {
  const { printResult, finish } = createResultPrinter(options, tools);
  if (options.file !== undefined) {
    if (url !== undefined) throw new CliError('Give a URL or --file, not both.');
    tools.setExitCode(await lintSaved(options.file, { printResult, failOn: options.failOn }, tools));
    await finish();
    return;
  }
  if (url === undefined)
    throw new CliError('The URL of the endpoint is missing. Give a URL, or saved responses with --file.');
  const isPublic = options.allowPrivate !== true && options.sandbox !== true;
  const result = await lintUrl(readUrl(url, { isPublic }), options);
  await printResult(result, null);
  await finish();
  tools.setExitCode(toExitCode(result, options.failOn));
}

async function lintUrl(
  url: URL,
  { method, allowPrivate, ca, sandbox, dataDir }: LintOptions,
): Promise<LintResult> {
  const network = await openNetwork(url, {
    allowPrivate: allowPrivate === true,
    caFile: ca,
    sandboxDir: sandbox === true ? dataDir : undefined,
  });
  return lintEndpoint({ url, method, now: Date.now() }, network);
}

interface ResultPrinter {
  readonly printResult: PrintResult;
  /** Prints what concerns all results together. */
  readonly finish: () => Promise<void>;
}

function createResultPrinter(
  { json, all, sarif, code, color }: LintOptions,
  { host, out }: CommandTools,
): ResultPrinter {
  const nothing = () => Promise.resolve();
  if (sarif === true) return createSarifPrinter(out);
  if (json === true)
    return { printResult: (result) => out.write(`${formatJson(result, code)}\n`), finish: nothing };
  const style = { ...createTextStyle(host, color), all: all === true, code };
  let separator = '';
  const printResult: PrintResult = async (result) => {
    await out.write(separator + formatLintResult(result, style));
    separator = `\n${style.paint('dim', '─'.repeat(Math.min(style.width, DEFAULT_WIDTH)))}\n\n`;
  };
  return { printResult, finish: nothing };
}

/** Collects the results of all responses, because a SARIF log is one JSON document. */
function createSarifPrinter(out: CommandTools['out']): ResultPrinter {
  const results: PlacedResult[] = [];
  return {
    printResult: (result, place) => {
      results.push({ result, place });
      return Promise.resolve();
    },
    finish: () => out.write(`${formatSarif(results)}\n`),
  };
}

/** Parses the value of --method. @throws CliError for a method that no paid endpoint uses */
function readMethod(text: string): string {
  const method = text.toUpperCase();
  if (!METHODS.includes(method))
    throw new CliError(`--method must be one of ${METHODS.join(', ')}; received ${text}.`);
  return method;
}
