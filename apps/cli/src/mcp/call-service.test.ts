import { PassThrough } from 'node:stream';
import { TOOLS } from '@touchstone/contract';
import type { ToolCall } from '@touchstone/mcp';
import { decodePaymentSignatureHeader } from '@x402/core/http';
import fc from 'fast-check';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { createOutput } from '../command-tools.ts';
import { openBuyer, RESOURCE } from '../testing/buyer.ts';
import { createChallenge, NETWORK, openSeller, respond, SETTLED } from '../testing/seller.ts';
import { connectService } from './call-service.ts';
import type { SpendingLimits } from './spending.ts';

const [operation] = TOOLS.find(({ name }) => name === 'x402_trust_score')?.operations ?? [];

/** Creates a call whose price and outcome the test service reads from the requested URL. */
function createCall(terms: unknown): ToolCall {
  const tool = TOOLS.find(({ name }) => name === 'x402_trust_score');
  if (tool === undefined || operation === undefined) throw new Error('The contract has no such tool');
  const { method, path } = operation;
  const body = { resource: `${RESOURCE}/${encodeURIComponent(JSON.stringify(terms))}` };
  const request = { operation, method, path, query: {}, body, secret: null };
  return { tool, request, payment: null, httpRequest: null, signal: new AbortController().signal };
}

const readTerms = (body: string): { readonly price: number; readonly outcome: string } => {
  const { resource } = JSON.parse(body) as { readonly resource: string };
  return JSON.parse(decodeURIComponent(resource.slice(RESOURCE.length + 1))) as ReturnType<typeof readTerms>;
};

/** Starts all calls at the same time, and returns the amounts of the signed payments. */
async function pay(limits: SpendingLimits, calls: readonly unknown[]): Promise<number[]> {
  using buyer = openBuyer();
  await using seller = await openSeller({
    challenge: (url): unknown =>
      createChallenge(url, { amount: String(readTerms(seller.bodies.at(-1) ?? '').price) }),
    onPaid: ({ body, response }) => {
      const { outcome } = readTerms(body);
      if (outcome !== 'served') response.statusCode = 404;
      respond(response, outcome === 'unclear' ? 'no JSON' : { code: 'x', notCharged: true }, SETTLED);
    },
  });
  const stream = new PassThrough();
  const { send } = connectService(
    {
      service: new URL(seller.base),
      isSandbox: false,
      defaultNetwork: NETWORK,
      hasWallet: true,
      networks: [NETWORK],
      limits,
      openWallet: () => privateKeyToAccount(generatePrivateKey()),
    },
    {
      host: { stdin: new PassThrough(), stdout: stream, stderr: stream, env: { XDG_STATE_HOME: buyer.home } },
      out: createOutput(stream),
      printMessage: () => undefined,
      setExitCode: () => undefined,
      sleep: () => Promise.resolve(),
    },
  );
  await Promise.allSettled(calls.map((terms) => send(createCall(terms))));
  return seller.signatures.map((signature) =>
    Number(decodePaymentSignatureHeader(signature).accepted.amount),
  );
}

describe('concurrent purchases', () => {
  const call = fc.record({
    price: fc.integer({ min: 0, max: 60_000 }),
    outcome: fc.constantFrom('served', 'refused', 'unclear'),
  });
  const limits = fc.record({
    perCall: fc.integer({ min: 0, max: 60_000 }),
    total: fc.integer({ min: 0, max: 200_000 }),
    calls: fc.integer({ min: 0, max: 6 }),
  });

  it('never exceed a limit, and use the limits up, for any prices and outcomes', async () => {
    await fc.assert(
      fc.asyncProperty(limits, fc.array(call, { minLength: 1, maxLength: 10 }), async (limit, calls) => {
        const distinct = calls.map((terms, index) => ({ ...terms, index }));
        const { perCall, total } = limit;
        const amounts = await pay({ ...limit, perCall: BigInt(perCall), total: BigInt(total) }, distinct);
        const expected: number[] = [];
        let rest = total;
        for (const { price } of calls) {
          if (expected.length >= limit.calls || price > perCall || price > rest) continue;
          expected.push(price);
          rest -= price;
        }
        expect(amounts).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  });
});
