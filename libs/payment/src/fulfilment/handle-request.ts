import { findPayment, type Payment } from '@touchstone/store';
import { getAddress } from 'viem';
import type { OperationTarget } from '../gateway/gateway.ts';
import { readInput } from '../request/read-input.ts';
import { readPayment, type Authorization } from '../request/read-payment.ts';
import type { SellerContext } from '../seller-context.ts';
import type { PaidOperation } from '../types.ts';
import { claimAndFulfil } from './claim.ts';
import { chooseTreatment, toPaymentKey, toRoute, type PaidRequest } from './paid-request.ts';
import type { PaymentState } from './payment-states.ts';
import { respondUnclaimed } from './respond.ts';
import { replayResult } from './stored-result.ts';
import { verifyRequest } from './verify.ts';

const toTarget = (request: Request, operation: OperationTarget['operation']): OperationTarget => ({
  operation,
  path: operation.path.includes('{') ? new URL(request.url).pathname : operation.path,
});

/**
 * Responds to a payment that was presented before with the same secret. The payment is not verified again, because a
 * facilitator refuses a payment that it has already settled. The payment terms of the first claim stay valid.
 */
const handleKnownPayment = async <Input>(
  context: SellerContext,
  request: PaidRequest<Input>,
  known: Payment,
): Promise<Response> => {
  const { gateway, now } = context;
  const { target, payment } = request;
  const reading = await request.readInput();
  if ('problem' in reading) {
    return respondUnclaimed('request-invalid', { problem: reading.problem }, known.state);
  }
  if (known.route !== toRoute(target) || known.requestHash !== reading.read.requestHash) {
    return respondUnclaimed('payment-of-other-request', {});
  }
  switch (chooseTreatment(known, payment, now())) {
    case 'replay':
      return replayResult(context, request, known);
    case 'wait':
      return respondUnclaimed('payment-held', {});
    // `verify` occurs here only if the lease ended while the body was read.
    case 'verify':
    case 'settle': {
      const terms = {
        ...(await gateway.getTerms(target)),
        amount: known.amount.toString(),
        payTo: getAddress(known.payTo),
      };
      const claim = { ...reading.read, terms, since: known.createdAt, isVerified: false };
      return claimAndFulfil(context, request, claim);
    }
  }
};

const handlePaidRequest = async <Input>(
  context: SellerContext,
  request: PaidRequest<Input>,
): Promise<Response> => {
  const { db, now } = context;
  const key = toPaymentKey(context, request.payment);
  const known = await findPayment(db, key);
  if (known !== null && chooseTreatment(known, request.payment, now()) !== 'verify') {
    return handleKnownPayment(context, request, known);
  }
  const verification = await verifyRequest(context, request);
  if ('verified' in verification) {
    return claimAndFulfil(context, request, { ...verification.verified, since: now(), isVerified: true });
  }
  // Another request with the same payment may have been processed in the meantime, so the row of the payment is read
  // again.
  const current = await findPayment(db, key);
  if (current !== null && chooseTreatment(current, request.payment, now()) !== 'verify') {
    return handleKnownPayment(context, request, current);
  }
  return verification.reject(current?.state ?? 'absent');
};

/**
 * Returns the state of a payment that cannot be processed as it was sent. An earlier request may have settled the same
 * authorization.
 */
const readState = async (
  context: SellerContext,
  authorization: Authorization | null,
): Promise<PaymentState> => {
  if (authorization === null) return 'absent';
  const stored = await findPayment(context.db, toPaymentKey(context, { authorization }));
  return stored?.state ?? 'absent';
};

/**
 * Responds to a request for a paid operation.
 * @throws Error when the database fails before a settlement
 */
export const handleRequest = async <Input>(
  context: SellerContext,
  request: Request,
  paidOperation: PaidOperation<Input>,
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
      return respondUnclaimed('payment-malformed', { mistakes }, await readState(context, authorization));
    }
    case 'unsupported': {
      const challenge = await gateway.createChallenge(target, 'invalid_payload');
      return respondUnclaimed('payment-unsupported', { challenge });
    }
    case 'payment': {
      let reading: ReturnType<typeof readInput<Input>> | undefined;
      return handlePaidRequest(context, {
        target,
        payment: presented.payment,
        paidOperation,
        readInput: () => (reading ??= readInput(request, target.path, paidOperation)),
      });
    }
  }
};
