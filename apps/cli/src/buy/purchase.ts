import { setTimeout as sleep } from 'node:timers/promises';
import type { PrivateKeyAccount } from 'viem';
import { CliError } from '../cli-error.ts';
import { plain } from '../plain.ts';
import type { CommandTools } from '../run.ts';
import { confirm } from './confirm.ts';
import { exchange, type Answer } from './exchange.ts';
import { openKeptPayments, stateFolder, type KeptPayments } from './kept-payments.ts';
import type { Order } from './order.ts';
import { pay } from './pay.ts';
import { readPayment, type Payment } from './payment.ts';
import { problemWords, readProblem } from './problem.ts';
import { quoteLines } from './quote-lines.ts';
import { reasonOf, type Quote } from './quote.ts';
import { readReceipt, type Receipt } from './receipt.ts';
import { sendPaid, type Sent } from './send-paid.ts';
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
  const kept = openKeptPayments(stateFolder(tools.host.env), Date.now);
  const sendTools = {
    exchange,
    sleep: (ms: number) => sleep(ms),
    clock: () => performance.now(),
    say: tools.complain,
  };
  const earlier = kept.find(order);
  if (earlier !== null) {
    tools.complain(
      `A payment of ${usdWords(BigInt(earlier.amount))} for this, signed at ${earlier.signedAt}, has had no result yet: ` +
        'it is sent again, and nothing new is paid.',
    );
    return conclude(await sendPaid(order, earlier.signature, sendTools), { payment: earlier, kept });
  }
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
        return sendPaid(order, signature, sendTools);
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
  if (sent.outcome === 'open') throw new CliError(openWords(sent, payment));
  const { answer } = sent;
  const received = (): void => kept.forget(payment);
  if (sent.outcome === 'served')
    return { text: answer.text, payment, receipt: readReceipt(answer), received };
  kept.forget(payment);
  throw new CliError(refusedWords(answer, payment));
}

function refusedWords(answer: Answer, { amount, payer }: Payment): string {
  const price = usdWords(BigInt(amount));
  if (answer.status === 402) {
    const reason = readReceipt(answer)?.errorReason ?? readProblem(answer)?.detail ?? reasonOf(answer);
    const told = reason === null ? 'it gave no reason' : plain(reason, 200);
    const hint = /insufficient|balance/i.test(told) ? ` Does ${payer} hold ${price} in USDC?` : '';
    return `The service did not take the payment of ${price}: ${told}.${hint} Nothing was charged.`;
  }
  const problem = readProblem(answer);
  if (problem?.notCharged === true) return `${problemWords(answer)} Nothing was charged.`;
  if (problem?.code === 'payment-reused') return `${problemWords(answer)} Nothing more was charged.`;
  return `${problemWords(answer)} It does not say whether ${price} was charged: look at the wallet ${payer}.`;
}

function openWords({ reason, answer }: Extract<Sent, { outcome: 'open' }>, { amount }: Payment): string {
  const price = usdWords(BigInt(amount));
  const problem = answer && readProblem(answer);
  const told =
    problem === null ? `${reason}.` : problemWords({ status: answer?.status ?? 0, text: answer?.text ?? '' });
  const charged =
    problem?.notCharged === true
      ? `Nothing was charged so far, but the payment of ${price} is signed.`
      : `Whether ${price} was charged cannot be said here.`;
  return (
    `${told} ${charged} Run the same command again within a day: ` +
    'it sends the same payment, which buys one result and is charged once at most.'
  );
}
