import { x402HTTPClient, x402Client } from '@x402/fetch';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readResponseChallenge } from './challenge.ts';
import { createRequirements, createRequirementsV1, encode } from '../testing/seller.ts';
import { BASE, PAY_TO, USDC } from '../testing/touchstone.ts';

const OFFER = {
  ...{ scheme: 'exact', network: BASE, asset: USDC, amount: '10000', payTo: PAY_TO, lifetimeSeconds: 60 },
};

function respond(header: string | null, body = ''): Response {
  return new Response(body, { status: 402, headers: header === null ? {} : { 'payment-required': header } });
}

describe('readResponseChallenge', () => {
  it('reads the header of version 2 and leaves the body readable', async () => {
    const header = encode({
      x402Version: 2,
      accepts: [createRequirements(), createRequirements({ amount: '5' })],
    });
    const response = respond(header, 'body');
    expect(await readResponseChallenge(response)).toMatchObject({
      kind: 'offers',
      offers: [OFFER, { ...OFFER, amount: '5' }],
    });
    expect(await response.text()).toBe('body');
  });

  it('reads the body of version 1 and leaves it readable', async () => {
    const body = JSON.stringify({ x402Version: 1, accepts: [createRequirementsV1('https://a.example/')] });
    const response = respond(null, body);
    expect(await readResponseChallenge(response)).toMatchObject({
      kind: 'offers',
      offers: [{ ...OFFER, network: 'base' }],
    });
    expect(await response.text()).toBe(body);
  });

  it('finds no challenge in other 402 responses', async () => {
    for (const body of ['', 'Pay!', '{}', '[]', 'null', '{"accepts":[]}'])
      expect(await readResponseChallenge(respond(null, body))).toEqual({ kind: 'none' });
  });

  it('does not overlook a challenge that it cannot read', async () => {
    const deep = { x402Version: 2, accepts: 'all' };
    for (const header of [
      '*',
      'e30',
      encode(deep),
      encode([]),
      encode({ x402Version: 2 }),
      'A'.repeat(140_000),
    ])
      expect(await readResponseChallenge(respond(header))).toEqual({ kind: 'unreadable' });
    const large = JSON.stringify({ x402Version: 1, accepts: [], padding: 'x'.repeat(1_100_000) });
    expect(await readResponseChallenge(respond(null, large))).toEqual({ kind: 'unreadable' });
  });

  it('reads malformed values as empty text, and no member of a prototype', async () => {
    const accepts = [{ network: 1, payTo: {}, amount: 0.5 }, null, 'x', []];
    const empty = { scheme: '', network: '', asset: '', amount: '', payTo: '', lifetimeSeconds: null };
    for (const x402Version of [1, 2, 3, '2'])
      expect(await readResponseChallenge(respond(encode({ x402Version, accepts })))).toMatchObject({
        kind: 'offers',
        offers: [empty, empty, empty, empty],
      });
  });

  it('reads every header that the x402 client reads, and the same values', async () => {
    const client = new x402HTTPClient(new x402Client());
    const json = fc.json().map((text) => Buffer.from(text).toString('base64'));
    const challenge = fc
      .jsonValue()
      .map((extra) => encode({ x402Version: 2, accepts: [createRequirements()], extra }));
    const bytes = fc.uint8Array().map((array) => Buffer.from(array).toString('base64'));
    const header = fc.oneof(
      json,
      challenge,
      bytes,
      fc.base64String(),
      challenge.map((text) => text.slice(0, -1)),
    );
    await fc.assert(
      fc.asyncProperty(header, async (text) => {
        fc.pre(text !== '');
        let expected: unknown;
        try {
          expected = client.getPaymentRequiredResponse(() => text).accepts;
        } catch {
          expected = undefined;
        }
        const read = await readResponseChallenge(respond(text));
        expect(read.kind).toBe(Array.isArray(expected) ? 'offers' : 'unreadable');
        if (read.kind === 'offers' && Array.isArray(expected))
          expect(read.offers).toHaveLength(expected.length);
      }),
    );
  });
});
