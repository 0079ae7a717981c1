import { isDeepStrictEqual } from 'node:util';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { type Network, x402Client, x402HTTPClient } from '@x402/fetch';
import type { PrivateKeyAccount } from 'viem';
import { CliError, type CommandTools, confirm } from '../command-tools.ts';
import {
  createNoResponseError,
  describeProblem,
  ErrorResponseError,
  type RequestResult,
  sendRequest,
  type ServiceResponse,
} from '../service/request.ts';
import { findStateFolder } from '../state-files.ts';
import { formatUsdc, toPlainText } from '../terminal/text.ts';
import { lockOrder, type Order } from './order.ts';
import { type ExpectedTerms, formatQuote, type Quote, readQuote } from './quote.ts';
import {
  classifyRefusedPayment,
  describeOpenPayment,
  describeRefusedPayment,
  readReceipt,
  type Receipt,
  sendPayment,
} from './send-payment.ts';
import { openStoredPayments, type Payment, readPayment, type StoredPayments } from './stored-payments.ts';

export interface PurchaseConditions extends Omit<ExpectedTerms, 'url'> {
  /** True to pay a price within the limit without confirmation. */
  readonly yes: boolean;
  readonly isSandbox: boolean;
  /** Opens the wallet that signs a new payment. A stored payment can be sent again without a wallet. */
  readonly openWallet: () => PrivateKeyAccount;
  /** Called before a new or a stored payment is sent. If the callback throws an error, the payment is not sent. */
  readonly beforeSend?: (payment: Payment) => void;
  /** Text for messages that tells the user how to send a stored payment again. */
  readonly retry?: string;
  /** Signal that stops the purchase. A payment that is already signed stays stored. */
  readonly signal?: AbortSignal;
}

/** A bought result. */
export interface Purchase {
  /** Body of the response, unchanged. */
  readonly text: string;
  readonly headers: Headers;
  /** Null when the service required no payment. */
  readonly payment: Payment | null;
  readonly receipt: Receipt | null;
  /** Deletes the stored payment, which cannot be sent again then. Call it after the result was printed. */
  readonly confirmReceived: () => void;
}

export function formatReceipt({ payment, receipt }: Purchase): string {
  if (payment === null) return 'Paid nothing: the service required no payment.';
  const { amount, payer, payTo, network } = payment;
  const paid = `Paid ${formatUsdc(BigInt(amount))} from ${payer} to ${payTo} on ${network}`;
  if (receipt === null) return `${paid}. The service sent no transaction.`;
  return `${paid}, transaction ${toPlainText(receipt.transaction, 100)}`;
}

/**
 * Buys the result of an order. If a payment for the same order is stored, sends that payment again instead of signing a
 * new one.
 *
 * @throws CliError when nothing was bought, with the reason and with what is known about the charge
 */
export async function purchase(
  order: Order,
  conditions: PurchaseConditions,
  tools: CommandTools,
): Promise<Purchase> {
  const folder = findStateFolder(tools.host.env);
  const unlock = lockOrder(folder, order);
  try {
    const context = { conditions, tools, storedPayments: openStoredPayments(folder, Date.now) };
    const stored = context.storedPayments.find(order);
    if (stored === null) return await buyWithNewPayment(order, context);
    tools.printMessage(checkStoredPayment(stored, conditions));
    conditions.beforeSend?.(stored);
    return await buyWithPayment(order, { payment: stored, wasSentBefore: true }, context);
  } finally {
    unlock();
  }
}

interface PurchaseContext {
  readonly conditions: PurchaseConditions;
  readonly tools: CommandTools;
  readonly storedPayments: StoredPayments;
}

async function buyWithNewPayment(order: Order, context: PurchaseContext): Promise<Purchase> {
  const { conditions, storedPayments, tools } = context;
  const { signal, yes, limit, isSandbox } = conditions;
  const account = conditions.openWallet();
  const response = await requestQuote(order, signal);
  if (response.status !== 402)
    return { ...response, payment: null, receipt: null, confirmReceived: () => undefined };
  const quote = readQuote(response, { ...conditions, url: order.resource });
  signal?.throwIfAborted();
  tools.printMessage(formatQuote(quote, order, { payer: account.address, limit, isSandbox }).join('\n'));
  const advice = `Give --yes to pay up to ${formatUsdc(limit)} without confirmation.`;
  const refusal = 'Nothing was signed or charged.';
  if (!yes) await confirm(`Pay ${formatUsdc(quote.amount)}?`, { refusal, advice }, tools.host);
  const payment = readPayment(order, await signQuote(response, quote, account), Date.now());
  conditions.beforeSend?.(payment);
  storedPayments.store(payment);
  return buyWithPayment(order, { payment, wasSentBefore: false }, context);
}

/** Sends an order without a payment. @throws CliError without a response, and for an error status other than 402 */
async function requestQuote(order: Order, signal: AbortSignal | undefined): Promise<ServiceResponse> {
  const received = await sendOrder(order, {}, signal);
  if ('error' in received) {
    throw createNoResponseError(order.url, received.error, {
      advice: ' Nothing was signed or charged.',
      notCharged: true,
    });
  }
  const { status } = received;
  if (status === 402 || (status >= 200 && status < 300)) return received;
  throw new ErrorResponseError(`${describeProblem(received)} Nothing was signed or charged.`, received, {
    code: 'invalid-response',
  });
}

/**
 * Signs the payment of a quote with the x402 reference client. The policy lets the client sign the confirmed payment
 * option only.
 *
 * @returns value of the PAYMENT-SIGNATURE header
 */
async function signQuote(
  { headers }: ServiceResponse,
  { accepted }: Quote,
  account: PrivateKeyAccount,
): Promise<string> {
  const [namespace = '', reference = ''] = accepted.network.split(':');
  const network: Network = `${namespace}:${reference}`;
  const client = new x402Client()
    // `readQuote` checks the price against the buyer's limit, so the one-dollar limit of the client is switched off.
    .setSpendControls({ maxAmountPerPayment: false })
    .registerPolicy((_, offers) => offers.filter((offer) => isDeepStrictEqual(offer, accepted)))
    .register(network, new ExactEvmScheme(account));
  const http = new x402HTTPClient(client);
  const payload = await http.createPaymentPayload(
    http.getPaymentRequiredResponse((name) => headers.get(name)),
  );
  const signed = http.encodePaymentSignatureHeader(payload);
  return signed['PAYMENT-SIGNATURE'] ?? '';
}

/** Sends an order with its payment. @throws CliError unless the service delivered the result */
async function buyWithPayment(
  order: Order,
  { payment, wasSentBefore }: { readonly payment: Payment; readonly wasSentBefore: boolean },
  { conditions: { signal, retry }, tools, storedPayments }: PurchaseContext,
): Promise<Purchase> {
  const sent = await sendPayment(payment.signature, {
    sendOrder: (headers) => sendOrder(order, headers, signal),
    sleep: (ms) => tools.sleep(ms, signal),
    clock: () => performance.now(),
    report: (line) => {
      signal?.throwIfAborted();
      tools.printMessage(line);
    },
    wasSentBefore,
  });
  if (sent.outcome === 'open')
    throw new CliError(describeOpenPayment(sent, payment, { file: storedPayments.getFile(payment), retry }), {
      code: 'payment-open',
      notCharged: !sent.maybeCharged,
    });
  const { response } = sent;
  const confirmReceived = (): void => storedPayments.remove(payment);
  if (sent.outcome === 'served')
    return { ...response, payment, receipt: readReceipt(response), confirmReceived };
  storedPayments.remove(payment);
  const code = classifyRefusedPayment(response);
  throw new ErrorResponseError(describeRefusedPayment(response, payment), response, { code });
}

/** Sends an order over HTTP. The promise never rejects. */
async function sendOrder(
  { url, body }: Order,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): Promise<RequestResult> {
  return sendRequest(url, { method: 'POST', body, headers, signal }, 'buy');
}

/**
 * Checks that a payment of an earlier run may be sent again. The user confirmed the payment in the earlier run. The
 * amount and the network of the payment must also meet the conditions of the current run.
 *
 * @returns message for the user
 * @throws CliError when the payment must not be sent again
 */
function checkStoredPayment(
  stored: Payment,
  { limit, limitSource, networks, openWallet }: PurchaseConditions,
): string {
  const amount = BigInt(stored.amount);
  const status = `A payment of ${formatUsdc(amount)} from ${stored.payer}, signed at ${stored.signedAt}, has no result yet.`;
  const advice = 'Nothing was sent. The payment may be charged already. To get its result,';
  if (amount > limit) {
    throw new CliError(
      `${status} Its amount of ${formatUsdc(amount)} is above the limit of ${formatUsdc(limit)}` +
        (limitSource === undefined
          ? `. ${advice} use --max-usd ${formatUsdc(amount).slice(1)}`
          : ` (${limitSource}). ${advice} raise this limit.`),
      { code: 'limit-exceeded' },
    );
  }
  if (!networks.includes(stored.network)) {
    throw new CliError(
      `${status} Its network is ${stored.network}, and --network is ${networks.join(', ')}. ${advice} use --network ${stored.network}`,
      { code: 'network-not-allowed' },
    );
  }
  const current = findWalletAddress(openWallet);
  const isOtherWallet = current !== null && current.toLowerCase() !== stored.payer.toLowerCase();
  const note = isOtherWallet ? ` It is not from the current wallet, ${current}.` : '';
  return `${status}${note} It is sent again, and no new payment is signed.`;
}

/**
 * Returns the address of the configured wallet. Returns null if no valid wallet is configured, because sending a stored
 * payment needs no wallet.
 */
function findWalletAddress(openWallet: PurchaseConditions['openWallet']): string | null {
  try {
    return openWallet().address;
  } catch (error) {
    if (error instanceof CliError) return null;
    throw error;
  }
}
