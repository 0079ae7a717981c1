import { Command, Option } from 'commander';
import { CliError } from '../cli-error.ts';
import { createPaint } from '../paint.ts';
import type { CommandTools } from '../run.ts';
import { exitCodeOf, type Judged } from './judged.ts';
import { lintSaved, type Report } from './lint-saved.ts';
import { lintUrl } from './lint-url.ts';
import { METHODS } from './method-notes.ts';
import { openNetwork } from './network.ts';
import { readUrl } from './read-url.ts';
import { toJson } from './to-json.ts';
import { toText } from './to-text.ts';

const USUAL_WIDTH = 80;
const NARROWEST = 40;
const WIDEST = 100;

const HELP = `
Exit codes
  0  every answer can be paid, and no check failed as an error
  1  an answer can be paid by no client, or a check failed as an error
  2  not everything could be judged: wrong arguments, an unreadable file, bad
     lines in it, an address that is not dialled, no network on this side, an
     answer that leaves open whether it is to be paid (401, 429 and the like)

Saved answers (--file)
  One JSON object, or one on each line:
    {"url": "https://…", "method": "GET", "status": 402,
     "headers": {"name": "value"}, "body": "…"}
  Headers may be a list of [name, value] pairs, or of {name, value} objects as
  in HTTP archives; a body may be null or a JSON object. Optional are "at", the
  time of the answer (ISO 8601), "bodyTruncated", true where the end of the
  body is missing, and "listing", the item of a directory about the endpoint.

Examples
  touchstone lint https://api.example.com/v1/weather
  touchstone lint --allow-private http://localhost:8080/paid
  touchstone lint --json --file answers.jsonl | jq .verdict`;

interface Options {
  readonly file?: string;
  readonly json?: true;
  readonly all?: true;
  readonly method?: string;
  readonly allowPrivate?: true;
  readonly ca?: string;
  readonly sandbox?: true;
  readonly dataDir: string;
  readonly color?: boolean;
}

/** `touchstone lint`: judges the answer of an endpoint, or saved ones, by the compliance rules. */
export function lintCommand(tools: CommandTools): Command {
  const online = ['method', 'allowPrivate', 'ca', 'sandbox'];
  return new Command('lint')
    .description(
      'Asks an x402 endpoint without paying, and says what is wrong with its answer and how to mend it.',
    )
    .argument('[url]', 'http or https URL of the endpoint')
    .addOption(
      new Option('--file <path>', 'judge saved answers instead; - reads standard input').conflicts(online),
    )
    .addOption(
      new Option('--json', 'print one JSON object for each answer, with all checks').conflicts('all'),
    )
    .option('--all', 'say what the checks that passed ask for, and list those that did not apply')
    .addOption(
      new Option('--method <method>', 'ask by this method only (default: GET, then POST)').argParser(
        readMethod,
      ),
    )
    .option('--allow-private', 'dial private addresses, for an endpoint on your own machine or network')
    .option('--ca <file>', 'trust the certificate authorities in this PEM file, too')
    .addOption(
      new Option('--sandbox', 'ask the sandbox of a service that runs on this machine').conflicts(
        'allowPrivate',
      ),
    )
    .addOption(
      new Option('--data-dir <folder>', 'data folder of that service').env('DATA_DIR').default('.touchstone'),
    )
    .addHelpText('after', HELP)
    .action(async (url: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<Options>();
      if (options.sandbox !== true && command.getOptionValueSource('dataDir') === 'cli')
        throw new CliError('--data-dir is about a sandbox: give --sandbox, too.');
      await lint(url, options, tools);
    });
}

async function lint(url: string | undefined, options: Options, tools: CommandTools): Promise<void> {
  const report = createReport(options, tools);
  if (options.file !== undefined) {
    if (url !== undefined) throw new CliError('Give a URL or --file, not both.');
    tools.end(await lintSaved(options.file, report, tools));
    return;
  }
  if (url === undefined)
    throw new CliError('Give the URL of an endpoint, or saved answers with --file. (--help says more)');
  const isPublic = options.allowPrivate !== true && options.sandbox !== true;
  const judged = await lintLive(readUrl(url, { isPublic }), options);
  await report(judged);
  tools.end(exitCodeOf(judged));
}

async function lintLive(url: URL, { method, allowPrivate, ca, sandbox, dataDir }: Options): Promise<Judged> {
  const network = await openNetwork(url, {
    allowPrivate: allowPrivate === true,
    caFile: ca,
    sandboxDir: sandbox === true ? dataDir : undefined,
  });
  return lintUrl({ url, method, now: Date.now() }, network);
}

/** Prints each answer as the options say. */
function createReport({ json, all, color }: Options, { host, out }: CommandTools): Report {
  if (json === true) return (judged) => out.write(`${toJson(judged)}\n`);
  const paint = createPaint(host.stdout, color);
  const width = widthOf(host.stdout.columns);
  let separator = '';
  return async (judged) => {
    await out.write(separator + toText(judged, { paint, width, all: all === true }));
    separator = `\n${paint('dim', '─'.repeat(Math.min(width, USUAL_WIDTH)))}\n\n`;
  };
}

/** Undefined is no terminal; some terminals say 0 when they do not know. */
function widthOf(columns: number | undefined): number {
  if (columns === undefined || columns === 0) return USUAL_WIDTH;
  return Math.min(Math.max(columns, NARROWEST), WIDEST);
}

function readMethod(text: string): string {
  const method = text.toUpperCase();
  if (!METHODS.includes(method)) throw new CliError(`--method ${text}: give one of ${METHODS.join(', ')}.`);
  return method;
}
