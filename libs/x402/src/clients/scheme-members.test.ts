import { x402Client, x402HTTPClient } from '@x402/core/client';
import { AuthCaptureEvmScheme } from '@x402/evm/auth-capture/client';
import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/client';
import { UptoEvmScheme } from '@x402/evm/upto/client';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import {
  DOMAIN,
  encode,
  PAY_TO,
  SCHEME_OPTIONS,
  v2Envelope,
  v2Option,
  type JsonObject,
} from '../testing/fixtures.ts';
import { listMissingSchemeMembers } from './scheme-members.ts';

const account = privateKeyToAccount(generatePrivateKey());

/** Returns true when a version 2 client that supports all schemes signs a payment for the option. */
async function isSigned(option: JsonObject): Promise<boolean> {
  const client = new x402Client();
  for (const scheme of [
    new UptoEvmScheme(account),
    new BatchSettlementEvmScheme(account),
    new AuthCaptureEvmScheme(account),
  ]) {
    client.register('eip155:*', scheme);
  }
  const http = new x402HTTPClient(client);
  const terms = http.getPaymentRequiredResponse(() => encode(v2Envelope({ accepts: [option] })), undefined);
  return client.createPaymentPayload(terms).then(
    () => true,
    () => false,
  );
}

const CAPTURE = SCHEME_OPTIONS.capture.extra;
const ZERO = `0x${'0'.repeat(40)}`;

test.each<[scheme: string, extra: JsonObject, missing: string | null]>([
  ['upto', { facilitatorAddress: PAY_TO }, null],
  ['upto', DOMAIN, 'facilitatorAddress'],
  ['upto', { facilitatorAddress: 'merchant' }, 'facilitatorAddress'],
  ['batch-settlement', { ...DOMAIN, receiverAuthorizer: PAY_TO }, null],
  ['batch-settlement', DOMAIN, 'receiverAuthorizer'],
  ['batch-settlement', { ...DOMAIN, receiverAuthorizer: ZERO }, 'receiverAuthorizer'],
  ['auth-capture', CAPTURE, null],
  ...['captureAuthorizer', 'feeRecipient', 'captureDeadline', 'refundDeadline', 'minFeeBps', 'maxFeeBps'].map(
    (name): [string, JsonObject, string] => ['auth-capture', { ...CAPTURE, [name]: undefined }, name],
  ),
  ['auth-capture', { ...CAPTURE, captureDeadline: '2000000000' }, 'captureDeadline'],
  ['auth-capture', { ...CAPTURE, refundDeadline: 2 ** 48 }, 'refundDeadline'],
  ['auth-capture', { ...CAPTURE, maxFeeBps: 0.5 }, 'maxFeeBps'],
  ['auth-capture', { ...CAPTURE, feeRecipient: 'merchant' }, 'feeRecipient'],
])('the client of scheme %s with extra %j misses %s', async (scheme, extra, missing) => {
  const missingMembers = missing === null ? [] : [missing];
  expect(listMissingSchemeMembers({ scheme, network: 'eip155:8453', extra })).toEqual(missingMembers);
  expect(await isSigned(v2Option({ scheme, extra }))).toBe(missing === null);
});
