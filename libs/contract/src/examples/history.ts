import type { History } from '../responses/history.ts';
import { TRUST_REPORT_EXAMPLE } from './trust-report.ts';

type Terms = Extract<History['snapshots'][number]['before'], { readonly protocolVersion: unknown }>;

function createTerms(amount: string, amountUsd: string): Terms {
  const { advertised, description } = TRUST_REPORT_EXAMPLE;
  const options = advertised?.options ?? [];
  return {
    protocolVersion: 2,
    description,
    options: options.map((option) => ({ ...option, amount, amountUsd })),
  };
}

/** History of two days, for the endpoint in the example of a trust report. */
export const HISTORY_EXAMPLE: History = {
  resource: TRUST_REPORT_EXAMPLE.resource,
  days: 2,
  from: '2026-05-19T12:00:00.000Z',
  to: '2026-05-21T12:00:00.000Z',
  snapshots: [
    {
      at: '2026-05-20T00:00:00.000Z',
      event: 'price_change',
      before: createTerms('20000', '0.020000'),
      after: createTerms('10000', '0.010000'),
    },
  ],
  probes: [
    {
      at: '2026-05-19T23:30:00.412Z',
      outcome: 'challenged',
      httpStatus: 402,
      error: null,
      latencyMs: 208,
      compliant: true,
      amountUsd: '0.020000',
    },
    {
      at: '2026-05-20T00:00:00.377Z',
      outcome: 'challenged',
      httpStatus: 402,
      error: null,
      latencyMs: 221,
      compliant: true,
      amountUsd: '0.010000',
    },
    {
      at: '2026-05-20T00:30:00.405Z',
      outcome: 'timeout',
      httpStatus: null,
      error: 'timeout',
      latencyMs: null,
      compliant: null,
      amountUsd: null,
    },
  ],
  daily: [
    { day: '2026-05-19', probes: 24, scored: 24, up: 24, latencyMsP50: 211, latencyMsP95: 590, score: 91.7 },
    { day: '2026-05-20', probes: 48, scored: 48, up: 47, latencyMsP50: 216, latencyMsP95: 633, score: 90.1 },
    { day: '2026-05-21', probes: 24, scored: 24, up: 24, latencyMsP50: 213, latencyMsP95: 602, score: 90.2 },
  ],
  probesResolution: 'raw',
  lastFailure: {
    at: '2026-05-20T00:30:00.405Z',
    phase: 'processing',
    httpStatus: null,
    error: 'timeout',
    detail: 'No response within 10 seconds.',
    since: '2026-05-20T00:30:00.405Z',
    causes30d: { timeout: 3 },
  },
};
