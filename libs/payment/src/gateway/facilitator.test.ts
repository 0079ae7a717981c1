import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { createFacilitator } from '../index.ts';
import { createCdpHeaders } from './facilitator.ts';

const URL = 'https://api.cdp.coinbase.com/platform/v2/x402';

const ed25519 = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { d = '', x = '' } = privateKey.export({ format: 'jwk' });
  const secret = Buffer.concat([d, x].map((half) => Buffer.from(half, 'base64url'))).toString('base64');
  return { secret, publicKey, alg: 'EdDSA' };
};
const p256 = (type: 'sec1' | 'pkcs8') => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { secret: privateKey.export({ format: 'pem', type }).toString(), publicKey, alg: 'ES256' };
};

const oneLine = (key: ReturnType<typeof p256>) => ({ ...key, secret: key.secret.replaceAll('\n', '\\n') });

test.each([
  ['an Ed25519 key', ed25519()],
  ['a P-256 key of SEC 1', p256('sec1')],
  ['a P-256 key of PKCS 8, on one line', oneLine(p256('pkcs8'))],
])('%s signs a token for each path, as the platform wants it', async (_, { secret, publicKey, alg }) => {
  const headers = await createCdpHeaders(
    { keyId: 'organizations/o/apiKeys/k', keySecret: secret },
    `${URL}/`,
  )();
  const nonces = new Set<unknown>();
  for (const [operation, method] of [
    ['verify', 'POST'],
    ['settle', 'POST'],
    ['supported', 'GET'],
  ] as const) {
    const token = headers[operation]?.['Authorization']?.replace('Bearer ', '') ?? '';
    const { payload } = await jwtVerify(token, publicKey, { issuer: 'cdp', algorithms: [alg] });
    expect(payload).toMatchObject({
      sub: 'organizations/o/apiKeys/k',
      uris: [`${method} api.cdp.coinbase.com/platform/v2/x402/${operation}`],
    });
    expect((payload.exp ?? 0) - (payload.nbf ?? 0)).toBe(120);
    const { kid, nonce, typ } = decodeProtectedHeader(token) as Record<string, unknown>;
    expect({ kid, typ }).toEqual({ kid: 'organizations/o/apiKeys/k', typ: 'JWT' });
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(3);
});

test('an invalid key secret is refused at the start with an error that does not contain the secret', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey.export({
    format: 'pem',
    type: 'pkcs8',
  });
  for (const secret of ['hunter2', '-----BEGIN EC PRIVATE KEY-----\nhunter2\n', rsa.toString()]) {
    const start = () => createFacilitator({ url: URL, auth: { keyId: 'k', keySecret: secret } });
    expect(start).toThrow(/^the secret of the CDP key is neither an Ed25519 nor a P-256 key$/);
  }
});

test('a request to the facilitator carries the token of its path', async () => {
  const seen: [string, string][] = [];
  const server = createServer((request, response) => {
    const token = (request.headers.authorization ?? '').replace('Bearer ', '').split('.')[1] ?? '';
    seen.push([request.url ?? '', Buffer.from(token, 'base64url').toString('utf8')]);
    response.end(JSON.stringify({ kinds: [] }));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/x402`;
  await createFacilitator({ url, auth: { keyId: 'k', keySecret: ed25519().secret } }).getSupported();
  server.close();
  expect(seen).toEqual([
    ['/x402/supported', expect.stringContaining(`GET 127.0.0.1:${port}/x402/supported`) as string],
  ]);
});
