import { DAY_MS, formatCount, HOUR_MS } from '@touchstone/common';
import { createServiceTrace, type Journal, sumPayments, sumSpending } from '@touchstone/guard';
import { Command, Option } from 'commander';
import { CliError, type CommandTools } from '../command-tools.ts';
import { addKeysOption, openTrustedService, type OpenGuardOptions } from '../guard/open-guard.ts';
import { addServiceOptions, type ServiceOptions } from '../service/service-options.ts';
import { createTextStyle, toPlainText } from '../terminal/text.ts';
import { formatCsvExport, formatJsonExport, formatReceipts, formatSums } from './format-receipts.ts';
import { createJournalOption, readJournal } from './journal-file.ts';
import { listReceipts, type Receipt } from './list-receipts.ts';
import { reportReceipts, REQUEST_TIMEOUT_MS } from './report-receipts.ts';
import { traceReceipts } from './trace-receipts.ts';

const HELP = `
States
  Delivered                a response with status 2xx and a body
  Paid, nothing delivered  the chain says that the payment was settled
  Open                     no delivery, and the state on the chain is not known:
                           run touchstone receipts trace
  Not charged              the payment expired or was cancelled
  Refused                  the guard refused the payment; see --refused

Sums
  All payments count with the signed amount, as in the budgets of the guard. Only
  payments that were not charged do not count. Days are UTC days.

The journal is the file that touchstone guard serve and programs with
createFileJournal() write. An export has no signed payments.

Exit codes
  0  done
  2  not done; the message has the reason

Examples
  touchstone receipts --since 7d
  touchstone receipts --by host
  touchstone receipts --export csv > payments.csv`;

interface ReceiptOptions {
  readonly journal?: string;
  readonly host?: string;
  readonly since?: string;
  readonly by?: 'host' | 'day';
  readonly export?: 'csv' | 'json';
  readonly refused?: true;
  readonly color?: boolean;
}

export function createReceiptsCommand(tools: CommandTools): Command {
  return new Command('receipts')
    .description('Lists the payments of the guard, with their results.')
    .addOption(createJournalOption())
    .option('--host <host>', 'only payments to this host')
    .option('--since <time>', 'only payments since a time, or of the last days or hours, such as 7d or 12h')
    .option('--refused', 'list the refused payments instead, with the reason')
    .addOption(
      new Option('--by <group>', 'print sums').choices(['host', 'day']).conflicts(['refused', 'export']),
    )
    .addOption(new Option('--export <format>', 'print all values, oldest first').choices(['csv', 'json']))
    .addCommand(createReportCommand(tools))
    .addCommand(createTraceCommand(tools))
    .addHelpText('after', HELP)
    .action(async (_: object, self: Command) => {
      const options = self.optsWithGlobals<ReceiptOptions>();
      const { receipts } = await readReceipts(options, tools);
      await tools.out.write(formatSelected(receipts, options, tools));
    });
}

const REPORT_HELP = `
  Reports the latest outcome at each endpoint: a delivery, or a failure whose
  cause is the seller (402, 5xx or an empty response). The wallet that paid signs
  each report: its private key is in TOUCHSTONE_KEY. Buyers' outcomes are public.

Exit codes
  0  done
  1  the service did not accept all outcomes; run the command again in a minute
  2  nothing was sent; the message has the reason`;

function createReportCommand(tools: CommandTools): Command {
  const command = new Command('report').description('Reports what the payments brought to Touchstone.');
  return addServiceOptions(command, 'report to the service that npm start runs, for its demo wallet')
    .addHelpText('after', REPORT_HELP)
    .action(async (_: object, self: Command) => {
      const options = self.optsWithGlobals<ReceiptOptions & ServiceOptions>();
      const { journal, receipts } = await readReceipts(options, tools);
      // The wallet library loads slowly, so it is loaded only for this command.
      const { findService } = await import('../buy/buy-settings.ts');
      const { service, openWallet } = findService(options, tools.host.env);
      const account = openWallet();
      const result = await reportReceipts(receipts, { journal, service, account, now: Date.now });
      const { sent, accepted, problems } = result;
      await tools.out.write(`${describeReports(sent, accepted)}\n`);
      for (const problem of problems) tools.printMessage(toPlainText(problem));
      tools.setExitCode(accepted < sent ? 1 : 0);
    });
}

const TRACE_HELP = `
  Asks the service for the state of each open payment on the chain, and writes the
  states to the journal. A payment that expired or was cancelled then no longer
  counts in the budgets of the guard.

Exit codes
  0  done
  1  the state of a payment could not be read
  2  nothing was asked; the message has the reason`;

function createTraceCommand(tools: CommandTools): Command {
  const command = new Command('trace').description('Finds out what became of payments without a delivery.');
  return addKeysOption(addServiceOptions(command))
    .addHelpText('after', TRACE_HELP)
    .action(async (_: object, self: Command) => {
      const options = self.optsWithGlobals<ReceiptOptions & OpenGuardOptions>();
      const { journal, receipts } = await readReceipts(options, tools);
      const { stdin } = tools.host;
      const source = { stdin, allowPrivate: false, caFile: undefined, command: 'receipts' };
      const { origin, keys } = await openTrustedService(options, source);
      const trace = createServiceTrace({
        ...{ service: new URL(origin), keys, fetch: globalThis.fetch },
        ...{ timeoutMs: REQUEST_TIMEOUT_MS, now: Date.now },
      });
      const { ids, unread } = await traceReceipts(receipts, { journal, trace, now: Date.now });
      const traced = (await readReceipts(options, tools)).receipts.filter(({ payment }) =>
        ids.has(payment?.entry.id ?? ''),
      );
      const note = ids.size === 0 ? 'There is no open payment.' : describeUnread(unread);
      await tools.out.write(formatReceipts(traced, note, createTextStyle(tools.host, options.color)));
      tools.setExitCode(unread > 0 ? 1 : 0);
    });
}

function describeUnread(unread: number): string | null {
  if (unread === 0) return null;
  return `The state of ${formatCount(unread, 'payment')} could not be read. Run the command again later. Payments without a nonce, as on Solana, are found only by touchstone trace with their transaction.`;
}

function describeReports(sent: number, accepted: number): string {
  if (sent === 0) return 'There is no outcome of this wallet to report.';
  const all = `Reported ${formatCount(accepted, 'outcome')} of ${formatCount(sent)}.`;
  return accepted === sent ? all : `${all} The service knows a payment only after its confirmations.`;
}

/** Reads a journal, and lists the payments and refusals that the options select, oldest first. */
async function readReceipts(
  { journal: file, host, since }: ReceiptOptions,
  tools: CommandTools,
): Promise<{ readonly journal: Journal; readonly receipts: readonly Receipt[] }> {
  const from = since === undefined ? 0 : readSince(since, Date.now());
  const name = host?.toLowerCase();
  const { journal, entries } = await readJournal(file, tools.host);
  const receipts = listReceipts(entries).filter(
    (receipt) => (name === undefined || receipt.host === name) && Date.parse(receipt.entry.at) >= from,
  );
  return { journal, receipts };
}

/** Reads --since as milliseconds since 1970. @throws CliError for other text */
function readSince(text: string, now: number): number {
  const [, count, unit] = /^(\d{1,5})([dh])$/.exec(text) ?? [];
  if (count !== undefined) return now - Number(count) * (unit === 'h' ? HOUR_MS : DAY_MS);
  const time = /^\d{4}-\d\d-\d\d(T|$)/.test(text) ? Date.parse(text) : NaN;
  if (!Number.isNaN(time)) return time;
  throw new CliError(
    `--since must be a number of days or hours such as 7d or 12h, or a time such as 2026-06-01; received "${toPlainText(text, 60)}".`,
  );
}

function formatSelected(all: readonly Receipt[], options: ReceiptOptions, { host }: CommandTools): string {
  const isRefused = options.refused === true;
  const receipts = all.filter(({ state }) => (state === 'refused') === isRefused);
  if (options.export === 'json') return formatJsonExport(receipts);
  if (options.export === 'csv') return formatCsvExport(receipts);
  const style = createTextStyle(host, options.color);
  if (options.by !== undefined) {
    const payments = receipts.flatMap(({ payment }) => payment ?? []);
    return formatSums([...sumSpending(payments, options.by), sumPayments('total', payments)], style);
  }
  const refusals = all.length - receipts.length;
  return formatReceipts(receipts.toReversed(), explainRest(receipts.length, isRefused ? 0 : refusals), style);
}

function explainRest(shown: number, refusals: number): string | null {
  const none = shown === 0 ? ['No payments match.'] : [];
  const refused = refusals === 0 ? [] : [`${formatCount(refusals, 'payment')} refused: see --refused.`];
  const notes = [...none, ...refused];
  return notes.length === 0 ? null : notes.join(' ');
}
