import { expect, test } from 'vitest';
import { readChallenge } from '../../read-challenge.ts';
import {
  BASE_USDC,
  CELO,
  getCheck,
  SOLANA,
  v2Envelope,
  v2Option,
  v2Response,
  type JsonObject,
} from '../../testing/fixtures.ts';
import { testRules } from '../../testing/test-rules.ts';
import type { Challenge } from '../../types.ts';
import { FACILITATOR_RULES } from './facilitator-rules.ts';

interface Example {
  readonly description?: unknown;
  readonly options?: readonly JsonObject[];
  readonly settledThrough?: readonly string[];
}

function read({ description = 'Weather by city', options = [{}], settledThrough }: Example): Challenge {
  const { resource } = v2Envelope();
  const accepts = options.map((change) => v2Option(change));
  const envelope = v2Envelope({ resource: { ...(resource as JsonObject), description }, accepts });
  return readChallenge(v2Response(envelope), { settledThrough });
}

const LONG = 'x'.repeat(501);
/** An option whose payments only Circle Gateway can settle. */
const GATEWAY = { amount: '10', extra: { name: 'GatewayWalletBatched', version: '1' } };
/** An option that is signed for another contract than the token. */
const ESCROW = {
  amount: '10',
  extra: { name: 'Escrow', version: '1', verifyingContract: `0x${'7'.repeat(40)}` },
};

const TOKEN = { extra: { name: 'USD Coin', version: '2', verifyingContract: BASE_USDC } };

testRules<Example>({
  rules: FACILITATOR_RULES,
  read,
  cases: {
    'facilitator-description': {
      pass: [
        ...[{ description: 'x'.repeat(500) }, { description: '' }],
        // 500 code points, but 1000 UTF-16 code units.
        { description: '💸'.repeat(500) },
      ],
      warning: [
        ...[
          { description: LONG },
          { description: '💸'.repeat(501) },
          { description: LONG, options: [CELO, SOLANA] },
          // An ordinary option, although it names a contract: the token.
          { description: LONG, options: [TOKEN] },
        ],
        { description: LONG, settledThrough: ['coinbase', 'other'] },
      ],
      // Many sellers with long descriptions are paid through CDP.
      'warning on payable': [{ description: LONG, settledThrough: ['coinbase'] }],
      skip: [
        { description: LONG, options: [CELO] },
        { description: LONG, options: [GATEWAY] },
        { description: null },
        // Other facilitators settle the payments of the seller.
        ...[['payAI'], ['payAI', 'dexter']].map((settledThrough) => ({ description: LONG, settledThrough })),
      ],
    },
    'facilitator-amount': {
      pass: [{ options: [{ amount: '1000' }] }],
      warning: [
        { options: [{ amount: '999' }] },
        { options: [{ amount: '1' }], settledThrough: ['coinbase'] },
      ],
      skip: [
        ...[
          { options: [{ ...CELO, amount: '1' }] },
          { options: [{ amount: '0' }] },
          { options: [{ amount: 1 }] },
        ],
        { options: [{ amount: '1' }], settledThrough: ['payAI', 'other'] },
        ...[{ options: [{ scheme: 'upto', amount: '1' }] }, { options: [GATEWAY, ESCROW] }],
      ],
    },
  },
});

test('the messages name the facilitator and what is known about its limit', () => {
  expect(
    getCheck(read({ description: LONG, settledThrough: ['coinbase'] }), 'facilitator-description').message,
  ).toBe(
    'resource.description has 501 characters. Sellers reported that the CDP facilitator accepts 500 characters and refuses 501 (reports read on 2026-11-27). CDP settled the recent payments to this seller.',
  );
  expect(getCheck(read({ options: [{ amount: '100' }] }), 'facilitator-amount').message).toBe(
    'amount is "100". Sellers reported that the CDP facilitator accepts 1000 atomic units on Base Sepolia and refuses 200 (reports read on 2026-11-27).',
  );
  expect(getCheck(read({ options: [{ amount: '500' }] }), 'facilitator-amount').message).toMatch(
    /^amount is "500"\. .* There is no report on amounts between these two\.$/,
  );
  expect(
    getCheck(read({ options: [{ amount: '500' }], settledThrough: ['payAI'] }), 'facilitator-amount')
      .skipReason,
  ).toMatch(/^Other facilitators than CDP settled/);
});
