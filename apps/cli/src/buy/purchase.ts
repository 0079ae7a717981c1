import { setTimeout as sleep } from 'node:timers/promises';
import type { PrivateKeyAccount } from 'viem';
import { CliError } from '../cli-error.ts';
import type { CommandTools } from '../run.ts';
import { openWords, refusedWords } from './charge-words.ts';
import { confirm } from './confirm.ts';
import { acceptEarlier } from './earlier-payment.ts';
import { exchange } from './exchange.ts';
import { openKeptPayments, stateFolder, type KeptPayments } from './kept-payments.ts';
import type { Order } from './order.ts';
import { lockOrder } from './order-lock.ts';
import { pay } from './pay.ts';
import { readPayment, type Payment } from './payment.ts';
import { quoteLines } from './quote-lines.ts';
import type { Quote } from './quote.ts';
import { readReceipt, type Receipt } from './receipt.ts';
import { sendPaid, type SendTools, type Sent } from './send-paid.ts';
import { usdWords } from './usd.ts';

/** On which conditions something is bought. */
export interface Conditions {
  /** CAIP-2 id of the only network to pay on. */
  readonly network: string;
  /** The most to pay, in atomic units of USDC. */
  readonly limit: bigint;
  /** True to pay up to the limit without asking. */
  readonly yes: boolean;
  readonly isSandbox: boolean;
  /** Opens the wallet, which takes none when an earlier payment is sent again. */
  readonly wallet: () => PrivateKeyAccount;
}

/** Something that was bought. */
export interface Bought {
  /** JSON, as it was sent. */
  readonly text: string;
  /** Null where nothing had to be paid. */
  readonly payment: Payment | null;
  readonly receipt: Receipt | null;
  /** Is called once it has reached its reader; until then the payment is kept, and can be sent again. */
  readonly received: () => void;
}

/**
 * Buys what an order asks for, or fetches what an earlier payment for the same order has bought.
 *
 * @throws CliError saying why nothing was bought, and whether anything was charged
 */
export async function purchase(order: Order, conditions: Conditions, tools: CommandTools): Promise<Bought> {
  const folder = stateFolder(tools.host.env);
  const unlock = lockOrder(folder, order);
  try {
    const kept = openKeptPayments(folder, Date.now);
    const earlier = kept.find(order);
    if (earlier === null) return await payAnew(order, conditions, { kept, tools });
    tools.complain(acceptEarlier(earlier, conditions));
    const sent = await sendPaid(order, earlier.signature, sendTools(tools, true));
    return conclude(sent, { payment: earlier, kept });
  } finally {
    unlock();
  }
}

function sendTools({ complain }: CommandTools, wasSent: boolean): SendTools {
  return { exchange, sleep: (ms) => sleep(ms), clock: () => performance.now(), say: complain, wasSent };
}

async function payAnew(
  order: Order,
  conditions: Conditions,
  { kept, tools }: { readonly kept: KeptPayments; readonly tools: CommandTools },
): Promise<Bought> {
  const account = conditions.wallet();
  let payment: Payment | null = null;
  const paid = await pay(
    order,
    { url: order.url, network: conditions.network, limit: conditions.limit, account },
    {
      exchange,
      agree: (quote) => agree(quote, order, { ...conditions, payer: account.address, tools }),
      deliver: (signature) => {
        payment = readPayment(order, signature, Date.now());
        kept.keep(payment);
        return sendPaid(order, signature, sendTools(tools, false));
      },
    },
  );
  if ('free' in paid)
    return { text: paid.free.text, payment: null, receipt: null, received: () => undefined };
  return conclude(paid.sent, { payment: made(payment), kept });
}

/** It is set while the client pays, which the compiler cannot see. */
function made(payment: Payment | null): Payment {
  if (payment === null) throw new Error('something was sent without a payment');
  return payment;
}

interface Agreeing extends Conditions {
  readonly payer: string;
  readonly tools: CommandTools;
}

async function agree(
  quote: Quote,
  order: Order,
  { yes, tools: { complain, host }, ...buyer }: Agreeing,
): Promise<void> {
  complain(quoteLines(quote, order, buyer).join('\n'));
  if (yes) return;
  const agreed = await confirm(`Pay ${usdWords(quote.amount)}?`, host);
  if (agreed === null) {
    throw new CliError(
      'Nothing was signed or charged: there is no terminal to ask at. ' +
        `Give --yes to pay up to ${usdWords(buyer.limit)} without being asked.`,
    );
  }
  if (!agreed) throw new CliError('Nothing was signed or charged.');
}

interface Sending {
  readonly payment: Payment;
  readonly kept: KeptPayments;
}

function conclude(sent: Sent, { payment, kept }: Sending): Bought {
  if (sent.outcome === 'open') throw new CliError(openWords(sent, payment, kept.fileOf(payment)));
  const { answer } = sent;
  const received = (): void => kept.forget(payment);
  if (sent.outcome === 'served')
    return { text: answer.text, payment, receipt: readReceipt(answer), received };
  kept.forget(payment);
  throw new CliError(refusedWords(answer, payment));
}
