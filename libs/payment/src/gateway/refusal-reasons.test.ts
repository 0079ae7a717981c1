import { expect, test } from 'vitest';
import { describeRefusal, isBeforeBroadcast } from './refusal-reasons.ts';

test.each([
  ['invalid_exact_evm_insufficient_balance', 'The payer does not hold enough USDC for this payment.', true],
  ['invalid_exact_evm_nonce_already_used', 'The nonce of the authorization was already used.', false],
  ['transaction_failed', 'The transfer failed on the chain.', false],
  ['blocked_address', 'The payment was refused; `error` has the reason.', false],
  ['constructor', 'The payment was refused; `error` has the reason.', false],
])('%s has a sentence', (reason, detail, beforeBroadcast) => {
  expect(describeRefusal(reason)).toBe(detail);
  expect(isBeforeBroadcast(reason)).toBe(beforeBroadcast);
});

test('a refusal without a reason has a sentence, too', () => {
  expect(describeRefusal(undefined)).toBe('The payment was refused; `error` has the reason.');
});
