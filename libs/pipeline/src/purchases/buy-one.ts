import { createHash, randomBytes } from 'node:crypto';
import { base32nopad } from '@scure/base';
import { getHeaderValues } from '@touchstone/common';
import {
  describeAnswerFailure,
  findBodyFaults,
  findMissingInput,
  selectOption,
  signPayment,
  type PayableOption,
} from '@touchstone/delivery';
import type { Probe } from '@touchstone/probe';
import {
  recordPurchaseAnswer,
  recordSignedPurchase,
  reservePurchase,
  type NewPurchase,
  type PurchaseAnswer,
} from '@touchstone/store';
import { readChallenge } from '@touchstone/x402';
import { getSharedCanaryCheck } from '../probing/self-inflicted-failures.ts';
import { decide, decideByChain, UNSENT } from './decide-purchase.ts';
import { isRefused } from './guard-purchase.ts';
import { LEASE_MS, type BuyContext, type PlannedPurchase } from './purchase-context.ts';

/** Maximum time for the challenge, in milliseconds. */
const CHALLENGE_TIMEOUT_MS = 30_000;
/** Maximum time for the answer to a paid request, in milliseconds. */
const ANSWER_TIMEOUT_MS = 60_000;
/** Maximum size of a response that is read, in bytes. */
const MAX_RESPONSE_BYTES = 1_048_576;
const ID_BYTES = 16;

/**
 * Result of an attempt to buy. `postponed`: the endpoint cannot be bought from now. `skipped`: another purchase takes
 * precedence. `stopped`: this service cannot buy now, from no endpoint.
 */
export type Attempt = 'bought' | 'postponed' | 'skipped' | 'stopped';

/**
 * Buys from one endpoint with the money of the operator. Each step is stored before the next one begins: the amount is
 * reserved before the payment is signed, and the payment is recorded before it is sent. A worker that stops at any time
 * therefore loses no payment and repeats none.
 *
 * @param networks CAIP-2 ids of the networks on which the wallet can pay
 * @throws StoreError when the database fails; ChainUnreadableError when the chain cannot be read. The purchase then stays
 *   open, and a later run decides it.
 */
export async function buyOne(
  context: BuyContext,
  planned: PlannedPurchase,
  networks: readonly string[],
): Promise<Attempt> {
  const challenged = await send(context, planned, { timeoutMs: CHALLENGE_TIMEOUT_MS });
  if (challenged.outcome === 'self-failure') return 'stopped';
  if (challenged.httpStatus !== 402) return 'postponed';
  if (findMissingInput(challenged, planned.request) !== null) return 'postponed';
  const { headers, body, bodyEnd } = challenged;
  const { method, url } = planned.request;
  const challenge = readChallenge({ url, method, status: 402, headers, body, bodyEnd });
  const option = selectOption(challenge, { networks, observed: planned.candidate.payOn });
  if (option === null || (await isRefused(context, planned, option))) return 'postponed';
  return pay(context, planned, { challenged, option });
}

interface Offer {
  readonly challenged: Probe;
  readonly option: PayableOption;
}

async function pay(
  context: BuyContext,
  planned: PlannedPurchase,
  { challenged, option }: Offer,
): Promise<Attempt> {
  const { db, now, purchases } = context;
  const { account, budget } = purchases;
  const reservedAt = now();
  const purchase = createPurchase(planned, option, account.address);
  const { id } = purchase;
  const times = { now: reservedAt, leaseUntil: reservedAt + LEASE_MS };
  const reserved = await reservePurchase(db, purchase, { budget, ...times });
  if (reserved !== 'reserved') return reserved === 'endpoint' ? 'postponed' : 'skipped';
  const signed = await signPayment(challenged, { option, account, now: now() }).catch((error: unknown) => {
    context.logError?.(`The payment of the test purchase ${id} was not signed: ${String(error)}`);
    return null;
  });
  if (signed === null) {
    await decide(context, id, UNSENT);
    return 'postponed';
  }
  const { headers, nonce, validBefore } = signed;
  if (!(await recordSignedPurchase(db, { id, nonce, validBefore, now: now() }))) return 'skipped';
  const answered = await send(context, planned, { headers, timeoutMs: ANSWER_TIMEOUT_MS });
  const answer = await toAnswer(context, answered, challenged);
  await recordPurchaseAnswer(db, { id, answer, now: now() });
  await decideByChain(context, { ...purchase, reservedAt, nonce, validBefore }, answer);
  return 'bought';
}

function send(
  { purchases }: BuyContext,
  { request: { method, url, body } }: PlannedPurchase,
  options: { readonly headers?: Readonly<Record<string, string>>; readonly timeoutMs: number },
): Promise<Probe> {
  return purchases.send({
    ...{ url, method, body: body ?? '', headers: {}, maxReplyBytes: MAX_RESPONSE_BYTES, digestsBody: true },
    ...options,
  });
}

function createPurchase(
  { candidate: { endpointId, resource, host }, request: { method, url, body } }: PlannedPurchase,
  { network, asset, payTo, amount, amountUsd }: PayableOption,
  payer: string,
): NewPurchase {
  return {
    id: `p_${base32nopad.encode(randomBytes(ID_BYTES)).toLowerCase()}`,
    ...{ endpointId, resource, host, method, requestedUrl: url },
    requestSha256: body === null ? null : createHash('sha256').update(body).digest('hex'),
    ...{ network, asset, payer: payer.toLowerCase(), payTo, amount, amountUsd },
  };
}

/** Converts the response to a paid request to the facts that are stored. The body itself is not stored. */
async function toAnswer(
  { canaries }: BuyContext,
  answered: Probe,
  challenged: Probe,
): Promise<PurchaseAnswer> {
  const { httpStatus, headers, body, bodyDigest, totalMs } = answered;
  const contentType = getHeaderValues(headers, 'content-type')[0] ?? null;
  const reason = describeAnswerFailure(answered);
  // An outage of this service can also end a response whose headers arrived.
  const isOwn = reason !== null && reason !== 'too-large' && (await getSharedCanaryCheck(canaries)());
  const failure = isOwn ? 'internal' : reason;
  const isComplete = failure === null && body !== null;
  // The digest of a body that cannot be decoded is that of an empty text.
  const digest = reason === 'invalid-response' ? undefined : bodyDigest;
  return {
    ...{ httpStatus, contentType },
    bodyBytes: digest?.bytes ?? null,
    bodySha256: digest?.sha256 ?? null,
    totalMs: Math.round(totalMs),
    failure,
    schemaFindings: isComplete ? findBodyFaults(challenged, { contentType, body }) : null,
  };
}
