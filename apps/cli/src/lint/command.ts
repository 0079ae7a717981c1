import { createReadStream } from 'node:fs';
import { Command, Option } from 'commander';
import { CliError } from '../cli-error.ts';
import { createPaint } from '../paint.ts';
import type { CommandTools } from '../run.ts';
import { hasErrors, type Judged } from './judged.ts';
import { lintFile } from './lint-file.ts';
import { lintUrl } from './lint-url.ts';
import { openNetwork } from './network.ts';
import { toJson } from './to-json.ts';
import { counted, toText } from './to-text.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const USUAL_WIDTH = 80;
const NARROWEST = 40;
const WIDEST = 100;

const HELP = `
Exit codes
  0  every answer can be paid, and no check of the payable axis failed as an
     error
  1  an answer can be paid by no client, or a check of the payable axis failed
     as an error
  2  not everything could be checked: wrong arguments, an unreadable file, bad
     lines in it, an address that is not dialled, no network on this side

Saved answers (--file)
  One JSON object, or one on each line:
    {"url": "https://…", "method": "GET", "status": 402,
     "headers": {"name": "value"}, "body": "…"}
  Headers may be a list of [name, value] pairs; a body may be null or a JSON
  object. Optional are "at", the time of the answer (ISO 8601), and "listing",
  the item of a directory about the endpoint.

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
    .option('--json', 'print one JSON object for each answer')
    .option('--all', 'list the checks that passed or did not apply, too')
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
    .option('--color', 'color the output whatever it goes to')
    .option('--no-color', 'do not color the output')
    .addHelpText('after', HELP)
    .action((url: string | undefined, options: Options) => lint(url, options, tools));
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
  const judged = await lintLive(readUrl(url), options);
  await report(judged);
  tools.end(hasErrors(judged) ? 1 : 0);
}

async function lintLive(url: URL, { method, allowPrivate, ca, sandbox, dataDir }: Options): Promise<Judged> {
  const network = await openNetwork(url, {
    allowPrivate: allowPrivate === true,
    caFile: ca,
    sandboxDir: sandbox === true ? dataDir : undefined,
  });
  return lintUrl({ url, method, now: Date.now() }, network);
}

type Report = (judged: Judged) => Promise<void>;

async function lintSaved(
  file: string,
  report: Report,
  { host, out, complain }: CommandTools,
): Promise<number> {
  const name = file === '-' ? 'standard input' : file;
  const count = { judged: 0, withErrors: 0, bad: 0 };
  try {
    for await (const linted of lintFile(file === '-' ? host.stdin : createReadStream(file))) {
      if ('fault' in linted) {
        count.bad += 1;
        complain(`${name}, line ${String(linted.line)}: ${linted.fault}`);
        continue;
      }
      count.judged += 1;
      if (hasErrors(linted.judged)) count.withErrors += 1;
      await report(linted.judged);
      if (out.closed) return count.withErrors > 0 ? 1 : 0;
    }
  } catch (cause) {
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
    throw new CliError(`${name} cannot be read: ${cause.message}`, { cause });
  }
  if (count.judged + count.bad === 0) throw new CliError(`${name} holds no answer.`);
  if (count.judged + count.bad > 1) {
    const bad = count.bad === 0 ? '' : `, ${counted(count.bad, 'bad line')}`;
    complain(`${counted(count.judged, 'answer')}, ${String(count.withErrors)} with errors${bad}`);
  }
  if (count.bad > 0) return 2;
  return count.withErrors > 0 ? 1 : 0;
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

function readUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.port === '0') {
    throw new CliError(`${text} is not an http or https URL, such as https://api.example.com/v1/weather.`);
  }
  return url;
}

function readMethod(text: string): string {
  const method = text.toUpperCase();
  if (!METHODS.includes(method)) throw new CliError(`--method ${text}: give one of ${METHODS.join(', ')}.`);
  return method;
}
