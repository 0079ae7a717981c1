import { SCHEMAS } from '@touchstone/contract';
import { describe, expect, it } from 'vitest';
import { connectClient, encodeHeader, REVISIONS } from './testing/connect-client.ts';

const RESOURCE = 'https://api.example.com/v1/weather';
const QUOTE = SCHEMAS['payment-required'].example;
const PAYMENT = { x402Version: 2, payload: { signature: '0x2', note: 'é' } };

/**
 * Responds like the API: the header has the quote. For a refused payment, the body has the same members and the members
 * of `refusal`.
 */
const respondWithQuote = (quote: object = QUOTE, refusal: object = {}) =>
  Response.json(
    { ...quote, ...refusal },
    { status: 402, headers: { 'payment-required': encodeHeader(quote) } },
  );

describe.each(REVISIONS)('quotes with MCP %s', (revision) => {
  it('returns a quote as structured content and as identical text, then its price and how to pay', async () => {
    await using server = await connectClient(revision, {
      send: () => Promise.resolve(respondWithQuote()),
      payHint: ({ name }) => `Pay and call ${name} again.`,
    });
    const result = await server.callTool('x402_trust_score', { resource: RESOURCE });
    expect(result).toMatchObject({
      isError: true,
      structured: QUOTE,
      texts: [
        JSON.stringify(result.structured),
        'This call costs $0.005 in USDC on eip155:8453.\nPay and call x402_trust_score again.',
      ],
    });
  });

  it('leaves the extension for directories out of a quote, and keeps the others', async () => {
    const secret = { info: { id: 'a-secret-of-22-chars-x' } };
    const quote = { ...QUOTE, extensions: { bazaar: { info: {} }, 'touchstone-purchase': secret } };
    for (const response of [respondWithQuote(quote), Response.json(quote, { status: 402 })]) {
      await using server = await connectClient(revision, { send: () => Promise.resolve(response) });
      const { structured, texts } = await server.callTool('x402_stats', {});
      expect(structured).toEqual({ ...QUOTE, extensions: { 'touchstone-purchase': secret } });
      expect(texts[0]).toBe(JSON.stringify(structured));
    }
  });

  it('names the amount of a quote with another price than the contract', async () => {
    const [option] = QUOTE.accepts;
    const quote = { ...QUOTE, accepts: [{ ...option, amount: '5001', asset: '0xA' }] };
    await using server = await connectClient(revision, {
      send: () => Promise.resolve(respondWithQuote(quote)),
    });
    const { texts } = await server.callTool('x402_trust_score', { resource: RESOURCE });
    expect(texts[1]).toBe('This call costs 5001 atomic units of 0xA on eip155:8453.');
  });

  const NOT_CHARGED = { notCharged: true };
  it.each([
    [
      { detail: 'The signature is wrong. Nothing was charged.', ...NOT_CHARGED },
      'The payment was refused: The signature is wrong. Nothing was charged.',
    ],
    [
      { detail: 'The payment was refused; `error` has the reason. Nothing was charged.', ...NOT_CHARGED },
      'The payment was refused: invalid_signature. Nothing was charged.',
    ],
    [
      { detail: 'The transfer failed on the chain.' },
      'The payment was refused: The transfer failed on the chain. Call x402_trust_score again with the same payment before you sign a new one: it is charged at most once.',
    ],
  ])('begins with the reason of a refused payment: %j', async (refusal, text) => {
    const quote = { ...QUOTE, error: 'invalid_signature' };
    await using server = await connectClient(revision, {
      send: () => Promise.resolve(respondWithQuote(quote, refusal)),
      payHint: () => 'Pay.',
    });
    const meta = { 'x402/payment': PAYMENT };
    const result = await server.callTool('x402_trust_score', { resource: RESOURCE }, { meta });
    expect(result).toMatchObject({ isError: true, structured: { error: 'invalid_signature', ...refusal } });
    expect(result.texts).toEqual([
      JSON.stringify(result.structured),
      `${text}\nThis call costs $0.005 in USDC on eip155:8453.\nPay.`,
    ]);
  });

  it('returns a failed settlement with the quote', async () => {
    const failed = {
      success: false,
      errorReason: 'insufficient_funds',
      transaction: '',
      network: 'eip155:8453',
    };
    const send = () => {
      const response = respondWithQuote({ ...QUOTE, error: 'insufficient_funds' });
      response.headers.set('payment-response', encodeHeader(failed));
      return Promise.resolve(response);
    };
    await using server = await connectClient(revision, { send });
    const result = await server.callTool('x402_trust_score', { resource: RESOURCE });
    expect(result).toMatchObject({
      isError: true,
      structured: { accepts: QUOTE.accepts, 'x402/payment-response': failed },
      texts: [JSON.stringify(result.structured), 'This call costs $0.005 in USDC on eip155:8453.'],
      meta: { 'x402/payment-response': failed },
    });
  });
});
