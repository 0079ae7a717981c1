import { randomUUID } from 'node:crypto';
import { PAYMENT_HEADERS } from '@touchstone/contract';
import { findPayment, storePaymentResult } from '@touchstone/store';
import type { OperationTarget } from './gateway/challenges.ts';
import {
  checkPayment,
  findSignatureRefusal,
  endRefused,
  isProbablyNew,
  type PaymentCheck,
} from './fulfilment/check-payment.ts';
import { endUnpaid, verifyAndClaim } from './fulfilment/claim-payment.ts';
import { confirmUnpaid, toOutcome } from './fulfilment/confirm-unpaid.ts';
import { findKnownPayment, handleKnownPayment, sealResult } from './fulfilment/known-payment.ts';
import { createLease } from './fulfilment/lease.ts';
import {
  isEnd,
  toPaymentKey,
  type AfterSlot,
  type Claim,
  type PaidRequest,
  type PurchaseStart,
  type RequestEnd,
  type Unpaid,
} from './fulfilment/paid-request.ts';
import { respondUnclaimed, toUnreadState } from './fulfilment/respond.ts';
import { settleAndRespond, settleStoredResult } from './fulfilment/settle.ts';
import type { RunInSlot } from './queue/purchase-queue.ts';
import { findPaymentHeader, toVersion1Response } from './request/payment-header.ts';
import { readInput } from './request/read-input.ts';
import { readPayment, type Authorization } from './request/read-payment.ts';
import { openSellerContext, type OngoingRequest, type SellerContext } from './seller-context.ts';
import type { Seller, SellerOptions, WorkResult } from './types.ts';

/**
 * Creates a seller that charges for operations with x402 versions 1 and 2: scheme `exact`, USDC, EIP-3009
 * authorizations. One payment buys one result, even if the payment is sent several times, is handled by several
 * processes, or a process dies. The facilitator is called only for payments.
 *
 * @throws Error when the network has no suitable USDC, or `payTo` is not an address
 */
export function createSeller(options: SellerOptions): Seller {
  const context = openSellerContext(options);
  return {
    respond: async (request, paidOperation, { client = '' } = {}) => {
      try {
        const sale = { paidOperation, address: client, client: context.toQueueClient(client) };
        const response = await handleRequest(context, request, sale);
        return findPaymentHeader(request.headers)?.version === 'v1' ? toVersion1Response(response) : response;
      } catch (error) {
        context.onError('a paid request failed', error);
        return respondUnclaimed('request-failed', {}, toUnreadState(request.headers));
      }
    },
  };
}

type Sale<Input> = Pick<PaidRequest<Input>, 'paidOperation' | 'client' | 'address'>;

/**
 * Responds to a request for a paid operation: with a challenge if it has no payment, otherwise with the outcome of its
 * payment.
 * @throws Error when the database fails before a settlement
 */
async function handleRequest<Input>(
  context: SellerContext,
  request: Request,
  { paidOperation, client, address }: Sale<Input>,
): Promise<Response> {
  const { gateway, ongoingRequests } = context;
  const { operation } = paidOperation;
  const path = operation.path.includes('{') ? new URL(request.url).pathname : operation.path;
  const target: OperationTarget = { operation, path };
  const header = findPaymentHeader(request.headers);
  if (header === null) {
    return respondUnclaimed('no-payment', { challenge: gateway.createChallenge(target) });
  }
  const terms = gateway.getTerms(target);
  const presented = readPayment(header.value, { terms, baseUrl: gateway.baseUrl });
  const arrivedAt = context.now();
  const unread = header.isOnly ? 'absent' : 'unknown';
  // Until a request with a payment ends, `hasCopies` returns true for other requests with the same payment. A request
  // with several payment headers counts as its own copy: only one of the payments is read.
  const run = (authorization: Authorization, handle: (ongoing: OngoingRequest) => Promise<Response>) =>
    ongoingRequests.run(`${authorization.payer} ${authorization.nonce}`, ({ hasCopies }) =>
      handle({ arrivedAt, hasCopies: () => !header.isOnly || hasCopies() }),
    );
  switch (presented.kind) {
    case 'unsupported': {
      const challenge = gateway.createChallenge(target, 'invalid_payload');
      return respondUnclaimed('payment-unsupported', { challenge }, unread);
    }
    case 'malformed': {
      const { mistakes, signed } = presented;
      const details = { mistakes, header: PAYMENT_HEADERS[header.version].toUpperCase() };
      if (signed === null) return respondUnclaimed('payment-malformed', details, unread);
      return run(signed.authorization, async (ongoing) => {
        const key = toPaymentKey(context, signed.authorization);
        const looking = context.lookupQueue.run(client, () => findPayment(context.db, key));
        const outcome = await confirmUnpaid(
          { ...ongoing, context, terms, payment: signed, client },
          { state: looking === null ? 'unknown' : ((await looking)?.state ?? 'absent'), verification: null },
        );
        return respondUnclaimed('payment-malformed', details, toOutcome(outcome));
      });
    }
    case 'payment': {
      const { payment } = presented;
      return run(payment.authorization, async (ongoing) => {
        const reading = await readInput(request, path, paidOperation);
        const key = { ...toPaymentKey(context, payment.authorization), owner: randomUUID() };
        const lease = createLease(context, key);
        const sale = { context, target, terms, payment, key, lease, paidOperation, client, address };
        return handlePayment({ ...ongoing, ...sale, reading }).finally(lease.end);
      });
    }
  }
}

/**
 * Handles a request with a well-formed payment. If the payment was probably not sent before, the purchase starts
 * immediately. All other payments are looked up in the database first, in a queue of their own: repeated payments,
 * payments that the first checks refused, and payments whose signature only the facilitator can check.
 */
async function handlePayment<Input>(request: PaidRequest<Input>): Promise<Response> {
  const { context, payment } = request;
  const check = checkPayment(request);
  const isFirst = context.recentPayments.set(payment.paymentHash, true);
  const start =
    isFirst && 'checked' in check && isProbablyNew(request, check.checked)
      ? ({ ...check.checked, verification: 'beside-claim' } as const)
      : await lookUp(request, check);
  const end = isEnd(start) ? start : await runPurchase(request, start);
  return end instanceof Response ? end : respondUnpaid(request, end);
}

async function runPurchase<Input>(
  request: PaidRequest<Input>,
  start: PurchaseStart<Input>,
): Promise<RequestEnd> {
  const { context, client } = request;
  const buying = context.queue.runPurchase(client, (inSlot) => purchase(request, start, inSlot));
  return buying ?? respondUnclaimed('queue-full', {});
}

/**
 * Responds to a request whose payment is not charged according to its row. If the chain shows that the payment is paid,
 * the payment buys the result of the request.
 */
async function respondUnpaid<Input>(request: PaidRequest<Input>, end: Unpaid): Promise<Response> {
  const { reading } = request;
  const confirmed = await confirmUnpaid(request, end);
  if (!('paidBy' in confirmed) || end.hasWorked || 'problem' in reading)
    return end.respond(toOutcome(confirmed));
  const { paidBy } = confirmed;
  const next = await runPurchase(request, { ...reading.read, verification: 'done', paidBy });
  return next instanceof Response ? next : next.respond({ state: 'unknown' });
}

/**
 * Reads the row of a payment, and decides what to do with its request.
 * @returns the end of the request, or the start of a purchase
 */
async function lookUp<Input>(
  request: PaidRequest<Input>,
  check: PaymentCheck<Input>,
): Promise<RequestEnd | PurchaseStart<Input>> {
  const { context, client } = request;
  const found = await context.lookupQueue.run(client, async () => {
    const { known, state } = await findKnownPayment(request);
    return known === null ? { state } : handleKnownPayment(request, known);
  });
  if (found === null) return respondUnclaimed('queue-full', {});
  if (!('state' in found)) return found;
  const { state } = found;
  if ('refusal' in check) return endRefused(request, check.refusal, state);
  const refusal = await findSignatureRefusal(request, check.checked.signer);
  if (refusal === 'queue-full') return respondUnclaimed('queue-full', {});
  if (refusal !== null) return endRefused(request, refusal, state);
  return { ...check.checked, verification: 'before-claim' };
}

/** Buys the result of a valid request: verifies and claims its payment, does the work, settles the payment. */
async function purchase<Input>(
  request: PaidRequest<Input>,
  start: PurchaseStart<Input>,
  inSlot: RunInSlot,
): Promise<RequestEnd> {
  const { paidOperation, key, context } = request;
  const claim = await inSlot(async (): Promise<Claim<Input> | RequestEnd | AfterSlot> => {
    const early = mayWorkEarly(request, start) ? doWork(request, start.input) : null;
    const held = await verifyAndClaim(request, start);
    if (isEnd(held)) {
      context.settledPayers.forget(key.payer);
      return held;
    }
    if (held.storedResult !== null) return settleStoredResult(held, held.storedResult);
    if (paidOperation.onlyReads !== true) return held;
    return settleWork(held, start.input, (await early) ?? (await doWork(request, start.input)));
  });
  if ('afterSlot' in claim || isEnd(claim)) return finish(claim);
  // Other work runs outside the queue, because such work can wait for an endpoint for several seconds.
  const done = await doWork(request, start.input);
  return finish(await inSlot(() => settleWork(claim, start.input, done)));
}

function finish(end: RequestEnd | AfterSlot): RequestEnd | Promise<Response> {
  return 'afterSlot' in end ? end.afterSlot() : end;
}

/**
 * Returns true if the work may run during the verification: the work only reads, the last payment of the payer was
 * settled, and no later payment of the payer was refused. So a series of refused payments causes work for at most its
 * first payment.
 */
function mayWorkEarly<Input>(
  { context, target, payment, paidOperation, key }: PaidRequest<Input>,
  { verification }: PurchaseStart<Input>,
): boolean {
  return (
    verification === 'beside-claim' &&
    paidOperation.onlyReads === true &&
    context.settledPayers.get(key.payer) === true &&
    // The payment may have expired while its request waited in the queue.
    context.gateway.findRefusalReason(target, payment.payload) === null
  );
}

/** Stores the result of the work, settles its payment and responds. If the work is outdated, it is done again. */
async function settleWork<Input>(
  claim: Claim<Input>,
  input: Input,
  done: WorkOutcome,
): Promise<RequestEnd | AfterSlot> {
  if (done === 'failed') return endUnpaid(claim, 'work-failed', {});
  if ('problem' in done) return endUnpaid(claim, 'work-refused', done);
  const stored = await storeResult(claim, done.json);
  if (stored === 'stored') return settleAndRespond(claim, done.json);
  if (stored === 'outdated') return settleWork(claim, input, await doWork(claim.request, input));
  return stored;
}

/** Outcome of work: the result as JSON, the problem that prevented the result, or the failure of the work. */
type WorkOutcome = { readonly json: string } | Extract<WorkResult, { problem: unknown }> | 'failed';

/** Does the work of a paid operation. Never rejects. */
async function doWork<Input>(
  { context, paidOperation, key, client }: PaidRequest<Input>,
  input: Input,
): Promise<WorkOutcome> {
  try {
    const done = await paidOperation.work(input, key, { client });
    return 'problem' in done ? done : { json: JSON.stringify(done.body) };
  } catch (error) {
    context.onError('paid work failed', error);
    return 'failed';
  }
}

/**
 * Stores a result before its payment is settled, encrypted if the operation has a cipher.
 * @returns the end of the request if the payment must not be settled, unless the work is outdated
 */
async function storeResult<Input>(
  claim: Claim<Input>,
  result: string,
): Promise<'stored' | 'outdated' | RequestEnd> {
  const { context, lease } = claim.request;
  const { db, leases, onError } = context;
  try {
    const sealed = await sealResult(claim.request, result);
    const stored = { result: sealed, leaseSeconds: lease.hold(leases.settleSeconds) };
    const outcome = await storePaymentResult(db, claim.request.key, stored);
    return outcome === 'superseded' ? respondUnclaimed('lease-lost', {}) : outcome;
  } catch (error) {
    onError('the result of paid work could not be stored', error);
    return endUnpaid(claim, 'result-not-stored', {});
  }
}
