import { DAY_MS } from '@touchstone/common';
import { MAX_PAYMENT_AGE_DAYS } from '@touchstone/contract/operations/outcome/operation';
import { type Journal, type LedgerPayment, OutcomeReporter, type PaymentOutcome } from '@touchstone/guard';
import type { PrivateKeyAccount } from 'viem';
import type { Receipt } from './list-receipts.ts';

/** Maximum duration of one request, in milliseconds. The service reads the chain before it responds. */
export const REQUEST_TIMEOUT_MS = 30_000;

interface ReportOptions {
  readonly journal: Journal;
  readonly service: URL;
  /** Wallet that paid. Payments of other wallets are left out. */
  readonly account: PrivateKeyAccount;
  readonly now: () => number;
}

/**
 * Reports the latest outcome at each endpoint to the service, and marks it in the journal. The service counts only the
 * latest outcome of a payer at an endpoint. An outcome whose cause can be the payer is not reported.
 *
 * @returns the numbers of sent outcomes and of outcomes that the service accepted, and the reasons of the service
 */
export async function reportReceipts(
  receipts: readonly Receipt[],
  { journal, service, account, now }: ReportOptions,
): Promise<{ readonly sent: number; readonly accepted: number; readonly problems: readonly string[] }> {
  const accepted = new Set<PaymentOutcome>();
  const problems = new Set<string>();
  const reporter = new OutcomeReporter({
    service,
    signTypedData: (data) => account.signTypedData(data),
    fetch: globalThis.fetch,
    timeoutMs: REQUEST_TIMEOUT_MS,
    now,
    // One attempt: the user runs the command again.
    delaysMs: [0],
    onAccepted: (outcome) => accepted.add(outcome),
    onProblem: (problem) => problems.add(problem),
  });
  const oldest = now() - MAX_PAYMENT_AGE_DAYS * DAY_MS;
  const judged = new Set<string>();
  const sent = new Map<PaymentOutcome, string>();
  for (const { payment } of receipts.toReversed()) {
    if (payment === null || payment.at < oldest || !isPayer(payment, account.address)) continue;
    const outcome = toOutcome(payment);
    if (outcome.resource === null || judged.has(outcome.resource)) continue;
    const isAdded = !payment.isReported && reporter.add(outcome);
    if (isAdded) sent.set(outcome, payment.entry.id);
    if (isAdded || payment.isReported) judged.add(outcome.resource);
  }
  await reporter.flush();
  const ids = [...sent].flatMap(([outcome, id]) => (accepted.has(outcome) ? [id] : []));
  const at = new Date(now()).toISOString();
  if (ids.length > 0) await journal.append(ids.map((id) => ({ kind: 'report', at, id })));
  return { sent: sent.size, accepted: ids.length, problems: [...problems] };
}

function isPayer({ entry }: LedgerPayment, address: string): boolean {
  return entry.payer?.toLowerCase() === address.toLowerCase();
}

/** Authorizations (EIP-3009) have a nonce of 32 bytes. Other payments are not found by their nonce. */
const AUTHORIZATION_NONCE = /^0x[0-9a-f]{64}$/i;

function toOutcome({ entry, deliveredAt, respondedAt, httpStatus }: LedgerPayment): PaymentOutcome {
  const { resource: url, network, asset, amount, payTo, payer, nonce, scheme } = entry;
  const isAuthorization = scheme === 'exact' && nonce !== null && AUTHORIZATION_NONCE.test(nonce);
  return {
    payment: { url, network, asset, amount, payTo },
    resource: entry.endpoint,
    authorization: isAuthorization && payer !== null ? { payer, nonce } : null,
    isSigner: true,
    delivered: deliveredAt !== null,
    httpStatus,
    observedAt: new Date(deliveredAt ?? respondedAt ?? Date.parse(entry.at)).toISOString(),
  };
}
