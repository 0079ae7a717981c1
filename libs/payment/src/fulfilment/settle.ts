import { settlePayment } from '@touchstone/store';
import type { GatewaySettlement } from '../gateway/gateway.ts';
import { FacilitatorError } from '../gateway/guard-facilitator.ts';
import { toResponseState, type Fulfilment } from './paid-request.ts';
import { PAYMENT_STATES } from './payment-states.ts';
import { failClaim, releaseClaim } from './release.ts';
import { respond } from './respond.ts';
import {
  createRefusedReceipt,
  judgeSettlement,
  readOutcome,
  type SettlementOutcome,
} from './settlement-outcome.ts';

/** Maximum number of settlement requests to the facilitator for one payment. Later attempts only query the chain. */
const MAX_ATTEMPTS = 20;

const EVENTS = PAYMENT_STATES.settling.events;

/**
 * Settles a payment whose result is stored. A repeated settlement moves the money at most once, because a nonce can be
 * used only once.
 */
const settle = async (fulfilment: Fulfilment): Promise<SettlementOutcome> => {
  const { context, request } = fulfilment;
  if (request.attempt > MAX_ATTEMPTS) {
    const reason = 'settlement_failed';
    const refusal = { reason, receipt: createRefusedReceipt(request, reason) };
    return judgeSettlement(refusal, await readOutcome(fulfilment), request);
  }
  let settlement: GatewaySettlement;
  try {
    settlement = await context.gateway.settle(request.payload, request.terms);
  } catch (error) {
    if (error instanceof FacilitatorError) return { kind: 'unknown', reason: error.message };
    throw error;
  }
  if (settlement.kind === 'settled') return { ...settlement, isAudited: false };
  if (settlement.kind === 'pending') return { kind: 'unknown', reason: settlement.reason };
  return judgeSettlement(settlement, await readOutcome(fulfilment), request);
};

const settleSafely = async (fulfilment: Fulfilment): Promise<SettlementOutcome> => {
  try {
    return await settle(fulfilment);
  } catch (error) {
    fulfilment.context.onError('a settlement failed in this service', error);
    return { kind: 'unknown', reason: 'internal' };
  }
};

/**
 * Records a settlement.
 * @returns the receipt, even if the settlement could not be recorded, because the money has moved
 */
const recordSettlement = async (
  { context, request }: Fulfilment,
  { transaction, receipt, isAudited }: Extract<SettlementOutcome, { kind: 'settled' }>,
): Promise<string> => {
  const { db, now, onError } = context;
  try {
    return await settlePayment(db, request.key, { transaction, receipt, audited: isAudited, now: now() });
  } catch (error) {
    onError('a settled payment could not be recorded; reconciliation will find it on the chain', error);
    return receipt;
  }
};

/**
 * Records a settlement, before or after the response. If the process dies before the settlement is recorded,
 * reconciliation finds it on the chain, and a repeated request settles the payment again.
 */
const recordWhenAllowed = (
  fulfilment: Fulfilment,
  outcome: Extract<SettlementOutcome, { kind: 'settled' }>,
): Promise<string> => {
  const { runAfterResponse, onError } = fulfilment.context;
  if (!fulfilment.request.isRecordedLater || runAfterResponse === undefined) {
    return recordSettlement(fulfilment, outcome);
  }
  try {
    runAfterResponse(async () => {
      await recordSettlement(fulfilment, outcome);
    });
  } catch (error) {
    onError('a settlement cannot be recorded after the response, so it is recorded before', error);
    return recordSettlement(fulfilment, outcome);
  }
  return Promise.resolve(outcome.receipt);
};

/** Settles a payment whose result is stored, and responds with the result, the refusal, or a problem. */
export const settleAndRespond = async (fulfilment: Fulfilment, result: string): Promise<Response> => {
  const { context, request } = fulfilment;
  const outcome = await settleSafely(fulfilment);
  if (outcome.kind === 'settled') {
    const { next, response } = EVENTS.settled;
    return respond(response, { result, receipt: await recordWhenAllowed(fulfilment, outcome) }, next);
  }
  if (outcome.kind === 'refused' && (await failClaim(fulfilment))) {
    const { next, response } = EVENTS['settlement-refused'];
    const challenge = await context.gateway.createChallenge(request.target, outcome.reason);
    return respond(response, { challenge, receipt: outcome.receipt }, toResponseState(request, next));
  }
  // The outcome is unknown. The result stays stored and the lease is released, so the same request can settle the
  // payment again at once.
  const { next, response } = EVENTS['settlement-unknown'];
  await releaseClaim(fulfilment);
  context.onError(`it is not known whether a payment was settled: ${outcome.reason}`, null);
  return respond(response, {}, next);
};
