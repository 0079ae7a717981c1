import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GuardService, startGuardService } from '../../testing/guarded-endpoint.ts';
import { type GuardServer, startGuardServer } from './testing/guard-server.ts';
import { runInProcess } from '../../testing/run-in-process.ts';
import { createChallengeHeaders, createEnvelope } from '../../testing/saved-response.ts';
import { startServer } from '../../testing/serve.ts';
import { signPayment } from './testing/sign-payment.ts';

const OTHER = '0x1111111111111111111111111111111111111111';
const URL_OF_SELLER = 'https://api.example.com/v1/weather';

let service: GuardService;
beforeAll(async () => {
  service = await startGuardService({ endpoint: { confidence: 0.9 } });
});
afterAll(() => service[Symbol.asyncDispose]());

const start = (...args: readonly string[]) => startGuardServer(['--service', service.base, ...args]);

/** Creates a challenge of one cent, as the header PAYMENT-REQUIRED. */
function createTerms(option: Readonly<Record<string, unknown>> = {}, url = URL_OF_SELLER): string {
  return createChallengeHeaders(createEnvelope(url, option))['payment-required'] ?? '';
}

/** Authorizes a newly signed payment. */
async function authorize(
  guard: GuardServer,
  values: object = {},
  option: Readonly<Record<string, unknown>> = {},
) {
  const payment = await signPayment(createTerms(option));
  const { body } = await guard.send('/authorize', { url: URL_OF_SELLER, payment, ...values });
  return { signed: payment, ...body } as {
    readonly signed: string;
    readonly action: string;
    readonly id: string;
    readonly payment: string | null;
    readonly reasons: readonly { readonly code: string; readonly message: string }[];
  };
}

describe('touchstone guard serve', () => {
  it('decides before and after the signature, and records the response', async () => {
    await using guard = await start();
    const check = await guard.send('/check', { url: URL_OF_SELLER, payment_required: createTerms() });
    expect(check).toMatchObject({
      status: 200,
      body: { action: 'pay', offers: [{ action: 'pay', reasons: [] }] },
    });
    const { signed, ...allowed } = await authorize(guard);
    expect(allowed).toMatchObject({ action: 'pay', payment: signed, reasons: [] });
    const recorded = { id: allowed.id, status: 200, content_length: 11 };
    expect(await guard.send('/record', recorded)).toEqual({ status: 200, body: { recorded: true } });
    expect((await guard.send('/spending')).body).toMatchObject({
      total_usd: '0.01',
      last_day: { payments: 1, delivered: 1 },
      hosts: [{ name: 'api.example.com' }],
    });
    expect((await guard.send('/health')).body).toMatchObject({ status: 'ok', service: service.base });
    const sums = await runInProcess(['receipts', '--journal', guard.journal, '--by', 'host']);
    expect(sums).toMatchObject({ code: 0, stderr: '' });
    expect(sums.stdout).toMatch(
      /^api\.example\.com +1 payment +1 delivered +\$0\.01\ntotal +1 payment .*\$0\.01\n$/,
    );
  });

  it('returns the earlier payment of the same request if its response is not recorded', async () => {
    await using guard = await start();
    const first = await authorize(guard, { method: 'POST', body: '{"city":"Ulm"}' });
    const bodySha256 = createHash('sha256').update('{"city":"Ulm"}').digest('hex');
    const second = await authorize(guard, { method: 'POST', body_sha256: bodySha256 });
    expect([second.id, second.payment]).toEqual([first.id, first.signed]);
    const other = await authorize(guard, { method: 'POST', body: '{"city":"Bonn"}' });
    expect(other.payment).toBe(other.signed);
  });

  it('refuses with the reasons, and prints them without the query', async () => {
    await using guard = await start('--max-usd-per-day', '0.015');
    const replaced = await authorize(guard, { url: `${URL_OF_SELLER}?key=secret` }, { payTo: OTHER });
    expect(replaced).toMatchObject({ action: 'abort', id: null, payment: null });
    expect(replaced.reasons.map(({ code }) => code)).toContain('pay-to-mismatch');
    expect(guard.readErrors()).toContain(`Refused: ${URL_OF_SELLER}: `);
    expect(guard.readErrors()).not.toContain('secret');
    expect((await authorize(guard)).action).toBe('pay');
    const above = await authorize(guard, { url: 'https://api.example.com/v1/other' });
    expect([above.action, above.reasons.map(({ code }) => code)]).toEqual(['abort', ['day-budget']]);
    const refused = await runInProcess(['receipts', '--journal', guard.journal, '--refused']);
    expect(refused.stdout).toContain(above.reasons[0]?.message.slice(0, 30));
  });

  it('checks each offer of a challenge, and allows a challenge with one allowed offer', async () => {
    await using guard = await start();
    const { accepts, ...rest } = createEnvelope(URL_OF_SELLER) as { readonly accepts: readonly object[] };
    const body = { ...rest, accepts: [...accepts, { ...accepts[0], payTo: OTHER }] };
    const one = await guard.send('/check', { url: URL_OF_SELLER, payment_required: body });
    expect(one.body).toMatchObject({
      action: 'pay',
      offers: [{ action: 'pay' }, { action: 'abort', pay_to: OTHER }],
    });
    const none = await guard.send('/check', {
      url: URL_OF_SELLER,
      payment_required: createTerms({ payTo: OTHER }),
    });
    expect(none.body).toMatchObject({ action: 'abort', offers: [{ action: 'abort' }] });
  });

  it.each([
    ['/check', { url: URL_OF_SELLER, payment_required: 'e30=' }, 'payment_required'],
    ['/check', { url: URL_OF_SELLER }, '`payment_required` is missing'],
    ['/authorize', { url: 'ftp://a.example', payment: 'x' }, '`url`'],
    ['/authorize', { url: URL_OF_SELLER, payment: 'x', sign: true }, 'sign'],
    ['/authorize', { url: URL_OF_SELLER, payment: 'x', body: 'a', body_sha256: null }, '`body`'],
    ['/authorize', { url: URL_OF_SELLER, payment: 'x', body_sha256: 'ab' }, '`body_sha256`'],
    ['/record', { id: 'x', status: 99 }, '`status`'],
  ])('explains what to change in %s %j', async (path, values, message) => {
    await using guard = await start();
    const { status, body } = await guard.send(path, values);
    expect([status, body['error']]).toEqual([400, expect.stringContaining(message)]);
  });

  it('asks the provider of --rpc what became of a payment that brought nothing', async () => {
    const asked = Promise.withResolvers<string | undefined>();
    await using provider = await startServer((request, response) => {
      void json(request).then((call) => {
        asked.resolve((call as { readonly method?: string }).method);
        response.end('{}');
      });
    });
    await using guard = await start('--rpc', `base=http://127.0.0.1:${String(provider.port)}`);
    const { id } = await authorize(guard);
    await guard.send('/record', { id, status: 502 });
    expect(await asked.promise).toBe('eth_blockNumber');
  });

  it('records no payment to the service itself', async () => {
    await using guard = await start();
    const own = await authorize(guard, { url: `${service.base}/v1/x402-trust` });
    expect(own).toMatchObject({ action: 'pay', id: null, payment: own.signed });
    expect((await guard.send('/record', { id: own.id, status: 200 })).body).toEqual({ recorded: false });
  });

  it('does not know the id of a payment that it did not authorize', async () => {
    await using guard = await start();
    expect((await guard.send('/record', { id: 'x', status: 200 })).status).toBe(404);
  });

  it('ends with 0 after SIGTERM, and keeps the journal for the next server', async () => {
    await using guard = await start();
    const first = await authorize(guard);
    expect(await guard.stop()).toBe(0);
    await using next = await start('--journal', guard.journal);
    expect((await authorize(next)).payment).toBe(first.signed);
  });

  it.each([
    [['--port', '70000'], '--port must be a whole number from 0 to 65535; received 70000.'],
    [['--strict'], '--strict is not an option of touchstone guard serve'],
    [['--max-usd-per-day', 'much'], '--max-usd-per-day'],
  ])('does not start with %j', async (args, message) => {
    const { code, stderr } = await runInProcess(['guard', 'serve', '--service', service.base, ...args]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it('does not start with a journal that it cannot read', async () => {
    await using guard = await start();
    appendFileSync(guard.journal, 'no entry\n');
    const { code, stderr } = await runInProcess([
      ...['guard', 'serve', '--service', service.base, '--port', '0', '--journal', guard.journal],
    ]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('The journal cannot be used.')]);
  });

  it('explains that the port is taken', async () => {
    await using guard = await start();
    const { port } = new URL(guard.base);
    const { code, stderr } = await runInProcess([
      'guard',
      'serve',
      '--service',
      service.base,
      '--port',
      port,
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain(`port ${port} of 127.0.0.1: another program uses the port`);
  });
});
