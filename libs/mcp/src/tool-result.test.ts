import { SCHEMAS, TRUST_REPORT_EXAMPLE } from '@touchstone/contract';
import { describe, expect, it } from 'vitest';
import { connectClient, encodeHeader, REVISIONS } from './testing/connect-client.ts';

const RESOURCE = 'https://api.example.com/v1/weather';
const QUOTE = SCHEMAS['payment-required'].example;
const QUOTE_V1 = SCHEMAS['payment-required-v1'].example;
const [OPTION_V1] = QUOTE_V1.accepts;
const OUTPUT_SCHEMA = { outputSchema: { input: { type: 'http' } } };
const PAYMENT = { x402Version: 2, payload: { signature: '0x2', note: 'é' } };

/** Responds like the API: version 2 in the header, and version 1 in the body, with the reason of a refused payment. */
const respondWithQuote = (quote: object = QUOTE, refusal: object = {}) =>
  Response.json(
    { ...QUOTE_V1, accepts: [{ ...OPTION_V1, ...OUTPUT_SCHEMA }], ...refusal },
    { status: 402, headers: { 'payment-required': encodeHeader(quote) } },
  );

describe.each(REVISIONS)('quotes with MCP %s', (revision) => {
  it('returns a quote where each client reads it, with its price and how to pay', async () => {
    await using server = await connectClient(revision, {
      send: () => Promise.resolve(respondWithQuote()),
      payHint: ({ name }) => `Pay and call ${name} again.`,
    });
    const { isError, structured, texts, meta } = await server.callTool('x402_trust_score', {
      resource: RESOURCE,
    });
    const optionV1 = { ...OPTION_V1, description: 'Trust report on an x402 endpoint' };
    expect([isError, structured]).toEqual([true, QUOTE]);
    expect(texts).toEqual([
      JSON.stringify(structured),
      'This call costs $0.005 in USDC on eip155:8453.\nPay and call x402_trust_score again.',
      expect.any(String),
    ]);
    expect(JSON.parse(texts[2] ?? '')).toEqual({ ...QUOTE_V1, accepts: [optionV1] });
    expect(meta['x402/error']).toEqual({ ...QUOTE, accepts: [...QUOTE.accepts, optionV1] });
  });

  it('has no version 1 on a network without a name in version 1', async () => {
    const headers = { 'payment-required': encodeHeader(QUOTE) };
    const response = Response.json({ ...QUOTE, detail: 'No.' }, { status: 402, headers });
    await using server = await connectClient(revision, { send: () => Promise.resolve(response) });
    const { structured, texts, meta } = await server.callTool('x402_ecosystem_stats', {});
    expect(structured).toEqual({ ...QUOTE, detail: 'No.' });
    expect([texts.length, meta['x402/error']]).toEqual([2, structured]);
  });

  it('leaves the extension for directories out of a quote, and keeps the others', async () => {
    const secret = { info: { id: 'a-secret-of-22-chars-x' } };
    const quote = { ...QUOTE, extensions: { bazaar: { info: {} }, 'touchstone-purchase': secret } };
    await using server = await connectClient(revision, {
      send: () => Promise.resolve(respondWithQuote(quote)),
    });
    const { structured, texts } = await server.callTool('x402_ecosystem_stats', {});
    expect(structured).toEqual({ ...QUOTE, extensions: { 'touchstone-purchase': secret } });
    expect(texts[0]).toBe(JSON.stringify(structured));
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
    expect(result.texts.slice(0, 2)).toEqual([
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
      texts: [
        JSON.stringify(result.structured),
        'This call costs $0.005 in USDC on eip155:8453.',
        expect.any(String),
      ],
      meta: { 'x402/payment-response': failed },
    });
  });
});

describe('receipts', () => {
  const revision = '2026-07-28';
  const receipt = { success: true, transaction: '0xabc', network: 'eip155:8453', payer: '0x1' };

  it.each([
    ['x402/payment', 'payment-response', { 'x402/payment-response': receipt }],
    ['x402/payment', 'x-payment-response', { 'x402/payment-response': receipt }],
    [
      'x402.payment',
      'x-payment-response',
      { 'x402/payment-response': receipt, 'x402.payment-response': receipt },
    ],
  ])('are returned for a payment in %s, from the header %s', async (member, header, receipts) => {
    const headers = { [header]: encodeHeader(receipt) };
    const send = () => Promise.resolve(Response.json(TRUST_REPORT_EXAMPLE, { headers }));
    await using server = await connectClient(revision, { send });
    const meta = { [member]: PAYMENT };
    const result = await server.callTool('x402_trust_score', { resource: RESOURCE }, { meta });
    expect(server.calls[0]?.payment).toMatchObject({ member });
    const received = Object.entries(result.meta).filter(([name]) => name.startsWith('x402'));
    expect([result.isError, Object.fromEntries(received)]).toEqual([false, receipts]);
  });

  it('may be empty, as without the header', async () => {
    const headers = { 'payment-response': '' };
    const send = () => Promise.resolve(Response.json(TRUST_REPORT_EXAMPLE, { headers }));
    await using server = await connectClient(revision, { send });
    const { isError, meta } = await server.callTool('x402_trust_score', { resource: RESOURCE });
    expect([isError, meta['x402/payment-response']]).toEqual([false, undefined]);
  });
});
