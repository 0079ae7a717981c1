import { UNLIMITED_TURN, type Turn } from '../queue/purchase-queue.ts';
import { findPayment } from '@touchstone/store';
import type { OperationTarget } from '../gateway/gateway.ts';
import type { OngoingRequest } from '../request/ongoing-requests.ts';
import { readInput } from '../request/read-input.ts';
import { readPayment, type Authorization } from '../request/read-payment.ts';
import type { SellerContext } from '../seller-context.ts';
import type { PaidOperation } from '../types.ts';
import { checkRequest } from './check-request.ts';
import { rememberPresentation, lookUpPayment } from './look-up.ts';
import { toPaymentKey, toResponseState, type PaidRequest } from './paid-request.ts';
import type { KnownState, PaymentState } from './payment-states.ts';
import { purchase } from './purchase.ts';
import { respondUnclaimed } from './respond.ts';

const toTarget = (request: Request, operation: OperationTarget['operation']): OperationTarget => ({
  operation,
  path: operation.path.includes('{') ? new URL(request.url).pathname : operation.path,
});

/** Runs a purchase when it is the turn of its client. */
const runInTurn = (
  { queue }: SellerContext,
  client: string,
  run: (turn: Turn) => Promise<Response>,
): Promise<Response> | Response => {
  if (queue === undefined) return run(UNLIMITED_TURN);
  return queue.run(client, run) ?? respondUnclaimed('queue-full', {});
};

/**
 * Handles a request with a well-formed payment. A payment that was probably not sent before is claimed at once, in a
 * turn. All others are looked up first, outside the turns: repeated payments, those that the first checks refused, and
 * those that only the facilitator can check.
 */
const handlePayment = async <Input>(
  context: SellerContext,
  request: PaidRequest<Input>,
): Promise<Response> => {
  const { client } = request;
  const check = await checkRequest(context, request);
  const first = rememberPresentation(context, request, check);
  if (first !== null)
    return runInTurn(context, client, (turn) =>
      purchase(context, request, { ...first, turn, isVerifiedFirst: false }),
    );
  // No turn of the lookups may wait for a slow client.
  await request.readInput();
  const found = await context.lookupQueue.run(client, () => lookUpPayment(context, request, check));
  if (found === null) return respondUnclaimed('queue-full', {});
  return found instanceof Response ? found : runInTurn(context, client, found);
};

/**
 * Returns the state of a payment that cannot be processed as it was sent. An earlier request may have settled the same
 * authorization.
 */
const readState = async (
  context: SellerContext,
  client: string,
  authorization: Authorization,
): Promise<KnownState> => {
  const read = async (): Promise<PaymentState> => {
    const stored = await findPayment(context.db, toPaymentKey(context, { authorization }));
    return stored?.state ?? 'absent';
  };
  return (await context.lookupQueue.run(client, read)) ?? 'unknown';
};

/** Runs a request with a payment. Until it ends, other requests with this payment know that it is under way. */
const runOngoing = (
  { ongoingRequests }: SellerContext,
  { payer, nonce }: Authorization,
  handle: (ongoing: OngoingRequest) => Promise<Response>,
): Promise<Response> => ongoingRequests.run(`${payer} ${nonce}`, handle);

/**
 * Responds to a request for a paid operation. Only purchases take a turn in the queue.
 * @throws Error when the database fails before a settlement
 */
export const handleRequest = async <Input>(
  context: SellerContext,
  request: Request,
  { paidOperation, client }: { readonly paidOperation: PaidOperation<Input>; readonly client: string },
): Promise<Response> => {
  const { gateway } = context;
  const target = toTarget(request, paidOperation.operation);
  const header = request.headers.get('payment-signature') ?? '';
  if (header === '') {
    const challenge = await gateway.createChallenge(target);
    return respondUnclaimed('no-payment', { challenge });
  }
  const { baseUrl } = gateway;
  const presented = readPayment(header, { terms: await gateway.getTerms(target), baseUrl });
  switch (presented.kind) {
    case 'malformed': {
      const { mistakes, authorization } = presented;
      if (authorization === null) return respondUnclaimed('payment-malformed', { mistakes }, 'absent');
      return runOngoing(context, authorization, async (ongoing) => {
        const state = await readState(context, client, authorization);
        return respondUnclaimed('payment-malformed', { mistakes }, toResponseState(ongoing, state));
      });
    }
    case 'unsupported': {
      const challenge = await gateway.createChallenge(target, 'invalid_payload');
      return respondUnclaimed('payment-unsupported', { challenge });
    }
    case 'payment': {
      const { payment } = presented;
      let reading: ReturnType<typeof readInput<Input>> | undefined;
      return runOngoing(context, payment.authorization, (ongoing) =>
        handlePayment(context, {
          ...ongoing,
          target,
          payment,
          paidOperation,
          client,
          readInput: () => (reading ??= readInput(request, target.path, paidOperation)),
        }),
      );
    }
  }
};
