import { describe, expect, it } from 'vitest';
import { callWithBody, MAX_MESSAGE_BYTES, PAYMENT, RECEIPT, repeat } from './testing/call-with-body.ts';
import { connectClient, encodeHeader } from './testing/connect-client.ts';

describe('long results', () => {
  const revision = '2026-07-28';

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
    const result = await server.callTool(
      'x402_trust_score',
      { resource: 'https://api.example.com/v1/weather' },
      { meta },
    );
    expect(await server.readSize()).toBeLessThan(MAX_MESSAGE_BYTES);
    expect(result.meta['x402/payment-response']).toEqual(receipt);
    expect(result.meta['x402.payment-response']).toEqual(receipt);
    const truncated = expect.stringContaining(`The receipt in \`_meta\` is ${change}.`) as string;
    expect(result.structured).toEqual({ a: 1, truncated });
  });
});
