import { PAYMENT_RESPONSE_META, TOOLS } from '@touchstone/contract';
import { describe, expect, it } from 'vitest';
import { openBuyer, RESOURCE } from '../testing/buyer.ts';
import { asBuyer, MODERN_REVISION, openMcpClient } from '../testing/mcp-client.ts';
import { runTouchstone, startTouchstone, waitForEnd } from '../testing/run-command.ts';
import { SETTLED } from '../testing/seller.ts';
import { findExample, openToolSeller } from '../testing/tool-seller.ts';

const SEARCH = { query: 'weather forecast' };

describe.each(['legacy', 'modern'] as const)('touchstone mcp in the %s era', (era) => {
  it('serves all tools, and calls free ones', async () => {
    using buyer = openBuyer();
    await using seller = await openToolSeller();
    await using server = await openMcpClient({ ...asBuyer(buyer, seller.base), era });
    const { client, call } = server;
    expect(client.getNegotiatedProtocolVersion() === MODERN_REVISION).toBe(era === 'modern');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
    const summary = await call('x402_summary', { resource: RESOURCE });
    expect([summary.isError, summary.structured]).toEqual([false, findExample('GET', '/v1/x402-summary')]);
    expect((await call('x402_ecosystem_stats')).structured).toEqual(findExample('GET', '/trust/stats'));
    expect([seller.signatures, seller.unpaid()]).toEqual([[], 0]);
  });

  it('pays a call with the wallet of the variable, and returns result and settlement', async () => {
    using buyer = openBuyer();
    await using seller = await openToolSeller();
    const server = await openMcpClient({ ...asBuyer(buyer, seller.base), era });
    const result = await server.call('x402_trust_score', { resource: RESOURCE, detail: 'full' });
    expect([result.isError, result.structured]).toEqual([false, findExample('POST', '/v1/x402-trust')]);
    expect(result.meta[PAYMENT_RESPONSE_META]).toEqual(SETTLED);
    expect(server.client.getInstructions()).toContain('this server pays each call at once');
    expect([seller.signatures.length, buyer.listStoredPayments()]).toEqual([1, []]);
    expect(seller.bodies.at(-1)).toBe(JSON.stringify({ resource: RESOURCE }));
    const printed = await server.close();
    expect(printed).toContain('pays at most $0.50 per call, $1.00 in total and 100 times, on eip155:8453');
    expect(printed).toContain(`Paid $0.005 from ${buyer.address}`);
    expect(printed).not.toContain(buyer.key.slice(2));
  });

  it('returns the quote without a key, and says how to pay', async () => {
    using buyer = openBuyer();
    await using seller = await openToolSeller();
    await using server = await openMcpClient({ ...asBuyer(buyer, seller.base, ''), era });
    const { isError, structured, texts } = await server.call('x402_trust_score', { resource: RESOURCE });
    expect([isError, structured]).toEqual([
      true,
      expect.objectContaining({
        x402Version: 2,
        accepts: [expect.objectContaining({ amount: '5000', network: 'eip155:8453' })],
      }),
    ]);
    expect(JSON.parse(texts[0] ?? '')).toEqual(structured);
    expect(texts[1]).toMatch(/no wallet\. To let it pay, the user sets TOUCHSTONE_KEY.*USDC on eip155:8453/);
    expect(server.client.getInstructions()).toContain('the first call returns a quote');
    expect([seller.unpaid(), seller.signatures]).toEqual([1, []]);
  });
});

describe('touchstone mcp', () => {
  it('ends with exit code 0 when standard input ends', async () => {
    using buyer = openBuyer();
    const { args, env } = asBuyer(buyer, 'http://127.0.0.1:9');
    expect(await runTouchstone(['mcp', ...args], '', env)).toMatchObject({ code: 0, stdout: '' });
  });

  it('prints only MCP messages to standard output, and neither key nor received text to standard error', async () => {
    using buyer = openBuyer();
    await using seller = await openToolSeller();
    const { args, env } = asBuyer(buyer, seller.base);
    const child = startTouchstone(['mcp', ...args], env);
    const send = (message: object) =>
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    let received = '';
    const answered = new Promise<void>((resolve) => {
      child.stdout.on('data', (chunk: Buffer) => {
        received += chunk.toString();
        if (received.includes('"id":3')) resolve();
      });
    });
    const clientInfo = { name: 'raw', version: '1' };
    send({
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: [], clientInfo },
    });
    send({ method: 'notifications/initialized' });
    child.stdin.write('{"secret": "wsk_hidden\n');
    child.stdin.write('{"jsonrpc": 5, "secret": "wsk_hidden"}\n');
    send({ id: 2, method: 'tools/call', params: { name: 'x402_trust_score', arguments: { resource: 5 } } });
    const call = { name: 'x402_semantic_search', arguments: SEARCH, _meta: null };
    send({ id: 3, method: 'tools/call', params: call });
    await answered;
    const { code, stderr } = await waitForEnd(child);
    expect(code).toBe(0);
    const lines = received.trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { jsonrpc: unknown }).jsonrpc)).toEqual(
      lines.map(() => '2.0'),
    );
    expect(seller.signatures.length).toBe(1);
    expect(received + stderr).not.toContain(buyer.key.slice(2));
    expect(stderr).toContain('An MCP message could not be read or sent');
    expect(stderr).not.toContain('wsk_hidden');
  });

  it.each([
    [['--max-usd', 'much'], '--max-usd much is not an amount'],
    [['--max-total-usd', '-1'], '--max-total-usd -1 is not an amount'],
    [['--max-calls', '1.5'], '--max-calls must be a whole number from 0 to 999999; received 1.5.'],
    [['--network', 'eip155:8453,solana:1'], '--network solana:1 is not supported'],
    [['--sandbox'], 'Give --service or --sandbox, not both.'],
  ])('does not start with %j', async (options, message) => {
    using buyer = openBuyer();
    const { code, stdout, stderr } = await buyer.run(['mcp', '--service', 'http://127.0.0.1:9', ...options]);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)]);
  });

  it('does not start without a service', async () => {
    using buyer = openBuyer();
    const { code, stderr } = await buyer.run(['mcp']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('No service is configured')]);
  });
});
