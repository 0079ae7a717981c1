import { expect, it } from 'vitest';
import { selectNotPayableReason } from './not-payable-reason.ts';

const refusals = { v1: 'The body is no JSON object.', v2: 'There is no header.' };

it('names a payment that would fail before a payment that is not signed', () => {
  const settlementFailures = { v1: 'The domain is wrong.', v2: null };
  expect(selectNotPayableReason({ version: 2, refusals, settlementFailures })).toBe('The domain is wrong.');
});

it.each([
  [1, refusals.v1],
  [2, refusals.v2],
  [null, refusals.v2],
] as const)('names the reason of protocol version %s first', (version, reason) => {
  const settlementFailures = { v1: null, v2: null };
  expect(selectNotPayableReason({ version, refusals, settlementFailures })).toBe(reason);
});

it('uses the reason of the other version when its own has none', () => {
  const only = { v1: refusals.v1, v2: null };
  expect(selectNotPayableReason({ version: 2, refusals: only, settlementFailures: null })).toBe(refusals.v1);
  expect(selectNotPayableReason({ version: 2, refusals: null, settlementFailures: null })).toBeNull();
});
