import { z } from 'zod';
import { expect, it } from 'vitest';
import { post } from '../support/payment/buyer.ts';
import { countTransfersFrom, createWallet, readTransfers } from '../support/payment/chain.ts';
import { expectConformance } from '../support/mcp/conformance-baseline.ts';
import { runConformance } from '../support/mcp/conformance.ts';
import { connectHttp, parseQuote, REVISIONS, signQuote } from '../support/mcp/mcp-client.ts';
import { verifyDocument } from '../support/payment/signature.ts';
import { callWatch, createdSchema, createReceiverUrls, WATCHED_ENDPOINT } from '../support/watches.ts';
import { getSiteUrl } from '../support/site-request.ts';

const HEALTHY = 'https://fxline.sandbox.test/v1/rates/latest';
/** Endpoint whose payments fail, because it names the wrong domain of its token. */
const MISNAMED = 'https://misnamed.sandbox.test/v1/colors/palette';
/** Endpoint whose payTo address changed four days ago. */
const CHANGED = 'https://mintcheck.sandbox.test/v1/nft/rarity';
const USDC = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';
/** Funds of a test wallet in atomic units of USDC. They suffice for two purchases, so a second charge is detected. */
const FUNDS = 500_000n;
const FREE_TOOLS = [
  'x402_check',
  'x402_ecosystem_stats',
  'x402_payment_status',
  'x402_summary',
  'x402_trust_leaderboard',
  'x402_trust_preview',
  'x402_watch_cancel',
  'x402_watch_edit',
  'x402_watch_events',
  'x402_watch_show',
];
const PAID_TOOLS = [
  'x402_endpoint_history',
  'x402_find_alternatives',
  'x402_semantic_search',
  'x402_trust_bulk',
  'x402_trust_score',
  'x402_watch_create',
  'x402_watch_renew',
];

/** Encodes a payment as the header of the HTTP API. */
const toHeader = (payment: unknown) => ({
  'payment-signature': Buffer.from(JSON.stringify(payment)).toString('base64'),
});

it('the server passes every applicable scenario of the conformance suite', async () => {
  expectConformance(await runConformance(`${getSiteUrl()}/mcp`));
});

for (const revision of REVISIONS) {
  it(`an agent checks an endpoint and buys one report over MCP ${revision}`, async () => {
    const account = await createWallet(FUNDS);
    await using mcp = await connectHttp(revision);
    expect(mcp.client.getNegotiatedProtocolVersion()).toBe(revision);
    const { tools } = await mcp.client.listTools();
    expect(tools.map(({ name }) => name).toSorted()).toEqual([...FREE_TOOLS, ...PAID_TOOLS].toSorted());
    const paid = tools.filter(({ description = '' }) => description.includes('Price: $'));
    expect(paid.map(({ name }) => name).toSorted()).toEqual(PAID_TOOLS);
    const prompt = await mcp.client.getPrompt({ name: 'should_i_pay', arguments: { url: HEALTHY } });
    expect(JSON.stringify(prompt.messages)).toContain(HEALTHY);

    const summary = await mcp.call('x402_summary', { resource: HEALTHY });
    expect(summary).toMatchObject({
      ...{ isError: false, receipt: null },
      structured: { match: 'exact', endpoint: { resource: HEALTHY, recommendation: 'proceed' } },
    });
    expect(await verifyDocument(summary.structured)).toBe('valid');

    const checked = await mcp.call('x402_check', { resource: MISNAMED, stack: 'hono' });
    expect(checked).toMatchObject({
      ...{ isError: false, receipt: null },
      structured: {
        outcome: 'lost',
        directories: { status: 'listed' },
        guard: { decision: 'abort' },
        code: { stack: 'hono', repairs: expect.arrayContaining(['v2-eip712-domain-value']) as unknown },
      },
    });

    const unpaid = await mcp.call('x402_trust_score', { resource: HEALTHY });
    expect([unpaid.isError, unpaid.receipt]).toEqual([true, null]);
    expect(unpaid.texts[1]).toMatch(/^This call costs \$0\.005 in USDC on eip155:8453\./);
    expect(unpaid.texts[1]).toContain('_meta["x402/payment"]');
    const quote = parseQuote(unpaid);
    expect(quote).toMatchObject({
      error: 'Payment required',
      resource: { url: `${getSiteUrl()}/v1/x402-trust` },
      accepts: [{ network: 'eip155:8453', amount: '5000' }],
    });
    expect(Object.keys(quote['extensions'] ?? {})).toEqual(['touchstone-purchase']);
    const payment = await signQuote(account, quote);

    const bought = await mcp.call('x402_trust_score', { resource: HEALTHY }, { payment });
    expect(bought).toMatchObject({
      isError: false,
      structured: { schemaType: 'x402-trust', resource: HEALTHY, recommendation: 'proceed' },
      receipt: { payer: account.address.toLowerCase() },
    });
    expect(await verifyDocument(bought.structured)).toBe('valid');

    expect(await mcp.call('x402_trust_score', { resource: HEALTHY }, { payment })).toEqual(bought);
    const overHttp = await post('/v1/x402-trust', { resource: HEALTHY }, toHeader(payment));
    expect([overHttp.status, await overHttp.json()]).toEqual([200, bought.structured]);
    const reused = await mcp.call('x402_trust_score', { resource: CHANGED }, { payment });
    expect(reused).toMatchObject({ isError: true, structured: { code: 'payment-reused' } });
    expect(await countTransfersFrom(account.address)).toBe(1);
    const payTo = z.object({ payTo: z.string() }).parse(quote.accepts[0]).payTo.toLowerCase();
    expect(await readTransfers(bought.receipt?.transaction ?? '')).toEqual([
      { asset: USDC, from: account.address.toLowerCase(), to: payTo, amount: 5_000n },
    ]);
  });
}

it('an agent buys, reads, edits and cancels a watch', async () => {
  const account = await createWallet(FUNDS);
  await using mcp = await connectHttp('2026-07-28');
  const { path, webhook } = createReceiverUrls();
  const input = { endpoint: WATCHED_ENDPOINT, delivery: { webhook_url: webhook } };
  const payment = await signQuote(account, parseQuote(await mcp.call('x402_watch_create', input)));
  const progress: (string | undefined)[] = [];
  const created = await mcp.call('x402_watch_create', input, {
    payment,
    onprogress: ({ message }) => progress.push(message),
  });
  expect(created).toMatchObject({
    isError: false,
    structured: { endpoint: WATCHED_ENDPOINT, delivery: { connection_test: [{ url: webhook, ok: true }] } },
  });
  expect(progress[0]).toBe('Watch an x402 endpoint for 30 days: started.');
  const { watch_id: id, secret } = createdSchema.parse(created.structured);
  // The same payment over HTTP returns the same secret.
  const overHttp = await post('/v1/watch-endpoint-30d', input, toHeader(payment));
  expect(await overHttp.json()).toEqual(created.structured);

  const owner = { watch_id: id, secret };
  const shown = await mcp.call('x402_watch_show', owner);
  const url = `https://receiver.sandbox.test/…${path.slice(-4)}`;
  expect(shown.structured).toMatchObject({ status: 'active', delivery: { webhooks: [{ url }] } });
  const edited = await mcp.call('x402_watch_edit', { ...owner, liveness_sensitivity_n: 5 });
  expect(edited.structured).toMatchObject({ liveness_sensitivity_n: 5 });
  const other = { watch_id: id, secret: `wsk_${'A'.repeat(43)}` };
  expect((await mcp.call('x402_watch_cancel', other)).structured).toMatchObject({ code: 'unauthorized' });
  const cancelled = await mcp.call('x402_watch_cancel', owner);
  expect(cancelled).toMatchObject({ isError: false, structured: { status: 'cancelled' } });
  const events = await mcp.call('x402_watch_events', owner);
  expect(events.structured).toMatchObject({
    events: [],
    watch_events: [{ type: 'created' }, { type: 'edited' }, { type: 'cancelled' }],
  });
  const read: unknown = await (await callWatch({ id, secret, path: '/events' })).json();
  expect(read).toEqual(events.structured);
  expect(await countTransfersFrom(account.address)).toBe(1);
});
