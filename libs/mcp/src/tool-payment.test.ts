import { describe, expect, it } from 'vitest';
import { readPayment } from './tool-payment.ts';

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');
const V1 = { x402Version: 1, scheme: 'exact', network: 'base', payload: { signature: '0x1' } };
const V2 = { x402Version: 2, payload: { signature: '0x2', note: 'é' } };

describe('readPayment', () => {
  it.each([
    ['x402/payment', V2, { 'payment-signature': encode(V2) }],
    ['x402/payment', V1, { 'x-payment': encode(V1) }],
    ['x402/payment', encode(V2), { 'payment-signature': encode(V2) }],
    ['x402/payment', encode(V1), { 'x-payment': encode(V1) }],
    ['x402.payment', V2, { 'payment-signature': encode(V2) }],
    ['x402.payment', encode(V1), { 'x-payment': encode(V1) }],
  ])('reads %s: %j', (member, payment, headers) => {
    expect(readPayment({ [member]: payment, progressToken: 1 })).toEqual({ member, headers });
  });

  it.each([
    [7],
    [true],
    [[]],
    [[V1]],
    [''],
    ['no base64\n'],
    ['eyJ4NDAyVmVyc2lvbiI6MX0_'],
    ['é'],
    [{}],
    [{ x402Version: '1' }],
  ])('passes %j on as a payment of version 2, so that it is refused', (payment) => {
    const headers = { 'payment-signature': encode(payment) };
    expect(readPayment({ 'x402/payment': payment })).toEqual({ member: 'x402/payment', headers });
  });

  it('prefers the member of the x402 transport', () => {
    expect(readPayment({ 'x402.payment': V1, 'x402/payment': V2 })?.member).toBe('x402/payment');
  });

  it.each([[undefined], [{}], [{ 'x402/payment': null, 'x402.payment': null }]])(
    'returns null for %j',
    (meta) => {
      expect(readPayment(meta)).toBeNull();
    },
  );
});
