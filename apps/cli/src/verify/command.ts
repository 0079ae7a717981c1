import { Command, Option } from 'commander';
import { CliError } from '../cli-error.ts';
import { counted } from '../lint/to-text.ts';
import { createPaint } from '../paint.ts';
import { plain } from '../plain.ts';
import type { CommandTools } from '../run.ts';
import { checkReport, exitCodeOf, type Checked } from './check-report.ts';
import { findReports } from './find-reports.ts';
import { openKeyRing } from './key-ring.ts';
import { openSource } from './open-source.ts';
import { toJson } from './to-json.ts';
import { toText } from './to-text.ts';

const USUAL_WIDTH = 80;
const WIDEST = 100;

const HELP = `
What is checked
  figures    everything the formula makes is computed again from the raw figures
             in the report, and compared to the last digit
  signature  Ed25519 over the report; it shows who made it and that nothing was
             changed since, not that what was observed is true

Whose keys
  A report names the address of its keys, and so does a forged one. Keys are
  taken from there only when it is /.well-known/touchstone-keys.json of the
  origin that the report was fetched from. For a report from a file say with
  --keys whose it is to be, for instance
  https://touchstone.example/.well-known/touchstone-keys.json

Exit codes
  0  every figure agrees and every signature is valid
  1  a figure differs, or a signature is not of the keys it was checked with
  2  not everything could be judged: no report, no signature, no keys, another
     version of the formula, what cannot be read

Examples
  touchstone verify https://touchstone.example/v1/x402-trust-preview
  touchstone verify --keys https://touchstone.example/.well-known/touchstone-keys.json report.json
  touchstone verify --figures --json - < reports.jsonl | jq .verdict`;

interface Options {
  readonly keys?: string;
  readonly figures?: true;
  readonly json?: true;
  readonly allowPrivate?: true;
  readonly ca?: string;
  readonly color?: boolean;
}

/** `touchstone verify`: computes the figures of trust reports again, and checks who signed them. */
export function verifyCommand(tools: CommandTools): Command {
  return new Command('verify')
    .description('Computes the figures of a trust report again, and checks who signed it.')
    .argument('<source>', 'file or URL of one or more reports; - reads standard input')
    .addOption(
      new Option(
        '--keys <source>',
        'the service whose keys to check signatures with, or a file or URL of its key set',
      ).conflicts('figures'),
    )
    .option('--figures', 'check the figures only, which says nothing of who made the report')
    .option('--json', 'print one JSON object for each report')
    .option('--allow-private', 'dial private addresses, for a service on your own machine or network')
    .option('--ca <file>', 'trust the certificate authorities in this PEM file, too')
    .addHelpText('after', HELP)
    .action(async (source: string, _: unknown, command: Command) => {
      await verify(source, command.optsWithGlobals<Options>(), tools);
    });
}

async function verify(name: string, options: Options, tools: CommandTools): Promise<void> {
  const { keys, figures, allowPrivate, ca } = options;
  if (name === '-' && keys === '-')
    throw new CliError('Give the report or the keys on standard input, not both.');
  const access = { stdin: tools.host.stdin, allowPrivate: allowPrivate === true, caFile: ca };
  const { text, url } = await openSource(name, access);
  const keyRing = figures === true ? null : await openKeyRing({ ...access, given: keys, reportsFrom: url });
  const print = createPrinter(options, tools);
  const codes: (0 | 1 | 2)[] = [];
  for (const found of findReports(text)) {
    if ('fault' in found) {
      tools.complain(
        plain(`${[name, found.place].filter((part) => part !== '').join(', ')}: ${found.fault}`),
      );
      codes.push(2);
      continue;
    }
    const checked = await checkReport(found.place, found.report, keyRing);
    codes.push(exitCodeOf(checked));
    await print(checked);
    if (tools.out.closed) break;
  }
  if (codes.length === 0) throw new CliError(`${plain(name)} holds no report.`);
  if (codes.length > 1) tools.complain(sumUp(codes));
  if (url?.protocol === 'http:')
    tools.complain(`${url.origin} is not HTTPS: anybody on the way could have changed both report and keys.`);
  tools.end(codes.includes(1) ? 1 : codes.includes(2) ? 2 : 0);
}

function createPrinter(
  { json, color }: Options,
  { host, out }: CommandTools,
): (checked: Checked) => Promise<void> {
  if (json === true) return (checked) => out.write(`${toJson(checked)}\n`);
  const paint = createPaint(host.stdout, color);
  const width = Math.min(host.stdout.columns || USUAL_WIDTH, WIDEST);
  let separator = '';
  return async (checked) => {
    await out.write(separator + toText(checked, { paint, width }));
    separator = '\n';
  };
}

function sumUp(codes: readonly (0 | 1 | 2)[]): string {
  const count = (code: 0 | 1 | 2): string => String(codes.filter((one) => one === code).length);
  return `${counted(codes.length, 'report')}: ${count(0)} good, ${count(1)} not, ${count(2)} could not be judged`;
}
