import type { LogEntry } from '../events/log-entry.ts';
import type { EventContext } from '../events/to-watch-event.ts';

export const CONTEXT: EventContext = {
  watchId: 'w_k5xgq2dlmvzw433bnz2gs3tbme',
  resource: 'https://api.example.com/v1/weather',
  endpointPage: 'https://touchstone.example/endpoint/api-example-com-v1-weather-k5xgq2dlmv',
};

/** Time of the test entries: 23 November 2026, 00:10 UTC. */
export const AT = Date.parse('2026-11-23T00:10:00.000Z');

export function createEntry(type: LogEntry['type'], data: unknown = {}, at = AT): LogEntry {
  return { sequence: 3, kind: 'alert', type, at, data };
}

const USDC = {
  'eip155:8453': '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  'eip155:137': '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
} as const;

/** Creates a stored payment option with the price of one cent in USDC on Base. */
export function createOption(
  change: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  return {
    scheme: 'exact',
    network: 'eip155:8453',
    asset: USDC['eip155:8453'],
    assetSymbol: 'USDC',
    decimals: 6,
    amount: '10000',
    amountUsd: '0.010000',
    payTo: '0x1111111111111111111111111111111111111111',
    ...change,
  };
}

/** Creates a stored payment option in USDC on Polygon. */
export function createPolygonOption(change: Readonly<Record<string, unknown>> = {}) {
  return createOption({ network: 'eip155:137', asset: USDC['eip155:137'], ...change });
}

/** Creates stored payment terms with the members that only the detection of changes reads. */
export function createTerms(...options: readonly unknown[]): Readonly<Record<string, unknown>> {
  return { version: 2, options, prices: {}, payTo: {}, description: 'unverified', falseUsdc: false };
}
