import { expect, test } from 'vitest';
import { readPayment } from './read-payment.ts';

const authorization = {
  from: `0x${'1'.repeat(40)}`,
  to: `0x${'2'.repeat(40)}`,
  value: '5000',
  validAfter: '0',
  validBefore: '1800000000',
  nonce: `0x${'3'.repeat(64)}`,
};
const PAYLOAD = { signature: `0x${'4'.repeat(130)}`, authorization };
const readPayload = (payload: object) =>
  readPayment(
    Buffer.from(
      JSON.stringify({
        x402Version: 2,
        accepted: {
          scheme: 'exact',
          network: 'eip155:8453',
          amount: '5000',
          asset: authorization.to,
          payTo: authorization.to,
          maxTimeoutSeconds: 300,
          extra: {},
        },
        payload,
      }),
    ).toString('base64'),
  );
const MEMBERS = 'does not have the members of an EIP-3009 authorization, or has others too';

test('reads a payment', () => {
  expect(readPayload(PAYLOAD)).toMatchObject({ kind: 'payment' });
});

test.each([
  ['nonce', '0x1', `must be 32 bytes in hex, such as 0x${'5a'.repeat(32)}; received "0x1"`],
  [
    'nonce',
    `0x${'g'.repeat(64)}`,
    `must be 32 bytes in hex, such as 0x${'5a'.repeat(32)}; received "0x${'g'.repeat(58)}…" (66 characters)`,
  ],
  [
    'from',
    '0x\u202e\n',
    `must be 20 bytes in hex, such as 0x${'5a'.repeat(20)}; received "0x\\u{202e}\\u{a}"`,
  ],
  ['value', '-1', 'must be a string of 1 to 78 decimal digits, such as "5000"; received "-1"'],
  ['value', 5000, 'must be a string; received 5000'],
])('describes a wrong `%s` with the expected and the received value: %j', (name, value, text) => {
  const reason = `\`payload.authorization.${name}\` ${text}`;
  const payload = { ...PAYLOAD, authorization: { ...authorization, [name]: value } };
  expect(readPayload(payload)).toEqual({ kind: 'malformed', reason });
});

test('describes a wrong signature', () => {
  const reason = '`payload.signature` must be 1 to 8,192 bytes in hex, such as 0x5a5a; received "0x123"';
  expect(readPayload({ ...PAYLOAD, signature: '0x123' })).toEqual({ kind: 'malformed', reason });
});

test.each([
  [
    'a missing nonce',
    { ...PAYLOAD, authorization: { ...authorization, nonce: undefined } },
    'payload.authorization',
  ],
  ['an unknown member', { ...PAYLOAD, authorization: { ...authorization, v: 27 } }, 'payload.authorization'],
  ['a missing signature', { authorization }, 'payload'],
  ['a second authorization', { ...PAYLOAD, permit2Authorization: {} }, 'payload'],
])('describes the members for %s', (_name, payload, path) => {
  expect(readPayload(payload)).toEqual({ kind: 'malformed', reason: `\`${path}\` ${MEMBERS}` });
});
