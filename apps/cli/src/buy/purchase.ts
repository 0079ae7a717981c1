import type { PrivateKeyAccount } from 'viem';
import { CliError } from '../cli-error.ts';
import type { CommandTools } from '../run.ts';
import { lockOrder } from './payment/order-lock.ts';
import { pay } from './payment/pay.ts';
import {
  classifyRefusedPayment,
  describeOpenPayment,
  describeRefusedPayment,
  readReceipt,
  type Receipt,
} from './payment/payment-messages.ts';
import {
  openStoredPayments,
  type Payment,
  readPayment,
  type StoredPayments,
} from './payment/stored-payments.ts';
import { findStateFolder } from '../state-files.ts';
import { sendPayment, type SendResult, type SendTools } from './payment/send-payment.ts';
import { confirmPrice, formatQuote } from './quote/confirm-quote.ts';
import type { ExpectedTerms, Quote } from './quote/read-quote.ts';
import { formatUsdc } from './quote/usdc-amount.ts';
import { ErrorResponseError } from './service/read-problem.ts';
import { type Order, sendRequest } from './service/send-request.ts';

/** Conditions under which the user buys. */
export interface PurchaseConditions extends Omit<ExpectedTerms, 'url'> {
  /** True to pay a price within the limit without confirmation. */
  readonly yes: boolean;
  readonly isSandbox: boolean;
  /** Opens the wallet that signs a new payment. A stored payment can be sent again without a wallet. */
  readonly openWallet: () => PrivateKeyAccount;
  /** Called with each payment before it is sent, also with a stored one. If it throws, the payment is not sent. */
  readonly beforeSend?: (payment: Payment) => void;
  /** Instruction to send a stored payment again, for messages. */
  readonly retry?: string;
  /** Stops the purchase. A payment that was signed before stays stored. */
  readonly signal?: AbortSignal;
}

/** A bought result. */
export interface Purchase {
  /** Body of the response, unchanged. */
  readonly text: string;
  /** Header fields of the response. */
  readonly headers: Headers;
  /** Null when the service required no payment. */
  readonly payment: Payment | null;
  readonly receipt: Receipt | null;
  /**
   * Deletes the stored payment. Call it after the result was printed, because until then the payment can be sent again.
   */
  readonly confirmReceived: () => void;
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
    const storedPayments = openStoredPayments(folder, Date.now);
    const stored = storedPayments.find(order);
    if (stored === null) return await signAndPay(order, conditions, { storedPayments, tools });
    tools.printMessage(checkStoredPayment(stored, conditions));
    conditions.beforeSend?.(stored);
    const sent = await sendPayment(order, stored.signature, createSendTools(conditions, tools, true));
    return toPurchase(sent, { payment: stored, storedPayments, retry: conditions.retry });
  } finally {
    unlock();
  }
}

function createSendTools(
  { signal }: PurchaseConditions,
  { printMessage, sleep }: CommandTools,
  wasSentBefore: boolean,
): SendTools {
  return {
    sendRequest: (order, headers) => sendRequest(order, headers, signal),
    sleep: (ms) => sleep(ms, signal),
    clock: () => performance.now(),
    report: (line) => {
      signal?.throwIfAborted();
      printMessage(line);
    },
    wasSentBefore,
  };
}

async function signAndPay(
  order: Order,
  conditions: PurchaseConditions,
  { storedPayments, tools }: { readonly storedPayments: StoredPayments; readonly tools: CommandTools },
): Promise<Purchase> {
  const account = conditions.openWallet();
  let payment: Payment | null = null;
  const result = await pay(
    order,
    { ...conditions, url: order.resource, account },
    {
      sendRequest: (each, headers) => sendRequest(each, headers, conditions.signal),
      confirmQuote: (quote) => confirmQuote(quote, order, { ...conditions, payer: account.address, tools }),
      sendPayment: (signature) => {
        payment = readPayment(order, signature, Date.now());
        conditions.beforeSend?.(payment);
        storedPayments.store(payment);
        return sendPayment(order, signature, createSendTools(conditions, tools, false));
      },
    },
  );
  if ('freeResponse' in result) {
    const { text, headers } = result.freeResponse;
    return { text, headers, payment: null, receipt: null, confirmReceived: () => undefined };
  }
  return toPurchase(result.sent, {
    payment: assertSigned(payment),
    storedPayments,
    retry: conditions.retry,
  });
}

/** Excludes null. The compiler cannot see that a callback of the x402 client sets the payment. */
function assertSigned(payment: Payment | null): Payment {
  if (payment === null) throw new Error('An order was sent with a payment that was not signed');
  return payment;
}

interface ConfirmationContext extends PurchaseConditions {
  readonly payer: string;
  readonly tools: CommandTools;
}

async function confirmQuote(
  quote: Quote,
  order: Order,
  { yes, signal, tools: { printMessage, host }, ...buyer }: ConfirmationContext,
): Promise<void> {
  signal?.throwIfAborted();
  printMessage(formatQuote(quote, order, buyer).join('\n'));
  if (yes) return;
  await confirmPrice(`Pay ${formatUsdc(quote.amount)}?`, buyer.limit, host);
}

interface SentPayment {
  readonly payment: Payment;
  readonly storedPayments: StoredPayments;
  readonly retry: string | undefined;
}

/** Returns the purchase when the service delivered the result. @throws CliError for any other result of the payment */
function toPurchase(sent: SendResult, { payment, storedPayments, retry }: SentPayment): Purchase {
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

/**
 * Checks that a payment of an earlier run may be sent again. The user confirmed the payment in the earlier run, but its
 * amount and network must also meet the conditions of the current run.
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
