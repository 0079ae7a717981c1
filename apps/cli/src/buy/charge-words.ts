import { plain } from '../plain.ts';
import type { Answer } from './exchange.ts';
import type { Payment } from './payment.ts';
import { problemWords, readProblem } from './problem.ts';
import { reasonOf } from './quote.ts';
import { readReceipt } from './receipt.ts';
import type { Sent } from './send-paid.ts';
import { usdWords } from './usd.ts';

/** What is said of a payment that was refused for good, for which nothing was charged. */
export function refusedWords(answer: Answer, payment: Payment): string {
  if (answer.status === 402) return `${notTakenWords(answer, payment)} Nothing was charged.`;
  const more = readProblem(answer)?.code === 'payment-reused' ? ' more' : '';
  return `${problemWords(answer)} Nothing${more} was charged.`;
}

function notTakenWords(answer: Answer, { amount, payer }: Payment): string {
  const price = usdWords(BigInt(amount));
  const reason = readReceipt(answer)?.errorReason ?? readProblem(answer)?.detail ?? reasonOf(answer);
  const told = reason === null ? 'it gave no reason' : plain(reason, 200);
  const hint = /insufficient|balance/i.test(told) ? ` Does ${payer} hold ${price} in USDC?` : '';
  return `The service did not take the payment of ${price}: ${told}.${hint}`;
}

/** What is said of a payment that may still buy something, or has. @param file where it is kept */
export function openWords(
  { reason, answer, maybeCharged }: Extract<Sent, { outcome: 'open' }>,
  payment: Payment,
  file: string,
): string {
  const price = usdWords(BigInt(payment.amount));
  const charged = maybeCharged
    ? `Whether ${price} was charged cannot be said here.`
    : `Nothing was charged so far, but the payment of ${price} is signed.`;
  return (
    `${toldWords(reason, answer, payment)} ${charged} Run the same command again within a day: ` +
    'it sends the same payment, which buys one result and is charged once at most. ' +
    `To give it up and pay anew, look at the wallet ${payment.payer} first, and then remove ${file}`
  );
}

function toldWords(reason: string, answer: Answer | null, payment: Payment): string {
  if (answer === null) return `${reason}.`;
  if (answer.status === 402) return notTakenWords(answer, payment);
  return readProblem(answer) === null ? `${reason}.` : problemWords(answer);
}
