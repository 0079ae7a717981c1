import { runInNewContext } from 'node:vm';
import { x402HTTPResourceServer, x402ResourceServer, type FacilitatorClient } from '@x402/core/server';
import { ExactEvmScheme } from '@x402/evm/exact/server';
import { ExactSvmScheme } from '@x402/svm/exact/server';
import { describe, expect, test } from 'vitest';
import { readChallenge } from '../read-challenge.ts';
import { EURC, PAY_TO, readV1, readV2, REQUEST_URL, SOLANA, type JsonObject } from '../testing/fixtures.ts';
import type { Challenge } from '../types.ts';
import { PAY_TO_PLACEHOLDER, repairOptions } from './repair-terms.ts';
import type { PaidRoute } from './paid-route.ts';
import { formatServerCode, recognizeStack, type Stack } from './server-code.ts';

const DESCRIPTION = 'Weather "now", `${1}`\n*/ </script> # //';

function repairAll({ options }: Challenge): PaidRoute['options'] {
  const repaired = repairOptions(options);
  if (repaired === null) throw new Error('no option was repaired');
  return repaired;
}

function createRoute(options: PaidRoute['options']): PaidRoute {
  return {
    method: 'GET',
    url: REQUEST_URL,
    description: DESCRIPTION,
    mimeType: 'application/json',
    options,
    isForBrowsers: true,
    remarks: [],
  };
}

const FEE_PAYER = SOLANA.extra.feePayer;

/** Facilitator that supports the networks of the tests. */
const facilitator: FacilitatorClient = {
  verify: () => Promise.reject(new Error('no payment is verified')),
  settle: () => Promise.reject(new Error('no payment is settled')),
  getSupported: () =>
    Promise.resolve({
      kinds: [
        { x402Version: 2, scheme: 'exact', network: 'eip155:8453' },
        {
          x402Version: 2,
          scheme: 'exact',
          network: SOLANA.network as `solana:${string}`,
          extra: { feePayer: FEE_PAYER },
        },
      ],
      extensions: [],
      signers: {},
    }),
};

type Routes = ConstructorParameters<typeof x402HTTPResourceServer>[1];

/** Runs written code with the real server classes. Returns what the code passes to the payment middleware. */
function runCode(code: string): { routes: Routes; server: x402ResourceServer } {
  const body = code.replaceAll(/^import .*$/gm, '').replaceAll(/^export const GET = /gm, '');
  const created: { routes: Routes; server: x402ResourceServer }[] = [];
  const keep = (routes: Routes, server: x402ResourceServer): void => void created.push({ routes, server });
  const app = { use: () => undefined };
  const values = {
    express: () => app,
    Hono: function Hono() {
      return app;
    },
    cors: () => undefined,
    paymentMiddleware: keep,
    withX402: (_: unknown, routes: Routes, server: x402ResourceServer) => keep(routes, server),
    handler: () => undefined,
    x402ResourceServer,
    ExactEvmScheme,
    ExactSvmScheme,
    HTTPFacilitatorClient: function createFacilitator() {
      return facilitator;
    },
    process: { env: {} },
  };
  runInNewContext(body, values);
  const [first] = created;
  if (first === undefined) throw new Error('the code declares no route');
  return first;
}

/** Requests the route of written code without a payment, and reads the challenge. */
async function requestChallenge(stack: Stack, options: PaidRoute['options']): Promise<Challenge> {
  const { routes, server } = runCode(formatServerCode(stack, createRoute(options)));
  await server.initialize();
  const url = new URL(REQUEST_URL);
  const result = await new x402HTTPResourceServer(server, routes).processHTTPRequest({
    path: url.pathname,
    method: 'GET',
    adapter: {
      getHeader: () => undefined,
      getMethod: () => 'GET',
      getPath: () => url.pathname,
      getUrl: () => `http://localhost:3000${url.pathname}`,
      getAcceptHeader: () => 'application/json',
      getUserAgent: () => 'test',
    },
  });
  if (result.type !== 'payment-error') throw new Error(`the route answered ${result.type}`);
  const { status, headers, body } = result.response;
  return readChallenge({
    url: REQUEST_URL,
    method: 'GET',
    status,
    headers: Object.entries(headers),
    body: JSON.stringify(body ?? {}),
  });
}

const FAULTS: readonly (readonly [fault: string, change: JsonObject])[] = [
  ['no fault', {}],
  ['a version 1 name as network', { network: 'base' }],
  ['an invalid network', { network: 'eip155:base' }],
  ['another scheme name', { scheme: 'EXACT ' }],
  ['a price in dollars', { amount: '0.01' }],
  ['a token of another network', { asset: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359' }],
  ['the symbol as asset', { asset: 'USDC' }],
  ['no domain', { extra: {} }],
  ['a validity of a year', { maxTimeoutSeconds: 31_536_000 }],
  ['Solana', SOLANA],
];

describe('formatServerCode', () => {
  describe.each(['express', 'hono', 'next'] as const)('%s', (stack) => {
    test.each(FAULTS)('clients pay the challenge of the code for an option with %s', async (_, change) => {
      const challenge = await requestChallenge(stack, repairAll(readV2(change)));
      expect(challenge.settles.v2).toBe(true);
      expect(challenge.checks.filter(({ result, axis }) => result === 'fail' && axis === 'payable')).toEqual(
        [],
      );
      expect(challenge).toMatchObject({ resourceUrl: REQUEST_URL });
    });
  });

  test('keeps the price, the payee and the token', async () => {
    const offered = readV2(
      { amount: '10500' },
      { asset: EURC, amount: '25000', extra: { name: 'EURC', version: '2' } },
    );
    const challenge = await requestChallenge('express', repairAll(offered));
    const select = ({ options }: Challenge) =>
      options.map(({ amount, payTo, asset, extra }) => ({ amount, payTo, asset, extra }));
    expect(select(challenge)).toEqual(select(offered));
  });

  test('a version 1 option becomes a version 2 option', async () => {
    const { version, settles } = await requestChallenge('hono', repairAll(readV1({})));
    expect([version, settles.v2]).toEqual([2, true]);
  });

  test.each(['fastapi', 'go'] as const)('%s code contains every value once, as a literal', (stack) => {
    const code = formatServerCode(stack, createRoute(repairAll(readV2({}, SOLANA))));
    for (const value of [DESCRIPTION, PAY_TO, SOLANA.payTo, REQUEST_URL])
      expect(code.split(JSON.stringify(value))).toHaveLength(2);
    expect(code).not.toContain('undefined');
  });
});

describe('repairOptions', () => {
  test('names the values that the seller must write', () => {
    const [option] = repairAll(readV2({ network: 'eip155:base', amount: 'free', payTo: 'me' }));
    expect(option).toMatchObject({ network: 'eip155:8453', price: '$0.01', payTo: PAY_TO_PLACEHOLDER });
    expect(option.remarks).toHaveLength(3);
  });

  test('a response without a readable option gets one to fill in', () => {
    expect(repairOptions([])).toMatchObject([{ payTo: PAY_TO_PLACEHOLDER }]);
  });

  test.each([
    ['a scheme without a fixed price', { scheme: 'upto', extra: { facilitatorAddress: PAY_TO } }],
    ['a network without these libraries', { network: 'stellar:pubnet' }],
  ])('returns null for %s', (_, change) => {
    expect(repairOptions(readV2(change).options)).toBeNull();
  });
});

describe('recognizeStack', () => {
  test.each([
    ['X-Powered-By', 'Express', 'express'],
    ['x-powered-by', 'Next.js', 'next'],
    ['server', 'uvicorn', 'fastapi'],
    ['server', 'nginx', null],
  ])('%s: %s', (name, value, stack) => {
    expect(recognizeStack([[name, value]])).toBe(stack);
  });
});
