import { formatCount } from '@touchstone/common';
import { Command, Option } from 'commander';
import { CliError, type CommandTools } from '../command-tools.ts';
import { readSource } from '../network/read-source.ts';
import { createTextStyle, type TextStyle, toPlainText } from '../terminal/text.ts';
import { checkReport, findReports, type KeyRing, openKeyRing, toExitCode } from './check-report.ts';
import { formatJson, formatCheckedReport } from './format-result.ts';
import {
  checkPurchase,
  formatPurchase,
  formatPurchaseJson,
  isPurchase,
  toPurchaseExitCode,
} from './purchase.ts';

const HELP = `
Checks
  figures    Recomputes every computed figure from the raw figures in the
             report. Each one must match to the last digit.
  outcome    Recomputes the outcome of a test purchase (/v1/purchases/{id})
             from the charge and the response in its record.
  signature  Ed25519 signature of the report or the record. It proves the
             origin, and that nothing was changed. It does not prove that the
             observations are true.

Keys
  A report names the URL of its keys, and so does a forged report. The named
  keys are used only when their URL is /.well-known/touchstone-keys.json on the
  origin from which the report was fetched. For a report from a file, give the
  keys of the expected service with --keys, for example
  https://touchstone.example/.well-known/touchstone-keys.json

Exit codes
  0  all figures agree and all signatures are valid
  1  a figure differs, or a signature is not by the keys it was checked with
  2  not everything could be checked: no report, no signature, no keys, an
     another scoring version, or unreadable input

Examples
  touchstone verify https://touchstone.example/v1/x402-trust-preview
  touchstone verify --keys https://touchstone.example/.well-known/touchstone-keys.json report.json
  touchstone verify --figures --json - < reports.jsonl | jq .verdict`;

interface VerifyOptions {
  readonly keys?: string;
  readonly figures?: true;
  readonly json?: true;
  readonly allowPrivate?: true;
  readonly ca?: string;
  readonly color?: boolean;
}

type ExitCode = 0 | 1 | 2;

export function createVerifyCommand(tools: CommandTools): Command {
  return new Command('verify')
    .description('Recomputes a trust report or the outcome of a test purchase, and checks the signature.')
    .argument('<source>', 'file or URL of one or more reports or purchase records; - reads standard input')
    .addOption(
      new Option(
        '--keys <source>',
        'URL of the service that should have signed, or URL or file of its key set',
      ).conflicts('figures'),
    )
    .option('--figures', 'check only the figures, which does not prove the origin of the report')
    .option('--json', 'print one JSON object for each report')
    .option('--allow-private', 'allow private addresses, for a service on your own machine or network')
    .option('--ca <file>', 'also trust the certificate authorities in this PEM file')
    .addHelpText('after', HELP)
    .action(async (source: string, _: unknown, command: Command) => {
      await verify(source, command.optsWithGlobals<VerifyOptions>(), tools);
    });
}

const PAYMENT_ADVICE = 'Buy a paid report first, save it, and verify the file with --keys.';

async function verify(name: string, options: VerifyOptions, tools: CommandTools): Promise<void> {
  const { keys, figures, allowPrivate, ca } = options;
  if (name === '-' && keys === '-')
    throw new CliError('Give either the report or the keys on standard input, not both.');
  const access = {
    stdin: tools.host.stdin,
    allowPrivate: allowPrivate === true,
    caFile: ca,
    command: 'verify',
  };
  const { text, url } = await readSource(name, { ...access, paymentAdvice: PAYMENT_ADVICE });
  const keyRing =
    figures === true ? null : await openKeyRing({ ...access, keysOption: keys, reportsUrl: url });
  const print = createPrinter(options, tools);
  const codes: ExitCode[] = [];
  for (const found of findReports(text)) {
    if ('fault' in found) {
      const label = [name, found.location].filter((part) => part !== '').join(', ');
      tools.printMessage(toPlainText(`${label}: ${found.fault}`));
      codes.push(2);
      continue;
    }
    codes.push(await checkAndPrint(found, keyRing, print));
    if (tools.out.isClosed) break;
  }
  if (codes.length === 0) throw new CliError(`${toPlainText(name)} contains no report.`);
  if (codes.length > 1) tools.printMessage(formatTotals(codes));
  if (url?.protocol === 'http:')
    tools.printMessage(
      `${url.origin} is not HTTPS. The report and the keys could have been changed on the network.`,
    );
  tools.setExitCode(codes.includes(1) ? 1 : codes.includes(2) ? 2 : 0);
}

/** Prints a result: as one line of JSON, or as text for people. */
type Print = (toJson: () => string, toText: (style: TextStyle) => string) => Promise<void>;

/** Checks one report or purchase record, prints the result, and returns the exit code. */
async function checkAndPrint(
  { location, report }: { readonly location: string; readonly report: unknown },
  keyRing: KeyRing | null,
  print: Print,
): Promise<ExitCode> {
  if (isPurchase(report)) {
    const checked = await checkPurchase(location, report, keyRing);
    await print(
      () => formatPurchaseJson(checked),
      (style) => formatPurchase(checked, style),
    );
    return toPurchaseExitCode(checked);
  }
  const checked = await checkReport(location, report, keyRing);
  await print(
    () => formatJson(checked),
    (style) => formatCheckedReport(checked, style),
  );
  return toExitCode(checked);
}

function createPrinter({ json, color }: VerifyOptions, { host, out }: CommandTools): Print {
  if (json === true) return (toJson) => out.write(`${toJson()}\n`);
  const style = createTextStyle(host, color);
  let separator = '';
  return async (_, toText) => {
    await out.write(separator + toText(style));
    separator = '\n';
  };
}

function formatTotals(codes: readonly ExitCode[]): string {
  const count = (code: ExitCode): string => String(codes.filter((one) => one === code).length);
  return `${formatCount(codes.length, 'report')}: ${count(0)} valid, ${count(1)} invalid, ${count(2)} undetermined`;
}
