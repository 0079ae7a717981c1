import { formatTimestamp, isJsonObject, parseJson } from '@touchstone/common';
import { Command } from 'commander';
import { CliError, type CommandTools } from '../command-tools.ts';
import { describeProblem, createNoResponseError, sendRequest, toServiceUrl } from '../service/request.ts';
import {
  addServiceOptions,
  assertOneService,
  findServiceUrl,
  type ServiceOptions,
} from '../service/service-options.ts';
import { createTextStyle, toPlainJson } from '../terminal/text.ts';
import { checkSignature, openKeyRing } from '../verify/check-report.ts';
import { formatStatus, readStatus, type TracedStatus } from './format-status.ts';
import { namePayment, type PaymentName, type PaymentOptions } from './name-payment.ts';

const HELP = `
Name the payment by the header PAYMENT-SIGNATURE that was sent: the command
reads network, token, payer, nonce and end from it. The header is not sent.
Or give its transaction, or all values that were signed, exactly. An unused
nonce is not charged, also if it is unused because it was mistyped.
--valid-before is validBefore or deadline. Without it, an unused payment is
never expired.

States
  settled    the payment is on the chain
  open       it was not used, and the seller can still use it
  expired    it was not used, and its end has passed on the chain
  cancelled  the payer cancelled it on the chain
  unknown    the chain does not show what became of it; the text says why

Exit codes
  0  safe to pay again: expired or cancelled
  1  do not pay again: settled, open or unknown
  2  no state: the service could not be reached, or could not read the network;
     the signature is not valid for --keys; or the arguments are invalid

Examples
  touchstone trace --payment "$PAYMENT_SIGNATURE"
  touchstone trace 0xTRANSACTION
  touchstone trace --network base --asset 0xTOKEN --payer 0xWALLET \\
    --nonce 0xNONCE --valid-before 1780272300
  touchstone trace --json --network eip155:137 0xTRANSACTION | jq .state

Environment
  TOUCHSTONE_SERVICE`;

interface TraceOptions extends ServiceOptions, Omit<PaymentOptions, 'transaction'> {
  readonly since?: string;
  readonly keys?: string;
  readonly json?: true;
  readonly color?: boolean;
}

export function createTraceCommand(tools: CommandTools): Command {
  const command = new Command('trace')
    .description('Says what became of a payment, and if it is safe to pay again. Pays nothing.')
    .argument('[transaction]', 'transaction of the payment');
  return addServiceOptions(command)
    .option('--payment <header>', 'header PAYMENT-SIGNATURE or X-PAYMENT, which names all values')
    .option('--network <id>', 'network of the payment (for a transaction, default: Base)')
    .option('--payer <address>', 'wallet that signed the payment')
    .option('--nonce <nonce>', 'nonce of the signed payment, instead of a transaction')
    .option('--valid-before <seconds>', 'end of the signed payment in Unix seconds')
    .option('--since <time>', 'start of the search (default: 24 hours ago; at most 7 days ago)')
    .option('--asset <address>', 'token of the payment (for a transaction, default: USDC)')
    .option(
      '--keys <source>',
      'check the signature with these keys: file or URL of a key set, or URL of a service',
    )
    .option('--json', 'print the signed response')
    .addHelpText('after', HELP)
    .action(async (transaction: string | undefined, _: unknown, self: Command) => {
      assertOneService(self);
      await trace(transaction, self.optsWithGlobals<TraceOptions>(), tools);
    });
}

async function trace(
  transaction: string | undefined,
  options: TraceOptions,
  tools: CommandTools,
): Promise<void> {
  const { json, color, keys, since } = options;
  const name = namePayment({ ...options, transaction });
  const document = await requestStatus(toQuery(name, since), findServiceUrl(options));
  if (keys !== undefined) await assertSigned(document, keys, tools);
  const status = readStatus(document);
  if (status === null)
    throw new CliError('The service returned a document that is not the state of a payment.');
  assertAnswers(status, name);
  const text =
    json === true ? `${toPlainJson(document)}\n` : formatStatus(status, createTextStyle(tools.host, color));
  await tools.out.write(text);
  tools.setExitCode(status.safeToPayAgain ? 0 : 1);
}

function toQuery(
  { validBefore, ...name }: PaymentName,
  since: string | undefined,
): Readonly<Record<string, string>> {
  const values = { ...name, valid_before: validBefore, since };
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}

async function requestStatus(query: Readonly<Record<string, string>>, service: URL): Promise<object> {
  const received = await sendRequest(toServiceUrl(service, '/v1/payment-status', query), {}, 'trace');
  if ('error' in received) throw createNoResponseError(service, received.error);
  if (received.status !== 200) throw new CliError(describeProblem(received));
  const document = parseJson(received.text);
  if (isJsonObject(document)) return document;
  throw new CliError('The service returned no JSON object.');
}

/** @throws CliError unless one of the keys signed the document */
async function assertSigned(document: object, keysOption: string, { host }: CommandTools): Promise<void> {
  const source = { stdin: host.stdin, allowPrivate: true, caFile: undefined, command: 'trace' };
  const keyRing = await openKeyRing({ ...source, keysOption, reportsUrl: null });
  const { outcome } = await checkSignature(document, keyRing);
  if (outcome !== 'valid')
    throw new CliError(`The response is not signed with the given keys (${outcome}). Do not act on it.`);
}

/** @throws CliError for the state of another payment, which a cache or a wrong service could return */
function assertAnswers({ requested }: TracedStatus, name: PaymentName): void {
  const validBefore = name.validBefore && formatTimestamp(Number(name.validBefore) * 1_000);
  const { network, transaction, payer, nonce } = name;
  const asked = {
    ...{ network, transaction, payer, nonce, validBefore },
    // The service chooses the token of a transaction.
    asset: name.asset ?? requested.asset,
  };
  for (const [key, value] of Object.entries(asked)) {
    const found = requested[key as keyof typeof asked] ?? undefined;
    if (found?.toLowerCase() !== value?.toLowerCase())
      throw new CliError(`The service returned the state of another payment: its ${key} differs.`);
  }
}
