import { createProblem } from '@touchstone/contract';
import { describe, expect, it } from 'vitest';
import { addPaymentState } from './paid-route.ts';

const createRequest = (method: string, headers: Record<string, string> = {}) =>
  new Request('http://localhost/v1/x402-trust', { method, headers });
const PAYMENT = { 'payment-signature': 'eyJ9' };

describe('addPaymentState', () => {
  const problem = createProblem('rate-limited', 'Wait.');

  it.each([
    ['POST', {}],
    ['GET', {}],
    ['GET', PAYMENT],
    ['GET', { 'x-payment': 'eyJ9' }],
  ])('adds notCharged to the error of a %s request with the headers %j', (method, headers) => {
    expect(addPaymentState(problem, createRequest(method, headers))).toEqual({
      ...problem,
      detail: 'Wait. Nothing was charged.',
      notCharged: true,
    });
  });

  it.each([PAYMENT, { 'x-payment': 'eyJ9' }])(
    'does not add notCharged if an earlier request may have settled the payment in the header %j',
    (headers) => {
      expect(addPaymentState(problem, createRequest('POST', headers))).toEqual(problem);
    },
  );
});
