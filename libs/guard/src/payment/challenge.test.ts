import { x402HTTPClient, x402Client } from '@x402/fetch';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readResponseChallenge, readSignedPayment } from './challenge.ts';
import { createRequirements, createRequirementsV1, encode } from '../testing/seller.ts';
import { BASE, PAY_TO, USDC } from '../testing/touchstone.ts';

const OFFER = { network: BASE, asset: USDC, amount: '10000', payTo: PAY_TO };

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
    expect(await readResponseChallenge(response)).toEqual({
      kind: 'offers',
      offers: [OFFER, { ...OFFER, amount: '5' }],
    });
    expect(await response.text()).toBe('body');
  });

  it('reads the body of version 1 and leaves it readable', async () => {
    const body = JSON.stringify({ x402Version: 1, accepts: [createRequirementsV1('https://a.example/')] });
    const response = respond(null, body);
    expect(await readResponseChallenge(response)).toEqual({
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
    const empty = { network: '', asset: '', amount: '', payTo: '' };
    for (const x402Version of [1, 2, 3, '2'])
      expect(await readResponseChallenge(respond(encode({ x402Version, accepts })))).toEqual({
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

describe('readSignedPayment', () => {
  const transfer = { from: `0x${'1'.repeat(40)}`, to: PAY_TO, value: '10000', nonce: '0x7b' };
  const payload = { signature: '0x', authorization: transfer };

  it('reads both versions', () => {
    const v2 = { x402Version: 2, accepted: createRequirements(), payload };
    expect(readSignedPayment(encode(v2))).toEqual({ accepted: OFFER, network: BASE, transfer });
    // The version 2 client signs a number, too.
    const numbers = {
      ...v2,
      accepted: { ...v2.accepted, amount: 10_000 },
      payload: { ...payload, authorization: { ...payload.authorization, value: 10_000 } },
    };
    expect(readSignedPayment(encode(numbers))).toEqual({ accepted: OFFER, network: BASE, transfer });
    const v1 = { x402Version: 1, scheme: 'exact', network: 'base', payload };
    expect(readSignedPayment(encode(v1))).toEqual({ accepted: null, network: 'base', transfer });
  });

  it('compares no transfer in other schemes, where a contract receives it', () => {
    const escrow = { x402Version: 2, accepted: { ...createRequirements(), scheme: 'auth-capture' }, payload };
    expect(readSignedPayment(encode(escrow))?.transfer).toBeNull();
  });

  it('refuses other text', () => {
    for (const header of [
      '',
      '*',
      encode({}),
      encode({ x402Version: 2 }),
      encode({ x402Version: 3, accepted: {} }),
    ])
      expect(readSignedPayment(header)).toBeNull();
  });
});
