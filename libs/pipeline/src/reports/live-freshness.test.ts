import type { Probe } from '@touchstone/probe';
import { describe, expect, it } from 'vitest';
import { createObserved } from '../testing/observed.ts';
import { toLiveFreshness } from './live-freshness.ts';

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const [SELLER, THIEF] = [`0x${'1'.repeat(40)}`, `0x${'3'.repeat(40)}`];
const NOW = Date.UTC(2026, 10, 16, 10, 30);

const OPTION = {
  ...{ scheme: 'exact', network: 'eip155:8453', asset: USDC, assetSymbol: 'USDC', decimals: 6 },
  ...{ amount: '10000', amountUsd: '0.010000', payTo: SELLER },
};
type Option = typeof OPTION;

const PROBE: Probe = {
  ...{ url: 'https://seller.example/', method: 'GET', outcome: 'challenged', httpStatus: 402 },
  phases: { resolve: 1, connect: 1, tls: 1, processing: 1, transfer: 1 },
  ...{ latencyMs: 4, totalMs: 5, headers: [], body: '', bodyEnd: 'complete', redirects: [] },
  ...{ interimStatuses: [], declaredMethod: null, remoteAddress: null, retryAfterSeconds: null },
  failure: null,
};

interface Case {
  readonly options?: readonly Option[] | null;
  readonly storedOptions?: readonly Option[];
  readonly compliance?: 'pass' | 'unpayable';
  readonly probe?: Partial<Probe>;
  readonly stored?: {
    readonly latestCompliance?: 'unpayable';
    readonly isVarying?: true;
    readonly isPriceVarying?: true;
    readonly redirect?: string;
  } | null;
  readonly redirect?: string;
  readonly target?: string;
}

const toRedirect = (target?: string) =>
  target === undefined ? null : { status: 307, target, otherOrigin: true };

/** Returns the freshness after a live probe. By default, the live probe receives the stored terms of ten minutes ago. */
function observe({ options = [OPTION], compliance = 'pass', probe, stored = {}, ...rest }: Case) {
  const terms = options && {
    ...{ version: 2 as const, options: [...options], prices: {}, payTo: {}, falseUsdc: false },
    ...{ description: null, resourceInfoMissing: false, headerBodyMismatch: false, neededSettings: [] },
    redirect: toRedirect(rest.redirect),
  };
  const observed = createObserved({ terms, compliance: options === null ? null : compliance });
  const termsAt = NOW - 30 * 60_000;
  const payToVariation = { changes: 9, since: 0, lastChangedAt: termsAt, before: null, after: null };
  const lastChallenge = {
    ...{ resourceInfoMissing: false, headerBodyMismatch: false, failedRules: [], neededSettings: [] },
    redirect: null,
    notPayableReason: compliance === 'unpayable' ? 'The EIP-712 domain is wrong.' : null,
  };
  return toLiveFreshness(
    { kind: 'observed', observed, probe: { ...PROBE, ...probe }, at: NOW, tookMs: 250 },
    {
      before: stored && {
        payOn: [...(rest.storedOptions ?? [OPTION])],
        facts: { termsAt, lowestPriceUsd: '0.01', highestPriceUsd: '0.09' },
        isPriceVarying: stored.isPriceVarying ?? false,
        inputs: {
          latestCompliance: stored.latestCompliance ?? 'pass',
          lastChallenge: { redirect: toRedirect(stored.redirect) },
          ...(stored.isVarying ? { payToVariation } : {}),
        },
      },
      after: { inputs: { lastChallenge } },
      target: rest.target ?? null,
    },
  );
}

const EXPENSIVE = { ...OPTION, amount: '9000000', amountUsd: '9' };
const TARGET = 'https://new.example/pay';
const REDIRECTED: Case = { redirect: TARGET, probe: { redirects: [{ status: 307, url: TARGET }] } };
const REDIRECT = 'The endpoint sent a payment challenge (HTTP 402, after a redirect to https://new.example)';
const CHALLENGE = 'The endpoint sent a payment challenge (HTTP 402)';
const COMPARED = `${CHALLENGE}. Compared with the payment terms of 2026-11-16 10:00 UTC,`;
const TERMS = 'The report contains the payment terms of 2026-11-16 10:00 UTC.';
const FAILURE = { phase: 'processing', code: 'ERR_DEADLINE', message: '', limitMs: 10_000 } as const;
const none = (outcome: Probe['outcome'], httpStatus: number | null, change: Partial<Probe> = {}): Case => ({
  options: null,
  probe: { outcome, httpStatus, ...change },
});

describe('the freshness after a live probe', () => {
  it.each<[string, boolean | null, Case, string]>([
    ['the stored terms', true, {}, `${CHALLENGE} with the stored payment terms.`],
    [
      'another spelling of the wallet',
      true,
      { options: [{ ...OPTION, payTo: SELLER.toUpperCase().replace('X', 'x') }] },
      `${CHALLENGE} with the stored payment terms.`,
    ],
    [
      'another wallet and another price',
      false,
      { options: [{ ...OPTION, payTo: THIEF, amount: '90000', amountUsd: '0.090000' }] },
      `${COMPARED} the price changed from $0.01 to $0.09, and the payTo address changed from ${SELLER} to ${THIEF}.`,
    ],
    [
      'a wallet that is no address',
      false,
      { options: [{ ...OPTION, payTo: 'Pay me, this is safe' }] },
      `${COMPARED} the payTo address changed.`,
    ],
    [
      'another wallet of an endpoint whose payTo varies',
      true,
      { options: [{ ...OPTION, payTo: THIEF }], stored: { isVarying: true } },
      `${CHALLENGE} with the stored payment terms, except for the payTo address, which varies by design.`,
    ],
    [
      'a further network',
      false,
      { options: [OPTION, { ...OPTION, network: 'eip155:137' }] },
      `${COMPARED} the network or token changed.`,
    ],
    [
      'a challenge that cannot be paid',
      false,
      { compliance: 'unpayable' },
      `${CHALLENGE} with the stored payment terms. The challenge cannot be paid: The EIP-712 domain is wrong.`,
    ],
    [
      'a challenge that still cannot be paid',
      true,
      { compliance: 'unpayable', stored: { latestCompliance: 'unpayable' } },
      `${CHALLENGE} with the stored payment terms. The challenge cannot be paid: The EIP-712 domain is wrong.`,
    ],
    [
      'a repaired challenge',
      false,
      { stored: { latestCompliance: 'unpayable' } },
      `${CHALLENGE} with the stored payment terms. The challenge can be paid; the stored one could not be paid.`,
    ],
    ['the first terms', null, { stored: null }, `${CHALLENGE}.`],
    [
      'an outage',
      false,
      none('server-error', 503),
      `The endpoint sent no payment challenge: HTTP 503 Service Unavailable. ${TERMS}`,
    ],
    [
      'no response',
      false,
      none('timeout', null, { failure: FAILURE }),
      `No response within 10 seconds. ${TERMS}`,
    ],
    [
      'data',
      false,
      none('free', 200),
      `The endpoint returned data without a payment challenge (HTTP 200). ${TERMS}`,
    ],
    [
      'another gate',
      null,
      { ...none('other-gate', 401), stored: null },
      'The endpoint requires another authorization than x402 (HTTP 401).',
    ],
    [
      'a redirect that clients do not follow',
      false,
      {
        ...none('redirected', 308, { headers: [['location', 'http://new.example/ignore-all-flags']] }),
        target: 'The catalog contains the target.',
      },
      `The endpoint redirects to http://new.example (HTTP 308). ${TERMS} The catalog contains the target.`,
    ],
    [
      'a challenge after a redirect',
      true,
      { ...REDIRECTED, stored: { redirect: TARGET } },
      `${REDIRECT} with the stored payment terms.`,
    ],
    [
      'a challenge after a new redirect',
      false,
      REDIRECTED,
      `${REDIRECT}. Compared with the payment terms of 2026-11-16 10:00 UTC, the redirect changed.`,
    ],
    [
      'another scheme',
      false,
      { options: [{ ...OPTION, scheme: 'upto' }] },
      `${COMPARED} the payment scheme changed.`,
    ],
    [
      'a further option with another price',
      false,
      { options: [OPTION, EXPENSIVE] },
      `${COMPARED} the price changed.`,
    ],
    [
      'another order of prices',
      false,
      { options: [EXPENSIVE, OPTION], storedOptions: [OPTION, EXPENSIVE] },
      `${COMPARED} the price changed from $0.01 to $9.00.`,
    ],
    [
      'prices that two schemes exchanged',
      false,
      {
        storedOptions: [OPTION, { ...EXPENSIVE, scheme: 'upto' }],
        options: [{ ...OPTION, scheme: 'upto' }, EXPENSIVE],
      },
      `${COMPARED} the price changed from $0.01 to $9.00.`,
    ],
    [
      'another price of an endpoint whose price varies',
      true,
      { options: [{ ...OPTION, amount: '90000', amountUsd: '0.09' }], stored: { isPriceVarying: true } },
      `${CHALLENGE} with the stored payment terms, except for the price, which varies.`,
    ],
    [
      'a price above all prices of the last 30 days',
      false,
      { options: [EXPENSIVE], stored: { isPriceVarying: true } },
      `${COMPARED} the price changed from $0.01 to $9.00.`,
    ],
  ])('describes %s, and confirms %s', (...[, confirms, given, detail]) => {
    const { outcome = 'challenged', httpStatus = 402 } = given.probe ?? {};
    expect(observe(given)).toEqual({
      ...{ live: true, probedAt: NOW, liveProbeMs: 250, outcome, httpStatus, confirms, detail },
    });
  });
});
