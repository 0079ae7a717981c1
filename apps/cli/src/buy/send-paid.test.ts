import { describe, expect, it } from 'vitest';
import type { Exchanged } from './exchange.ts';
import { orderOf } from './order.ts';
import { sendPaid } from './send-paid.ts';

const order = orderOf(new URL('https://touchstone.example'), {
  path: '/v1/x402-trust',
  input: { resource: 'https://api.example.com/v1/weather' },
  what: 'a trust report',
});
const answer = (status: number, body: unknown, headers: Record<string, string> = {}): Exchanged => ({
  status,
  headers: new Headers(headers),
  text: typeof body === 'string' ? body : JSON.stringify(body),
});
const LOST: Exchanged = { lost: 'socket hang up' };
const SOLD = answer(200, { sold: true });
const inProgress = (headers: Record<string, string> = { 'retry-after': '2' }) =>
  answer(409, { code: 'payment-in-progress' }, headers);

/** Sends against answers in order, the last one again and again, on a clock of its own. */
async function sendAgainst(...answers: readonly Exchanged[]) {
  return sendFrom(false, answers);
}

/** The same of a payment that was sent before, to whatever end. */
async function sendFrom(wasSent: boolean, answers: readonly Exchanged[]) {
  const sent: (string | null)[] = [];
  const bodies: string[] = [];
  const pauses: number[] = [];
  const said: string[] = [];
  let at = 0;
  const result = await sendPaid(order, 'c2lnbmVk', {
    exchange: async ({ body }, headers) => {
      const next = answers[Math.min(sent.length, answers.length - 1)];
      sent.push(headers.get('payment-signature'));
      bodies.push(body);
      at += 100;
      return next ?? LOST;
    },
    sleep: async (ms) => {
      pauses.push(ms);
      at += ms;
    },
    clock: () => at,
    wasSent,
    say: (line) => said.push(line),
  });
  expect(new Set(sent)).toEqual(new Set(['c2lnbmVk']));
  expect(new Set(bodies)).toEqual(new Set([order.body]));
  return { result, sends: sent.length, pauses, said };
}

describe('a payment that is sent', () => {
  it('is sent once when it is answered', async () => {
    const { result, sends } = await sendAgainst(SOLD);
    expect([result.outcome, sends]).toEqual(['served', 1]);
  });

  it('is sent again, the same, when the answer is lost, at growing pauses', async () => {
    const { result, sends, pauses, said } = await sendAgainst(LOST, LOST, LOST, SOLD);
    expect([result.outcome, sends, pauses]).toEqual(['served', 4, [500, 1_000, 2_000]]);
    expect(said[0]).toContain('socket hang up');
    expect(said[0]).toContain('charged once at most');
  });

  it('is given up after five failures, its outcome open', async () => {
    const { result, sends } = await sendAgainst(LOST);
    expect([result.outcome, sends]).toEqual(['open', 5]);
  });

  it.each([429, 500, 502, 503, 504])('waits as long as asked after a %i', async (status) => {
    const { result, pauses } = await sendAgainst(answer(status, {}, { 'retry-after': '7' }), SOLD);
    expect([result.outcome, pauses]).toEqual(['served', [7_000]]);
  });

  it('does not wait for longer than half a minute', async () => {
    const { result, sends } = await sendAgainst(answer(503, {}, { 'retry-after': '3600' }), SOLD);
    expect([result.outcome, sends]).toEqual(['open', 1]);
  });

  it('is waited for while the service works on it, for two minutes', async () => {
    const { result, sends } = await sendAgainst(...Array.from({ length: 20 }, () => inProgress()), SOLD);
    expect([result.outcome, sends]).toEqual(['served', 21]);
    const endless = await sendAgainst(inProgress());
    expect(endless.result.outcome).toBe('open');
    expect(endless.sends).toBeLessThan(70);
    expect((await sendAgainst(inProgress({ 'retry-after': '0' }))).result.outcome).toBe('open');
  });

  it.each([
    ['402', answer(402, { notCharged: true })],
    ['422 with a problem', answer(422, { code: 'not-probeable', notCharged: true })],
    ['409 with another problem', answer(409, { code: 'payment-reused', notCharged: true })],
    ['400 with a problem', answer(400, { code: 'invalid-payment', notCharged: true })],
  ])('is refused for good by %s', async (_, said) => {
    const { result, sends } = await sendAgainst(said);
    expect([result.outcome, sends]).toEqual(['refused', 1]);
  });

  it.each([
    ['402', answer(402, {})],
    ['402 that says otherwise', answer(402, { notCharged: 'true' })],
    ['an error of the service', answer(400, { code: 'invalid-request' })],
  ])('stays open after a %s that does not say that nothing was charged', async (_, said) => {
    const { result, sends } = await sendAgainst(said);
    expect([result, sends]).toEqual([expect.objectContaining({ outcome: 'open', maybeCharged: true }), 1]);
  });

  it.each([
    ['a lost answer', LOST],
    ['a failure that may have charged', answer(503, { code: 'payment-unavailable' })],
    ['another one who serves it', inProgress()],
  ])(
    'stays open when it is refused after %s, which may have been the one that was charged',
    async (_, first) => {
      const refused = answer(402, { notCharged: true });
      const { result } = await sendAgainst(first, refused);
      expect(result).toMatchObject({ outcome: 'open', maybeCharged: true });
      expect((await sendFrom(true, [refused])).result).toMatchObject({ outcome: 'open', maybeCharged: true });
    },
  );

  it('is refused for good when all failures before said that nothing was charged', async () => {
    const failed = answer(503, { code: 'payment-unavailable', notCharged: true });
    const { result } = await sendAgainst(failed, failed, answer(402, { notCharged: true }));
    expect(result.outcome).toBe('refused');
    expect((await sendAgainst(failed)).result).toMatchObject({ outcome: 'open', maybeCharged: false });
    expect((await sendAgainst(LOST, failed)).result).toMatchObject({ outcome: 'open', maybeCharged: true });
  });

  it.each([
    ['a page of another program', answer(200, '<html>Log in</html>')],
    ['half of an answer', answer(200, '{"sold":')],
    ['a list', answer(200, [])],
    ['a redirect', answer(302, '')],
    ['404 of another program', answer(404, 'Not here')],
  ])('stays open after %s, and is not sent again at once', async (_, said) => {
    const { result, sends } = await sendAgainst(said);
    expect([result.outcome, sends]).toEqual(['open', 1]);
  });
});
