import { decide } from '../decision/decide.ts';
import type { Decision } from '../decision/decision.ts';
import type { ProposedPayment } from '../payment-terms.ts';
import { DEFAULT_POLICY, type Policy } from '../decision/policy.ts';
import type { Summary, SummaryEndpoint } from '../statement/summary.ts';

export const NOW = Date.parse('2026-06-01T12:00:00.000Z');
export const BASE = 'eip155:8453';
export const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
export const PAY_TO = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
export const PAYMENT: ProposedPayment = {
  ...{ url: 'https://a.example/weather?city=berlin', network: BASE },
  ...{ asset: USDC, amount: '10000', payTo: PAY_TO },
};
const ENDPOINT: SummaryEndpoint = {
  resource: 'https://a.example/weather',
  endpointPage: 'https://touchstone.example/endpoint/a',
  ...{ templated: false, score: 91, grade: 'A', recommendation: 'proceed', confidence: 0.9 },
  lastProbedAt: '2026-06-01T11:30:00.000Z',
  amountUsd: '0.010000',
  priceRange30d: { lowUsd: '0.010000', highUsd: '0.020000' },
  payOn: [{ network: BASE, asset: USDC, decimals: 6, canonicalUsdc: true }],
};
const SUMMARY: Summary = {
  generatedAt: '2026-06-01T12:00:00.000Z',
  requested: { resource: 'https://a.example/weather', payTo: PAY_TO.toLowerCase(), network: BASE },
  match: 'exact',
  payTo: { observed: true, current: true, varies: false, changedAt: null, before: null },
  endpoint: ENDPOINT,
  optedOutAt: null,
  unknownHost: null,
};
export const UNOBSERVED = { observed: false, current: false, varies: false, changedAt: null, before: null };

/** Differences from a payment that the guard allows. */
export interface Change {
  readonly payment?: Partial<ProposedPayment>;
  readonly summary?: Partial<Summary>;
  readonly endpoint?: Partial<SummaryEndpoint>;
  readonly policy?: Partial<Policy>;
  readonly isUrlClaimed?: boolean;
}

export function run({ payment, summary, endpoint, policy, isUrlClaimed = false }: Change = {}): Decision {
  const changed: Summary = { ...SUMMARY, endpoint: { ...ENDPOINT, ...endpoint }, ...summary };
  return decide({
    payment: { ...PAYMENT, ...payment },
    lookup: { summary: changed, source: 'summary' },
    policy: { ...DEFAULT_POLICY, ...policy },
    now: NOW,
    isUrlClaimed,
  });
}
