import { describe, expect, it } from 'vitest';
import type { RequestResult } from '../service/request.ts';
import { sendPayment } from './send-payment.ts';

const createResponse = (
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): RequestResult => ({
  status,
  headers: new Headers(headers),
  text: typeof body === 'string' ? body : JSON.stringify(body),
});
const LOST: RequestResult = { error: 'socket hang up' };
const SOLD = createResponse(200, { sold: true });
const inProgress = (headers: Record<string, string> = { 'retry-after': '2' }) =>
  createResponse(409, { code: 'payment-in-progress' }, headers);

/**
 * Sends a payment that the current run created. The first attempt gets the first result, and so on. All further
 * attempts get the last result.
 */
async function sendNew(...results: readonly RequestResult[]) {
  return send(false, results);
}

/** Sends a payment with simulated results and a simulated clock. Expects that every attempt sends the same bytes. */
async function send(wasSentBefore: boolean, results: readonly RequestResult[]) {
  const sent: (string | undefined)[] = [];
  const pauses: number[] = [];
  const lines: string[] = [];
  let at = 0;
  const result = await sendPayment('c2lnbmVk', {
    sendOrder: async (headers) => {
      const next = results[Math.min(sent.length, results.length - 1)];
      sent.push(headers['payment-signature']);
      at += 100;
      return next ?? LOST;
    },
    sleep: async (ms) => {
      pauses.push(ms);
      at += ms;
    },
    clock: () => at,
    wasSentBefore,
    report: (line) => lines.push(line),
  });
  expect(new Set(sent)).toEqual(new Set(['c2lnbmVk']));
  return { result, sends: sent.length, pauses, lines };
}

describe('sendPayment', () => {
  it('sends once when the service responds', async () => {
    const { result, sends } = await sendNew(SOLD);
    expect([result.outcome, sends]).toEqual(['served', 1]);
  });

  it('sends the same bytes again with growing pauses when no response arrives', async () => {
    const { result, sends, pauses, lines } = await sendNew(LOST, LOST, LOST, SOLD);
    expect([result.outcome, sends, pauses]).toEqual(['served', 4, [500, 1_000, 2_000]]);
    expect(lines[0]).toContain('socket hang up');
    expect(lines[0]).toContain('charged at most once');
  });

  it('stops after five failures with the outcome open', async () => {
    const { result, sends } = await sendNew(LOST);
    expect([result.outcome, sends]).toEqual(['open', 5]);
  });

  it.each([429, 500, 502, 503, 504])(
    'waits as long as Retry-After requires after status %i',
    async (status) => {
      const { result, pauses } = await sendNew(createResponse(status, {}, { 'retry-after': '7' }), SOLD);
      expect([result.outcome, pauses]).toEqual(['served', [7_000]]);
    },
  );

  it('stops when Retry-After is longer than 30 seconds', async () => {
    const { result, sends } = await sendNew(createResponse(503, {}, { 'retry-after': '3600' }), SOLD);
    expect([result.outcome, sends]).toEqual(['open', 1]);
  });

  it('waits up to two minutes while the service processes the payment', async () => {
    const { result, sends } = await sendNew(...Array.from({ length: 20 }, () => inProgress()), SOLD);
    expect([result.outcome, sends]).toEqual(['served', 21]);
    const endless = await sendNew(inProgress());
    expect(endless.result.outcome).toBe('open');
    expect(endless.sends).toBeLessThan(70);
    expect((await sendNew(inProgress({ 'retry-after': '0' }))).result.outcome).toBe('open');
  });

  it.each([
    ['402', createResponse(402, { notCharged: true })],
    ['422 with a problem', createResponse(422, { code: 'not-probeable', notCharged: true })],
    ['409 with another problem', createResponse(409, { code: 'payment-reused', notCharged: true })],
    ['400 with a problem', createResponse(400, { code: 'invalid-payment', notCharged: true })],
  ])('ends with the outcome refused after %s', async (_, response) => {
    const { result, sends } = await sendNew(response);
    expect([result.outcome, sends]).toEqual(['refused', 1]);
  });

  it.each([
    ['402', createResponse(402, {})],
    ['402 with another value of notCharged', createResponse(402, { notCharged: 'true' })],
    ['an error of the service', createResponse(400, { code: 'invalid-request' })],
  ])('ends with the outcome open after %s without notCharged', async (_, response) => {
    const { result, sends } = await sendNew(response);
    expect([result, sends]).toEqual([expect.objectContaining({ outcome: 'open', maybeCharged: true }), 1]);
  });

  it.each([
    ['a missing response', LOST],
    ['a failure that may have charged', createResponse(503, { code: 'payment-unavailable' })],
    ['a concurrent request', inProgress()],
  ])('ends with the outcome open when the payment is refused after %s', async (_, first) => {
    const refused = createResponse(402, { notCharged: true });
    const { result } = await sendNew(first, refused);
    expect(result).toMatchObject({ outcome: 'open', maybeCharged: true });
    expect((await send(true, [refused])).result).toMatchObject({ outcome: 'open', maybeCharged: true });
  });

  it('ends with the outcome refused when no earlier attempt charged anything', async () => {
    const failed = createResponse(503, { code: 'payment-unavailable', notCharged: true });
    const { result } = await sendNew(failed, failed, createResponse(402, { notCharged: true }));
    expect(result.outcome).toBe('refused');
    expect((await sendNew(failed)).result).toMatchObject({ outcome: 'open', maybeCharged: false });
    expect((await sendNew(LOST, failed)).result).toMatchObject({ outcome: 'open', maybeCharged: true });
  });

  it.each([
    ['a page of another program', createResponse(200, '<html>Log in</html>')],
    ['an incomplete response', createResponse(200, '{"sold":')],
    ['a list', createResponse(200, [])],
    ['a redirect', createResponse(302, '')],
    ['404 of another program', createResponse(404, 'Not here')],
  ])('sends once and ends with the outcome open after %s', async (_, response) => {
    const { result, sends } = await sendNew(response);
    expect([result.outcome, sends]).toEqual(['open', 1]);
  });
});
