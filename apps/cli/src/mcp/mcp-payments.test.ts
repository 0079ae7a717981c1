import { PAYMENT_META, PAYMENT_RESPONSE_META } from '@touchstone/contract';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { x402Client } from '@x402/fetch';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openBuyer, RESOURCE } from '../testing/buyer.ts';
import { asBuyer, openMcpClient, spawnMcpClient } from '../testing/mcp-client.ts';
import { createChallenge, encodeHeader, NETWORK, respond, SETTLED } from '../testing/seller.ts';
import { startServer } from '../testing/serve.ts';
import { findExample, openToolSeller } from '../testing/tool-seller.ts';

const SEARCH = { query: 'weather forecast' };
const trust = (number: number) => ({ resource: `${RESOURCE}/${String(number)}` });

describe('the limit', () => {
  it('per call rejects a higher price before anything is signed', async () => {
    using buyer = openBuyer();
    await using seller = await openToolSeller();
    const { args, env } = asBuyer(buyer, seller.base);
    await using server = await openMcpClient({ args: [...args, '--max-usd', '0.05'], env });
    const { isError, texts, structured } = await server.call('x402_watch_create', { endpoint: RESOURCE });
    const detail =
      'The quote is rejected: its price of $0.20 is above the limit of $0.05 (--max-usd of touchstone mcp). Nothing was signed or charged.';
    expect([isError, structured, seller.signatures]).toEqual([
      true,
      { code: 'limit-exceeded', detail, notCharged: true },
      [],
    ]);
    expect(texts).toEqual([
      expect.stringMatching(/^.*Nothing was signed or charged\.\nNext: .*higher limit/),
    ]);
    expect(texts[0]?.startsWith(detail)).toBe(true);
  });

  it('per call is by default the price of the most expensive tool', async () => {
    using buyer = openBuyer();
    await using seller = await openToolSeller();
    await using server = await openMcpClient(asBuyer(buyer, seller.base));
    const resources = Array.from({ length: 500 }, (_, index) => `${RESOURCE}/${String(index)}`);
    expect((await server.call('x402_trust_bulk', { resources })).isError).toBe(false);
    expect((await server.call('x402_watch_create', { endpoint: RESOURCE })).isError).toBe(false);
  });

  it('in total holds for concurrent calls', async () => {
    using buyer = openBuyer();
    await using seller = await openToolSeller();
    const { args, env } = asBuyer(buyer, seller.base);
    await using server = await openMcpClient({ args: [...args, '--max-total-usd', '0.022'], env });
    const calls = Array.from({ length: 9 }, (_, index) => server.call('x402_trust_score', trust(index)));
    const results = await Promise.all(calls);
    expect(results.filter(({ isError }) => !isError).length).toBe(4);
    expect(seller.signatures.length).toBe(4);
    const rejected = results.filter(({ isError }) => isError).map(({ structured }) => structured);
    const detail =
      'The quote is rejected: its price of $0.005 is above the limit of $0.002 (--max-total-usd of touchstone mcp: $0.02 of $0.022 are signed in this run). Nothing was signed or charged.';
    expect(rejected).toEqual(rejected.map(() => ({ code: 'limit-exceeded', detail, notCharged: true })));
    expect((await server.call('x402_stats')).isError).toBe(false);
  });

  it('counts payments that the service refuses, because their signatures stay valid', async () => {
    using buyer = openBuyer();
    await using seller = await openToolSeller({
      onPaid: ({ response }) => {
        response.statusCode = 404;
        const problem = { type: 'about:blank', title: 'Not Found', status: 404, code: 'unknown-resource' };
        respond(response, { ...problem, detail: 'It is not in the catalog.', notCharged: true });
      },
    });
    const { args, env } = asBuyer(buyer, seller.base);
    await using server = await openMcpClient({ args: [...args, '--max-total-usd', '0.005'], env });
    const refused = await server.call('x402_trust_score', trust(1));
    expect(refused).toMatchObject({
      isError: true,
      structured: { code: 'unknown-resource', notCharged: true },
    });
    const next = await server.call('x402_trust_score', trust(2));
    expect(next.texts[0]).toContain('--max-total-usd of touchstone mcp: $0.005 of $0.005 are signed');
    expect(seller.signatures.length).toBe(1);
  });
});

describe('a payment', () => {
  it('of a cancelled call stays stored, and the same call gets its result without a new payment', async () => {
    using buyer = openBuyer();
    const controller = new AbortController();
    await using seller = await openToolSeller({
      onPaid: ({ path, paidBefore, response }) => {
        if (paidBefore === 0) controller.abort();
        else respond(response, findExample('POST', path), SETTLED);
      },
    });
    const { args, env } = asBuyer(buyer, seller.base);
    await using server = await openMcpClient({ args: [...args, '--max-total-usd', '0.005'], env });
    await expect(server.call('x402_trust_score', trust(1), { signal: controller.signal })).rejects.toThrow();
    const result = await server.call('x402_trust_score', trust(1));
    expect([result.isError, result.structured]).toEqual([false, findExample('POST', '/v1/x402-trust')]);
    expect([new Set(seller.signatures).size, buyer.listStoredPayments()]).toEqual([1, []]);
  });

  it('stays stored when standard input ends, and counts in the next run', async () => {
    using buyer = openBuyer();
    let paid: () => void;
    const isPaid = new Promise<void>((resolve) => (paid = resolve));
    await using seller = await openToolSeller({
      onPaid: ({ path, paidBefore, response }) => {
        paid();
        if (paidBefore > 0) respond(response, findExample('POST', path), SETTLED);
      },
    });
    const { args, env } = asBuyer(buyer, seller.base);
    const first = await spawnMcpClient({ args, env });
    const lost = first.call('x402_trust_score', trust(1)).catch(() => 'lost');
    await isPaid;
    await first.close();
    expect([await lost, buyer.listStoredPayments().length]).toEqual(['lost', 1]);
    await using second = await openMcpClient({ args: [...args, '--max-calls', '1'], env });
    expect((await second.call('x402_trust_score', trust(1))).isError).toBe(false);
    expect((await second.call('x402_trust_score', trust(2))).texts[0]).toContain('--max-calls');
    expect([new Set(seller.signatures).size, buyer.listStoredPayments()]).toEqual([1, []]);
  });

  it('of the client is passed on, and the wallet of the server is not used', async () => {
    using buyer = openBuyer();
    await using seller = await openToolSeller();
    await using server = await openMcpClient(asBuyer(buyer, seller.base));
    const account = privateKeyToAccount(generatePrivateKey());
    const client = new x402Client().register(NETWORK, new ExactEvmScheme(account));
    const challenge = createChallenge(`${seller.base}/v1/semantic-search`) as Parameters<
      typeof client.createPaymentPayload
    >[0];
    const payment = await client.createPaymentPayload(challenge);
    const result = await server.call('x402_semantic_search', SEARCH, { meta: { [PAYMENT_META]: payment } });
    expect([result.isError, result.meta[PAYMENT_RESPONSE_META]]).toEqual([false, SETTLED]);
    expect(seller.signatures).toEqual([encodeHeader(payment)]);
    expect(seller.unpaid()).toBe(0);
  });

  it('is made on any of the given networks', async () => {
    using buyer = openBuyer();
    const base = {
      asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
      extra: { name: 'USDC', version: '2' },
    };
    await using seller = await openToolSeller({
      challenge: (url) => createChallenge(url, { ...base, network: 'eip155:84532' }),
    });
    const { args, env } = asBuyer(buyer, seller.base);
    await using refusing = await openMcpClient({ args, env });
    expect(await refusing.call('x402_trust_score', trust(1))).toMatchObject({
      structured: { code: 'network-not-allowed', notCharged: true },
      texts: [expect.stringContaining('its network is eip155:84532; expected eip155:8453 (--network)')],
    });
    await using paying = await openMcpClient({
      args: [...args, '--network', 'eip155:137, eip155:84532', '--network', 'eip155:8453'],
      env,
    });
    expect((await paying.call('x402_trust_score', trust(1))).isError).toBe(false);
  });
});

describe('a tool error', () => {
  const call = async (listener: Parameters<typeof startServer>[0], key?: string) => {
    using buyer = openBuyer();
    await using service = await startServer(listener);
    const base = `http://127.0.0.1:${String(service.port)}`;
    await using server = await openMcpClient(asBuyer(buyer, base, key));
    const results = [];
    for (const name of ['x402_semantic_search', 'x402_stats'])
      results.push(await server.call(name, name === 'x402_stats' ? {} : SEARCH));
    return results.map(({ isError, structured, texts }) => {
      const { code } = z.object({ code: z.string() }).parse(structured);
      return [isError, code, texts.join(' ')];
    });
  };

  it.each([
    ['without a challenge', {}],
    ['with an unreadable challenge', { 'payment-required': 'e30' }],
  ])('follows a 402 response %s, with and without a key', async (_, headers) => {
    for (const key of [undefined, ''] as const) {
      const results = await call((__, response) => response.writeHead(402, headers).end('{}'), key);
      for (const result of results)
        expect(result).toEqual([
          true,
          'quote-rejected',
          expect.stringMatching(/^The quote is rejected: its .* Nothing was signed .*\nNext: /),
        ]);
    }
  });

  it.each([
    { status: 200, body: '<html>', message: 'without a JSON object' },
    { status: 302, body: '', message: 'returned 302 without an error description' },
    { status: 204, body: '', message: 'returned 204 without a JSON object' },
    { status: 500, body: '<html>', message: 'returned 500 without an error description' },
  ])('follows status $status with the body "$body"', async ({ status, body, message }) => {
    const results = await call(
      (__, response) => response.writeHead(status, { location: '/x' }).end(body),
      '',
    );
    for (const result of results)
      expect(result).toEqual([true, 'invalid-response', expect.stringContaining(message)]);
  });

  it('follows a missing response', async () => {
    for (const key of [undefined, '']) {
      const results = await call((__, response) => response.destroy(), key);
      for (const result of results)
        expect(result).toEqual([
          true,
          'service-unreachable',
          expect.stringMatching(/No response from .*\nNext: Call x402_\w+ again in a minute/),
        ]);
    }
  });

  it('follows a paid call without enough USDC', async () => {
    using buyer = openBuyer();
    await using seller = await openToolSeller({
      onPaid: ({ path, response }) => {
        const quote = { ...createChallenge(`${seller.base}${path}`), error: 'insufficient_funds' };
        response.statusCode = 402;
        response.setHeader('payment-required', encodeHeader(quote));
        respond(response, { notCharged: true });
      },
    });
    await using server = await openMcpClient(asBuyer(buyer, seller.base));
    const { structured, texts } = await server.call('x402_trust_score', trust(1));
    expect(structured).toMatchObject({ code: 'insufficient-funds', notCharged: true });
    expect(texts).toEqual([expect.stringMatching(/holds at least \$0\.005 .*\nNext: .* add USDC/)]);
  });

  it('follows a payment without a final response', async () => {
    using buyer = openBuyer();
    await using seller = await openToolSeller({
      onPaid: ({ response }) => {
        response.statusCode = 503;
        response.setHeader('retry-after', '3600');
        respond(response, '<html>');
      },
    });
    await using server = await openMcpClient(asBuyer(buyer, seller.base));
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
      using buyer = openBuyer();
      await using seller = await openToolSeller();
      const server = await openMcpClient(asBuyer(buyer, seller.base, key));
      const { structured, texts } = await server.call('x402_semantic_search', SEARCH);
      expect(structured).toMatchObject({ code: 'no-wallet', notCharged: true });
      expect(texts).toEqual([
        expect.stringMatching(/^TOUCHSTONE_KEY contains no valid private key.*\nNext: Tell/),
      ]);
      expect(texts[0]?.includes('placeholder')).toBe(key.startsWith('$'));
      expect((await server.call('x402_stats')).isError).toBe(false);
      const instructions = server.client.getInstructions();
      const printed = await server.close();
      expect(instructions).toContain('this server cannot pay');
      expect(instructions).not.toContain('pays each call at once');
      expect(printed).toContain('It cannot pay: TOUCHSTONE_KEY contains no valid private key');
      expect(`${printed}${instructions ?? ''}${texts.join('')}`).not.toContain(key);
    },
  );
});
