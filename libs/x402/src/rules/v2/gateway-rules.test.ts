import { expect, test } from 'vitest';
import { V2_GATEWAY_RULES } from './gateway-rules.ts';
import {
  BASE_USDC,
  DOMAIN,
  GATEWAY,
  getCheck,
  listFailures,
  OTHER_WALLET,
  POLYGON,
  readV2,
  SOLANA,
  type JsonObject,
} from '../../testing/fixtures.ts';
import { testRules } from '../../testing/test-rules.ts';

const OWN_CONTRACT = { extra: { name: 'Escrow', version: '1', verifyingContract: OTHER_WALLET } };

/** Each example is a list of changes. Each change creates one payment option. */
testRules<readonly JsonObject[]>({
  rules: V2_GATEWAY_RULES,
  read: (changes) => readV2(...changes),
  cases: {
    'v2-own-domain-order': {
      pass: [
        [{}, GATEWAY],
        [{}, OWN_CONTRACT],
        [{ ...POLYGON }, GATEWAY],
        // Clients drop options over one dollar.
        [{ ...GATEWAY, amount: '2000000' }, {}],
      ],
      error: [
        [GATEWAY],
        [GATEWAY, {}],
        [OWN_CONTRACT],
        [{ amount: '2000000' }, GATEWAY],
        // A buyer with an EVM wallet cannot pay on Solana.
        [SOLANA, GATEWAY],
      ],
      skip: [
        [{}],
        // Stock clients sign this domain for the token, so the payment settles.
        [{ extra: { ...DOMAIN, verifyingContract: OTHER_WALLET } }],
        [{ extra: { name: 'Escrow', version: '1', verifyingContract: BASE_USDC.toLowerCase() } }],
        // Clients sign Permit2 payments with the domain of the Permit2 contract.
        [{ extra: { assetTransferMethod: 'permit2', verifyingContract: OTHER_WALLET } }],
      ],
    },
    'v2-gateway-validity': {
      pass: [[{}, GATEWAY]],
      warning: [[{}, { ...GATEWAY, maxTimeoutSeconds: 345_600 }]],
      skip: [
        [{}],
        [{}, OWN_CONTRACT],
        [{}, { ...GATEWAY, scheme: 'upto', maxTimeoutSeconds: 60 }],
        [
          {},
          { extra: { name: 'GatewayWalletBatched', assetTransferMethod: 'permit2' }, maxTimeoutSeconds: 60 },
        ],
      ],
    },
  },
});

test('options for Circle Gateway violate no rule for EIP-3009 payments of the token', () => {
  const dual = (...changes: readonly JsonObject[]): string[] =>
    listFailures(readV2(...changes)).filter((id) => !listFailures(readV2()).includes(id));
  expect(dual({}, GATEWAY)).toEqual([]);
  expect(dual({}, { ...GATEWAY, amount: '10', asset: BASE_USDC.toLowerCase() })).toEqual([
    'v2-asset-checksum',
  ]);
  expect(readV2({}, GATEWAY)).toMatchObject({ settles: { v2: true } });
});

test.each([
  [[GATEWAY], /^Only a client with Circle Gateway pays this option\./],
  [
    [{ amount: '2000000' }, GATEWAY],
    /^Clients select the first option of accepts that they can pay, by default of at most \$1\. Only a client with Circle/,
  ],
  [[OWN_CONTRACT], /^Only a client that supports the verifyingContract in extra pays/],
])('a selected option with a domain of its own is unpayable for other clients: %j', (changes, message) => {
  const challenge = readV2(...changes);
  expect(challenge.verdict).toBe('unpayable');
  expect(challenge.settlementFailures.v2).toMatch(
    /^Only a client .* Other clients sign for the token, and that payment fails\.$/,
  );
  expect(getCheck(challenge, 'v2-own-domain-order').message).toMatch(message);
});
