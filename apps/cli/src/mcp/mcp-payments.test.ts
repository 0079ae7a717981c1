import { readFile } from 'node:fs/promises';
import { PAYMENT_META, PAYMENT_RESPONSE_META } from '@touchstone/contract';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { x402Client } from '@x402/fetch';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openBuyer, RESOURCE } from '../testing/buyer.ts';
import { asBuyer, openMcpClient } from '../testing/mcp-client.ts';
import { refuse } from '../testing/purchase-test.ts';
import {
  createChallenge,
  encodeHeader,
  NETWORK,
  respond,
  type SellerOptions,
  SETTLED,
} from '../testing/seller.ts';
import { startServer } from '../testing/serve.ts';
import { findExample, openToolSeller } from '../testing/tool-seller.ts';

const SEARCH = { query: 'weather forecast' };
const trust = (number: number) => ({ resource: `${RESOURCE}/${String(number)}` });

/** Starts a service, and creates a buyer. `connect` starts an MCP server that pays with the wallet of this buyer. */
async function openWorld(options: SellerOptions = {}, key?: string) {
  const buyer = openBuyer();
  const seller = await openToolSeller(options);
  const { args, env } = asBuyer(buyer, seller.base, key);
  return {
    buyer,
    seller,
    connect: (...more: readonly string[]) => openMcpClient({ args: [...args, ...more], env }),
    [Symbol.asyncDispose]: async () => {
      await seller[Symbol.asyncDispose]();
      buyer[Symbol.dispose]();
    },
  };
}

it('stores the whole of a long result in a file', async () => {
  const matches = Array.from({ length: 60 }, () => ({ description: 'x'.repeat(500) }));
  await using world = await openWorld({
    onPaid: ({ response }) => respond(response, { matches }, SETTLED),
  });
  await using server = await world.connect();
  const { isError, texts } = await server.call('x402_semantic_search', SEARCH);
  expect(isError).toBe(false);
  const [, file = ''] = /The whole result is in the file (\S+\.json)\./.exec(texts[0] ?? '') ?? [];
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ matches });
});

describe('the limit', () => {
  it('per call rejects a higher price before anything is signed', async () => {
    await using world = await openWorld();
    await using server = await world.connect('--max-usd', '0.05');
    const { isError, texts, structured } = await server.call('x402_watch_create', { endpoint: RESOURCE });
    const detail =
      'The quote is rejected: its price of $0.20 is above the limit of $0.05 (--max-usd of touchstone mcp). Nothing was signed or charged.';
    expect([isError, structured]).toMatchObject([true, { code: 'limit-exceeded', detail, notCharged: true }]);
    expect(world.seller.signatures).toEqual([]);
    expect(texts[0]?.startsWith(`${detail}\nNext: `)).toBe(true);
    expect(texts[0]).toContain('higher limit');
  });

  it('per call is by default the price of the most expensive tool', async () => {
    await using world = await openWorld();
    await using server = await world.connect();
    const resources = Array.from({ length: 500 }, (_, index) => `${RESOURCE}/${String(index)}`);
    expect((await server.call('x402_trust_bulk', { resources })).isError).toBe(false);
    expect((await server.call('x402_watch_create', { endpoint: RESOURCE })).isError).toBe(false);
  });

  it('in total counts payments that the service refuses, because their signatures stay valid', async () => {
    await using world = await openWorld({
      onPaid: ({ response }) => {
        response.statusCode = 404;
        const problem = { type: 'about:blank', title: 'Not Found', status: 404, code: 'unknown-resource' };
        respond(response, { ...problem, detail: 'It is not in the catalog.', notCharged: true });
      },
    });
    await using server = await world.connect('--max-total-usd', '0.005');
    const refused = await server.call('x402_trust_score', trust(1));
    expect(refused).toMatchObject({ isError: true, structured: { code: 'unknown-resource' } });
    const next = await server.call('x402_trust_score', trust(2));
    expect(next.texts[0]).toContain('--max-total-usd of touchstone mcp: $0.005 of $0.005 are signed');
    expect(world.seller.signatures.length).toBe(1);
    expect((await server.call('x402_ecosystem_stats')).isError).toBe(false);
  });
});

describe('a payment', () => {
  it('of a cancelled call stays stored, and the same call gets its result without a new payment', async () => {
    const controller = new AbortController();
    await using world = await openWorld({
      onPaid: ({ path, paidBefore, response }) => {
        if (paidBefore === 0) controller.abort();
        else respond(response, findExample('POST', path), SETTLED);
      },
    });
    await using server = await world.connect('--max-total-usd', '0.005');
    await expect(server.call('x402_trust_score', trust(1), { signal: controller.signal })).rejects.toThrow();
    const result = await server.call('x402_trust_score', trust(1));
    expect([result.isError, result.structured]).toEqual([false, findExample('POST', '/v1/x402-trust')]);
    expect(new Set(world.seller.signatures).size).toBe(1);
    expect(world.buyer.listStoredPayments()).toEqual([]);
  });

  it('stays stored when standard input ends, and counts in the next run', async () => {
    let paid: () => void;
    const isPaid = new Promise<void>((resolve) => (paid = resolve));
    await using world = await openWorld({
      onPaid: ({ path, paidBefore, response }) => {
        paid();
        if (paidBefore > 0) respond(response, findExample('POST', path), SETTLED);
      },
    });
    const first = await world.connect();
    const lost = first.call('x402_trust_score', trust(1)).catch(() => 'lost');
    await isPaid;
    await first.close();
    expect([await lost, world.buyer.listStoredPayments().length]).toEqual(['lost', 1]);
    await using second = await world.connect('--max-calls', '1');
    expect((await second.call('x402_trust_score', trust(1))).isError).toBe(false);
    expect((await second.call('x402_trust_score', trust(2))).texts[0]).toContain('--max-calls');
    expect(new Set(world.seller.signatures).size).toBe(1);
    expect(world.buyer.listStoredPayments()).toEqual([]);
  });

  it('of the client is passed on, and the wallet of the server is not used', async () => {
    await using world = await openWorld();
    await using server = await world.connect();
    const account = privateKeyToAccount(generatePrivateKey());
    const client = new x402Client().register(NETWORK, new ExactEvmScheme(account));
    const challenge = createChallenge(`${world.seller.base}/v1/semantic-search`) as Parameters<
      typeof client.createPaymentPayload
    >[0];
    const payment = await client.createPaymentPayload(challenge);
    const result = await server.call('x402_semantic_search', SEARCH, { meta: { [PAYMENT_META]: payment } });
    expect([result.isError, result.meta[PAYMENT_RESPONSE_META]]).toEqual([false, SETTLED]);
    expect([world.seller.signatures, world.seller.unpaid()]).toEqual([[encodeHeader(payment)], 0]);
  });

  it('is made on any of the given networks', async () => {
    const option = {
      network: 'eip155:84532',
      asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
      extra: { name: 'USDC', version: '2' },
    };
    await using world = await openWorld({ challenge: (url) => createChallenge(url, option) });
    await using refusing = await world.connect();
    expect(await refusing.call('x402_trust_score', trust(1))).toMatchObject({
      structured: { code: 'network-not-allowed', notCharged: true },
      texts: [expect.stringContaining('its network is eip155:84532; expected eip155:8453 (--network)')],
    });
    const networks = ['--network', 'polygon, 84532,EIP155:8453'];
    await using paying = await world.connect(...networks);
    expect((await paying.call('x402_trust_score', trust(1))).isError).toBe(false);
  });
});

describe('a tool error', () => {
  it.each([
    { status: 402, headers: {}, body: '{}', code: 'quote-rejected', message: 'Nothing was signed' },
    {
      status: 402,
      headers: { 'payment-required': 'e30' },
      body: '{}',
      code: 'quote-rejected',
      message: 'its ',
    },
    { status: 200, body: '<html>', message: 'without a JSON object' },
    { status: 302, body: '', message: 'returned 302 without an error description' },
    { status: 204, body: '', message: 'without a JSON object' },
    { status: 500, body: '<html>', message: 'returned 500 without an error description' },
    { status: 0, body: '', code: 'service-unreachable', message: 'again in a minute' },
  ])(
    'follows status $status with the headers $headers and the body "$body"',
    async ({ status, headers = { location: '/x' }, body, code = 'invalid-response', message }) => {
      await using service = await startServer((_, response) => {
        if (status === 0) response.destroy();
        else response.writeHead(status, headers).end(body);
      });
      using buyer = openBuyer();
      // Without a key the server itself sends the request. With a key the purchase code sends the request.
      for (const key of [undefined, '']) {
        const options = asBuyer(buyer, `http://127.0.0.1:${String(service.port)}`, key);
        await using server = await openMcpClient(options);
        for (const [name, input] of [
          ['x402_semantic_search', SEARCH],
          ['x402_ecosystem_stats', {}],
        ] as const) {
          const { isError, structured, texts } = await server.call(name, input);
          expect([isError, z.object({ code: z.string() }).parse(structured).code]).toEqual([true, code]);
          expect(texts.join(' ')).toContain(message);
          expect(texts.join(' ')).toContain('\nNext: ');
        }
      }
    },
  );

  it('follows a paid call without enough USDC', async () => {
    await using world = await openWorld({ onPaid: (sale) => refuse(sale, 'insufficient_funds') });
    await using server = await world.connect();
    const { structured, texts } = await server.call('x402_trust_score', trust(1));
    expect(structured).toMatchObject({ code: 'insufficient-funds', notCharged: true });
    expect(texts).toEqual([expect.stringMatching(/holds at least \$0\.005 .*\nNext: .* add USDC/)]);
  });

  it('follows a payment without a final response', async () => {
    await using world = await openWorld({
      onPaid: ({ response }) => void response.writeHead(503, { 'retry-after': '3600' }).end('<html>'),
    });
    await using server = await world.connect();
    const { structured, texts } = await server.call('x402_trust_score', trust(1));
    expect(structured).toMatchObject({ code: 'payment-open' });
    expect(structured).not.toHaveProperty('notCharged');
    expect(texts[0]).toMatch(
      /It is unknown whether .*\nNext: Call x402_trust_score again with exactly the same/,
    );
  });

  it.each(['no key', '${TOUCHSTONE_KEY}', `0x${'f'.repeat(64)}`])(
    'follows a paid call with an invalid key, which is not shown',
    async (key) => {
      await using world = await openWorld({}, key);
      const server = await world.connect();
      const { structured, texts } = await server.call('x402_semantic_search', SEARCH);
      expect(structured).toMatchObject({ code: 'no-wallet', notCharged: true });
      expect(texts).toEqual([
        expect.stringMatching(/^TOUCHSTONE_KEY contains no valid private key.*\nNext: Tell/),
      ]);
      expect(texts[0]?.includes('placeholder')).toBe(key.startsWith('$'));
      expect((await server.call('x402_ecosystem_stats')).isError).toBe(false);
      const instructions = server.client.getInstructions();
      const printed = await server.close();
      expect(instructions).toContain('this server cannot pay');
      expect(instructions).not.toContain('pays each call at once');
      expect(printed).toContain('It cannot pay: TOUCHSTONE_KEY contains no valid private key');
      expect(`${printed}${instructions ?? ''}${texts.join('')}`).not.toContain(key);
    },
  );
});
