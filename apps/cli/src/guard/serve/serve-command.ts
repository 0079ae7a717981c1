import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Decision, Guard, Journal } from '@touchstone/guard';
import { createFileJournal } from '@touchstone/guard/file';
import { Command, Option } from 'commander';
import { CliError, type CommandTools, toMessage, untilInterrupted, VERSION } from '../../command-tools.ts';
import { createJournalOption, findJournalFile } from '../../receipts/journal-file.ts';
import { readNumber } from '../../service/operation-command.ts';
import { assertOneService } from '../../service/service-options.ts';
import { toPlainText } from '../../terminal/text.ts';
import { addBudgetOptions, openGuard, type OpenGuardOptions } from '../open-guard.ts';
import { createGuardRoutes } from './guard-routes.ts';
import { createLoopbackServer } from './loopback-server.ts';
import { addTraceOptions, readTrace, type TraceOptions } from './trace-options.ts';

const HELP = `
Routes
  POST /check      {url, payment_required}: decides before the wallet signs
  POST /authorize  {url, method, body or body_sha256, payment}: decides on the
                   signed payment, applies the budgets, and returns {action,
                   reasons, id, payment}. Send the returned payment: it is the
                   earlier payment of the same request if its response was lost
  POST /record     {id, status, content_length, payment_response}: the response
  GET  /spending   amounts by host and day
  GET  /health     state of the server

  Requests and responses are JSON. payment_required and payment are the headers
  PAYMENT-REQUIRED and PAYMENT-SIGNATURE, as text. For another method than GET,
  send the body, or its SHA-256 in hex: only a request with the same method, URL
  and body counts as a repetition. An error has the member error: then do not
  send the payment.

  The server listens on 127.0.0.1 and has no key. It refuses requests of web
  pages. All programs of this machine can use it.

Journal
  All decisions and payments are in the journal, which touchstone receipts lists.
  Several servers and programs on this machine can share one journal.

State of payments
  After a payment without a delivery, the guard asks the service what became of
  it, with the wallet and the nonce of the payment. With --rpc, it asks your own
  provider, and does not ask on other networks. With --no-trace, it never asks:
  an unclear payment then blocks its request for an hour.

Exit codes
  0  ended by Ctrl-C or SIGTERM
  2  not started; the message has the reason

Examples
  touchstone guard serve --service https://touchstone.example --max-usd-per-day 5
  touchstone guard serve --private --rpc eip155:8453=https://rpc.example.com
  touchstone guard serve --sandbox --port 4021 --journal test.jsonl`;

interface ServeOptions extends OpenGuardOptions, TraceOptions {
  readonly port: number | string;
  readonly journal?: string;
  readonly allowPrivate?: true;
  readonly ca?: string;
}

/** Options of `touchstone guard <url>` that the server cannot apply. An ignored rule would be taken for a rule. */
const CHECK_OPTIONS = [
  { attribute: 'method', advice: 'The program names the method of each request.' },
  { attribute: 'network', advice: 'Set networks in the file of --policy.' },
  { attribute: 'strict', advice: 'Set the actions to abort in the file of --policy.' },
  { attribute: 'json', advice: 'The server always responds in JSON.' },
] as const;

export function createServeCommand(tools: CommandTools): Command {
  const command = new Command('serve')
    .description('Checks payments for programs in any language, over HTTP on this machine.')
    .addOption(
      new Option('--port <n>', 'port on 127.0.0.1; 0 for a free port').argParser(readNumber).default(4020),
    )
    .addOption(createJournalOption());
  return addTraceOptions(addBudgetOptions(command))
    .addHelpText('after', HELP)
    .action(async (_: object, self: Command) => {
      for (const { attribute, advice } of CHECK_OPTIONS)
        if (self.parent?.getOptionValueSource(attribute) === 'cli')
          throw new CliError(`--${attribute} is not an option of touchstone guard serve. ${advice}`);
      if (self.parent !== null) assertOneService(self.parent);
      await serve(self, tools);
    });
}

async function serve(command: Command, tools: CommandTools): Promise<void> {
  const {
    journal: journalFile,
    allowPrivate,
    ca,
    trace,
    rpc,
    ...options
  } = command.optsWithGlobals<ServeOptions>();
  const port = readPort(options.port);
  const file = findJournalFile(journalFile, tools.host);
  const source = {
    stdin: tools.host.stdin,
    allowPrivate: allowPrivate === true,
    caFile: ca,
    command: 'guard',
  };
  const journal = createFileJournal(file);
  const { guard, service } = await openGuard(command, source, { journal, trace: readTrace({ trace, rpc }) });
  await assertUsable(journal, guard);
  const facts = { version: VERSION, service: service.origin, journal: file };
  const routes = createGuardRoutes(guard, facts, (decision) => printDecision(decision, tools));
  const server = createLoopbackServer(routes, (error) => tools.printMessage(describeFailure(error)));
  const url = await listen(server, port);
  await tools.out.write(`The guard listens on ${url}. Journal: ${toPlainText(file)}\n`);
  await untilInterrupted(tools.host, async (signal) => {
    await once(signal, 'abort');
    server.close();
    await once(server, 'close');
  });
}

/** Refuses to start with a journal that would make the guard refuse each payment. @throws CliError */
async function assertUsable(journal: Journal, guard: Guard): Promise<void> {
  try {
    await journal.exclusive(() => Promise.resolve());
    await guard.spending();
  } catch (cause) {
    throw new CliError(`The journal cannot be used. ${toPlainText(toMessage(cause), 500)}`, { cause });
  }
}

/** @throws CliError for a text that is no port */
function readPort(port: number | string): number {
  if (typeof port === 'number' && Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new CliError(
    `--port must be a whole number from 0 to 65535; received ${toPlainText(String(port), 60)}.`,
  );
}

/** Starts the server. @returns its URL @throws CliError if the port cannot be used */
async function listen(server: Server, port: number): Promise<string> {
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch (cause) {
    const isTaken = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
    const reason = isTaken
      ? 'another program uses the port, perhaps another touchstone guard serve'
      : toMessage(cause);
    throw new CliError(
      `The guard cannot listen on port ${String(port)} of 127.0.0.1: ${reason}. Choose another port with --port.`,
      { cause },
    );
  }
  const address = server.address();
  // A server that listens on an IP address has an address object.
  return `http://127.0.0.1:${String(typeof address === 'object' ? address?.port : port)}`;
}

/** Prints the reasons of a warning or a refusal, for the operator of the programs. The query may contain a secret. */
function printDecision({ action, payment, reasons }: Decision, { printMessage }: CommandTools): void {
  if (action === 'pay') return;
  const messages = reasons.filter((reason) => reason.action === action).map(({ message }) => message);
  const label = action === 'abort' ? 'Refused' : 'Warning';
  const { origin = '', pathname = '' } = URL.parse(payment.url) ?? {};
  printMessage(`${label}: ${toPlainText(origin + pathname, 300)}: ${toPlainText(messages.join(' '))}`);
}

function describeFailure(error: unknown): string {
  return `A request failed: ${toPlainText(toMessage(error))}`;
}
