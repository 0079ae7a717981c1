import { TRUST_REPORT_EXAMPLE } from '@touchstone/contract';
import { expect, it } from 'vitest';
import { createGuard } from '../guard.ts';
import type { GuardOptions } from '../guard-options.ts';
import { closeServersAfterEach } from '../testing/listen.ts';
import {
  BASE,
  createReport,
  createSummary,
  KEYS,
  OTHER_PAY_TO,
  PAY_TO,
  sendJson,
  startTouchstone,
  USDC,
  type Answer,
} from '../testing/touchstone.ts';

const RESOURCE = 'https://api.example.com/v1/weather';
const PAYMENT = { url: RESOURCE, network: BASE, asset: USDC, amount: '10000', payTo: PAY_TO };

closeServersAfterEach();

interface Setup {
  readonly answer?: Answer;
  readonly report?: Parameters<typeof createReport>[1];
  readonly options?: Partial<GuardOptions>;
}

/** Starts a service that sells reports without payment, because the payment is the task of `report.fetch`. */
async function setUp({ answer, report, options }: Setup = {}) {
  const touchstone = await startTouchstone();
  const bodies: string[] = [];
  touchstone.respond = async (url, request, response) => {
    if (url.pathname === '/v1/x402-summary') {
      sendJson(response, await createSummary(url, answer));
      return;
    }
    let body = '';
    for await (const chunk of request) body += String(chunk);
    bodies.push(`${request.method ?? ''} ${url.pathname} ${body}`);
    sendJson(response, await createReport(RESOURCE, report));
  };
  const guard = createGuard({
    service: touchstone.url,
    keys: KEYS.published.keys,
    report: { aboveUsd: 0.009, fetch },
    ...options,
  });
  return { check: guard.check, bodies };
}

it('buys the report above the price, once, and uses its verdict', async () => {
  const { check, bodies } = await setUp({ report: { recommendation: 'avoid', grade: 'F', score: 3 } });
  const decision = await check(PAYMENT);
  expect(decision).toMatchObject({ action: 'abort', source: 'report' });
  expect(decision.reasons.map(({ code }) => code)).toEqual(['recommendation']);
  expect(decision.summary?.endpoint).toMatchObject({ grade: 'F', score: 3 });
  await check(PAYMENT);
  expect(bodies).toEqual([`POST /v1/x402-trust {"resource":"${RESOURCE}"}`]);
});

it('buys no report at the price or below, and for a payment that the summary refuses', async () => {
  const { check, bodies } = await setUp();
  expect(await check({ ...PAYMENT, amount: '9000' })).toMatchObject({ action: 'pay', source: 'summary' });
  expect((await check({ ...PAYMENT, payTo: OTHER_PAY_TO })).action).toBe('abort');
  expect(bodies).toEqual([]);
});

it('compares the terms of an endpoint that only the report knows', async () => {
  const { check } = await setUp({ answer: { endpoint: null } });
  const known = await check(PAYMENT);
  expect([known.source, known.summary?.payTo?.observed]).toEqual(['report', true]);
  expect(known.reasons).toEqual([]);
  const other = await check({ ...PAYMENT, payTo: OTHER_PAY_TO });
  expect(other.reasons.map(({ code }) => code)).toContain('pay-to-mismatch');
});

it('compares the terms of a known endpoint with the report, too', async () => {
  const advertised = TRUST_REPORT_EXAMPLE.advertised;
  const [option] = advertised.options;
  if (option === undefined) throw new Error('The example has no payment option.');
  const other = { ...option, payTo: OTHER_PAY_TO };
  const token = { ...option, network: 'eip155:137', asset: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359' };
  const cases: [Partial<typeof advertised>, string[]][] = [
    [{}, []],
    [{ options: [other] }, ['pay-to-replaced']],
    [{ options: [token, other] }, ['pay-to-replaced']],
    [{ options: [{ ...token, payTo: PAY_TO }] }, ['pay-to-replaced', 'asset-mismatch']],
    [{ amountRange30d: { lowUsd: '0.001000', highUsd: '0.001000' } }, ['price-multiple']],
  ];
  for (const [change, expected] of cases) {
    const { check } = await setUp({ report: { advertised: { ...advertised, ...change } } });
    const { action, reasons, source } = await check(PAYMENT);
    expect([source, reasons.map(({ code }) => code)]).toEqual(['report', expected]);
    expect(action).toBe(expected.length === 0 ? 'pay' : 'abort');
  }
});

it('buys a report for a price that only a missing observation forbids', async () => {
  const answer: Answer = { endpoint: { recommendation: 'unverified' } };
  const { check, bodies } = await setUp({ answer, options: { policy: { maxUnknownPriceUsd: '0.001' } } });
  expect(await check(PAYMENT)).toMatchObject({ action: 'pay', source: 'report' });
  expect(bodies).toHaveLength(1);
});

it('applies the policy when the report cannot be bought, and keeps the other reasons', async () => {
  const failing = async () => {
    throw new Error('no money');
  };
  const answer: Answer = { endpoint: { recommendation: 'caution' } };
  const report = { aboveUsd: 0, fetch: failing };
  const strict = await setUp({ answer, options: { report } });
  expect((await strict.check(PAYMENT)).action).toBe('abort');
  const lenient = await setUp({ answer, options: { report, policy: { unreachable: 'warn' } } });
  const decision = await lenient.check(PAYMENT);
  expect(decision).toMatchObject({ action: 'warn', source: 'summary' });
  expect(decision.reasons.map(({ code }) => code)).toEqual(['unreachable', 'recommendation']);
});

it('refuses a report on another endpoint', async () => {
  const { check } = await setUp({ report: { resource: 'https://good.example/' } });
  const { action, reasons } = await check(PAYMENT);
  expect([action, reasons.map(({ code }) => code)]).toEqual(['abort', ['wrong-statement']]);
});

it('buys no report on the service itself', async () => {
  const touchstone = await startTouchstone();
  const fail = async () => {
    throw new Error('A report was bought.');
  };
  const guard = createGuard({
    ...{ service: touchstone.url, keys: KEYS.published.keys },
    report: { aboveUsd: 0, fetch: fail },
  });
  expect((await guard.check({ ...PAYMENT, url: `${touchstone.url}/v1/x402-trust` })).action).toBe('pay');
});
