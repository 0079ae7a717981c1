import { describe, expect, it } from 'vitest';
import { callWithBody, MAX_MESSAGE_BYTES, PAYMENT, RECEIPT, repeat } from './testing/call-with-body.ts';
import { connectClient, encodeHeader } from './testing/connect-client.ts';
import { BULK, findLargest, OWNER, RESOURCE } from './testing/largest-bodies.ts';

describe('long results', () => {
  const revision = '2026-07-28';

  it('of a payment of version 1 name the time for which its result is stored', async () => {
    const headers = { 'x-payment-response': encodeHeader({ success: true }) };
    await using server = await connectClient(revision, {
      send: () => Promise.resolve(Response.json(BULK, { headers })),
    });
    const meta = { 'x402.payment': { x402Version: 1, payload: {} } };
    const { texts } = await server.callTool('x402_trust_bulk', findLargest('x402_trust_bulk')[1], { meta });
    expect(texts[0]).toContain(
      'Your client can repeat POST https://touchstone.example/v1/x402-trust-bulk-500 with the arguments of this call as its JSON body, and with the payment of this call in the header X-PAYMENT: within 10 minutes, the response is the whole result, without another charge.',
    );
  });

  it.each([
    [
      'x402_endpoint_history',
      { resource: RESOURCE, days: 7 },
      /repeat POST https:\/\/touchstone\.example\/v1\/x402-history\?resolution=daily with the arguments of this call as its JSON body, .* PAYMENT-SIGNATURE: within 24 hours,/,
    ],
    ['x402_endpoint_history', { resource: RESOURCE, days: 7 }, /Fewer `days` give a shorter result\./],
    [
      'x402_watch_renew',
      { watch_id: OWNER.watch_id },
      /repeat POST \S+\/renew with the payment of this call in the header PAYMENT-SIGNATURE:/,
    ],
    ...(['x402_watch_show', 'x402_watch_cancel', 'x402_watch_edit'] as const).map(
      (name): [string, Record<string, unknown>, RegExp] => [
        name,
        { ...OWNER, ...(name === 'x402_watch_edit' ? { liveness_sensitivity_n: 5 } : {}) },
        /Your client can send GET \S+\/v1\/watch\/w_a{26} with the `secret` as bearer token: the response is the whole result, free of charge\.$/,
      ],
    ),
    [
      'x402_summary',
      { resource: `${RESOURCE}?q=${'ü'.repeat(400)}` },
      /GET https:\/\/touchstone\.example\/v1\/x402-summary with the arguments of this call as its query:/,
    ],
  ])('of %s name the request that returns the whole: %j', async (name, members, sentence) => {
    const { truncated } = await callWithBody(revision, [name, members, { text: 'x'.repeat(30_000) }]);
    expect(truncated).toMatch(sentence);
  });

  it('are stored where the server of the program can store them', async () => {
    const stored: object[] = [];
    await using server = await connectClient(revision, {
      send: () => Promise.resolve(Response.json(BULK)),
      storeWhole: (_, body) => {
        stored.push(body);
        return Promise.resolve('The whole result is in /tmp/a.json.');
      },
    });
    const { texts } = await server.callTool('x402_trust_bulk', findLargest('x402_trust_bulk')[1]);
    expect(texts[0]).toContain('The whole result is in /tmp/a.json.');
    expect(stored).toEqual([BULK]);
  });

  it.each([
    ['a list of long texts', { list: repeat(3, () => 'x'.repeat(30_000)) }, /`list` has the first 0 of 3\./],
    ['a long text', { text: 'x'.repeat(30_000), count: 1 }, /`text` is left out\./],
    [
      'thousands of members',
      Object.fromEntries(repeat(2_000, (at) => [`m${String(at)}`, 'a value'])),
      / members are left out\./,
    ],
    [
      'thousands of lists',
      Object.fromEntries(repeat(2_000, (at) => [`m${String(at)}`, ['a value', 'a value']])),
      / members are left out\./,
    ],
    [
      'nested lists',
      { list: [{ list: repeat(900, () => 'a long value of a list') }] },
      /`list\.0\.list` has the first \d+ of 900\./,
    ],
  ])('of a newer service are cut: %s', async (_, body, note) => {
    const { truncated } = await callWithBody(revision, ['x402_ecosystem_stats', {}, body]);
    expect(truncated).toEqual(expect.stringMatching(note));
  });

  it.each([
    {
      change: 'shortened',
      sent: { ...RECEIPT, extensions: { text: 'x'.repeat(20_000) } },
      receipt: RECEIPT,
    },
    {
      change: 'left out',
      sent: Object.fromEntries(repeat(2_000, (at) => [`m${String(at)}`, 'a value'])),
      receipt: undefined,
    },
  ])('keep the body, and not the whole of a long receipt: $change', async ({ sent, receipt, change }) => {
    await using server = await connectClient(revision, {
      send: () =>
        Promise.resolve(Response.json({ a: 1 }, { headers: { 'payment-response': encodeHeader(sent) } })),
    });
    const meta = { 'x402.payment': PAYMENT };
    const result = await server.callTool('x402_trust_score', { resource: RESOURCE }, { meta });
    expect(await server.readSize()).toBeLessThan(MAX_MESSAGE_BYTES);
    expect(result.meta['x402/payment-response']).toEqual(receipt);
    expect(result.meta['x402.payment-response']).toEqual(receipt);
    const truncated = expect.stringContaining(`The receipt in \`_meta\` is ${change}.`) as string;
    expect(result.structured).toEqual({ a: 1, truncated });
  });
});
