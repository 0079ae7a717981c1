import { readAuthorizationState } from '@touchstone/chain';
import { settlePayment } from '@touchstone/store';
import type { GatewaySettlement } from '../gateway/gateway.ts';
import { FacilitatorError } from '../gateway/guard-facilitator.ts';
import { waitForChain } from '../gateway/query-chain.ts';
import { markPaymentFailed, releaseClaim } from './claim-payment.ts';
import { openResult, respondSettled } from './known-payment.ts';
import type { AfterSlot, Claim } from './paid-request.ts';
import { PAYMENT_STATES } from './payment-states.ts';
import { respond } from './respond.ts';
import {
  canBeFinal,
  createRefusedReceipt,
  createSettled,
  isClockPlausible,
  judgeSettlement,
  readOutcome,
  toSearchStart,
  type SettlementOutcome,
} from './settlement-outcome.ts';

type Settled = Extract<SettlementOutcome, { kind: 'settled' }>;

/** Maximum number of settlement requests to the facilitator for one payment. Later attempts only query the chain. */
const MAX_ATTEMPTS = 20;

const EVENTS = PAYMENT_STATES.settling.events;

/**
 * Settles a payment whose result an earlier request stored. If the result cannot be decrypted, or is withheld from the
 * client, the payment is not settled.
 */
export async function settleStoredResult<Input>(
  claim: Claim<Input>,
  stored: string,
): Promise<Response | AfterSlot> {
  const opened = await openResult(claim.request, stored);
  if (typeof opened === 'object') return settleAndRespond(claim, opened.result);
  await releaseClaim(claim);
  const { next, response } = EVENTS[opened === 'withheld' ? 'settlement-unknown' : 'result-unreadable'];
  return respond(response, {}, next);
}

/**
 * Settles a payment whose result is stored, and responds. The chain decides about a refusal of the facilitator, after the
 * slot of the purchase.
 */
export async function settleAndRespond<Input>(
  claim: Claim<Input>,
  result: string,
): Promise<Response | AfterSlot> {
  const outcome = await catchFailure(claim, () => settle(claim));
  if (outcome.kind !== 'refused') return respondToOutcome(claim, result, outcome);
  const endedAt = claim.request.context.now();
  const judge = () => judgeRefusal(claim, outcome, endedAt);
  return { afterSlot: async () => respondToOutcome(claim, result, await catchFailure(claim, judge)) };
}

/**
 * Responds to the outcome of a settlement:
 * - settled: with the result and the receipt.
 * - refused: with a new challenge, after the payment was marked as failed.
 * - unknown, or a refusal that could not be recorded: with a problem that asks to send the request again. The result
 *   stays stored, and the lease is released, so the next request can settle the payment immediately.
 */
async function respondToOutcome<Input>(
  claim: Claim<Input>,
  result: string,
  outcome: SettlementOutcome,
): Promise<Response> {
  const { request } = claim;
  const { context, target, key } = request;
  if (outcome.kind === 'settled') {
    context.settledPayers.set(key.payer, true);
    return respondSettled(request, result, await recordWhenAllowed(claim, outcome));
  }
  if (outcome.kind === 'refused' && (await markPaymentFailed(claim))) {
    const { next, response } = EVENTS['settlement-refused'];
    const challenge = context.gateway.createChallenge(target, outcome.reason);
    const { receipt, otherTransfer } = outcome;
    const isUnknown = request.hasCopies() || otherTransfer !== undefined;
    return respond(response, { challenge, receipt }, { state: isUnknown ? 'unknown' : next, otherTransfer });
  }
  const { next, response } = EVENTS['settlement-unknown'];
  await releaseClaim(claim);
  context.onError(`it is not known whether a payment was settled: ${outcome.reason}`, null);
  return respond(response, {}, next);
}

async function catchFailure<Input>(
  claim: Claim<Input>,
  step: () => Promise<SettlementOutcome>,
): Promise<SettlementOutcome> {
  try {
    return await step();
  } catch (error) {
    claim.request.context.onError('a settlement failed in this service', error);
    return { kind: 'unknown', reason: 'internal' };
  }
}

/**
 * Settles a payment whose result is stored, unless the chain shows that it is paid. A repeated settlement moves the money
 * at most once, because a nonce can be used only once.
 */
async function settle<Input>(claim: Claim<Input>): Promise<SettlementOutcome> {
  const { request, terms } = claim;
  if (claim.paidBy !== undefined) return createSettled(claim, claim.paidBy);
  if (claim.attempt > MAX_ATTEMPTS || claim.isOutdated) {
    const reason = 'settlement_failed';
    return { kind: 'refused', reason, receipt: createRefusedReceipt(claim, reason) };
  }
  let settlement: GatewaySettlement;
  try {
    // The settlement uses the payment terms of this service, not the terms in the client's payload.
    const payload = { ...request.payment.payload, accepted: terms };
    settlement = await request.context.gateway.settle(payload, terms);
  } catch (error) {
    if (error instanceof FacilitatorError) return { kind: 'unknown', reason: error.message };
    throw error;
  }
  return settlement.kind === 'pending' ? { kind: 'unknown', reason: settlement.reason } : settlement;
}

/**
 * Compares a refusal of the facilitator with the chain. An unused nonce counts only at a block that is not older than the
 * end of the call.
 */
async function judgeRefusal<Input>(
  claim: Claim<Input>,
  refused: Extract<SettlementOutcome, { kind: 'refused' }>,
  endedAt: number,
): Promise<SettlementOutcome> {
  const { request, terms, since } = claim;
  const { chain, now } = request.context;
  const onChain = await readOutcome(request, terms, {
    since: toSearchStart(since),
    isRecent: (headAt) =>
      !canBeFinal(claim, refused.reason) || (headAt >= endedAt && isClockPlausible(headAt, now())),
    read: (query, timeoutMs) => waitForChain(chain, readAuthorizationState(chain, query), timeoutMs),
  });
  return judgeSettlement(refused, onChain, claim);
}

/**
 * Records a settlement, before or after the response. If the process dies before this record, reconciliation finds the
 * settlement on the chain, and a repeated request settles the payment again.
 * @returns the receipt
 */
async function recordWhenAllowed<Input>(claim: Claim<Input>, settled: Settled): Promise<string> {
  const { context, paidOperation } = claim.request;
  const { runAfterResponse, onError } = context;
  if (paidOperation.isRecordedLater === true && runAfterResponse !== undefined) {
    try {
      runAfterResponse(async () => void (await recordSettlement(claim, settled)));
      return settled.receipt;
    } catch (error) {
      onError('a settlement cannot be recorded after the response, so it is recorded before', error);
    }
  }
  return recordSettlement(claim, settled);
}

/**
 * Records a settlement.
 * @returns the receipt, even if the settlement could not be recorded, because the money has moved
 */
async function recordSettlement<Input>(
  { request }: Claim<Input>,
  { transaction, receipt }: Settled,
): Promise<string> {
  const { db, onError } = request.context;
  try {
    return await settlePayment(db, request.key, { transaction, receipt, audited: false });
  } catch (error) {
    onError('a settled payment could not be recorded; reconciliation will find it on the chain', error);
    return receipt;
  }
}
