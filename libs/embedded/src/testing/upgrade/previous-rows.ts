import { formatLiteral } from '../psql-session.ts';
import { toTime } from '../sql-time.ts';

/** Returns a value as an SQL literal of its JSON text. */
export const toJson = (value: unknown): string => formatLiteral(JSON.stringify(value));

/** Returns the row of an endpoint in a page of a directory, or of an adoption. Its first probe is due after 600 seconds. */
export const toEndpoint = (name: string, extra: object = {}) => ({
  id: toId(name),
  resource: `https://${name}.example/`,
  probeUrl: `https://${name}.example/`,
  host: `${name}.example`,
  slug: name,
  templated: false,
  serviceName: `Service ${name}`,
  description: 'Weather forecast',
  method: 'GET',
  options: [],
  version: 2,
  intervalSeconds: 1800,
  offsetSeconds: 600,
  scheduled: true,
  ...extra,
});

/** Returns the id of an endpoint with a name of at most ten letters. */
export const toId = (name: string): string => name.padEnd(10, 'a');

/** Returns an observation with a price in atomic units. An observation without a price is a miss. */
export const toObservation = (name: string, seconds: number, price: string | null) => ({
  endpointId: toId(name),
  at: toTime(seconds),
  excluded: false,
  method: 'GET',
  ...(price === null
    ? {
        outcome: 'timeout',
        vitality: 0,
        failure: 'timeout',
        failurePhase: 'connect',
        failureDetail: 'Timeout.',
      }
    : {
        ...{
          outcome: 'challenged',
          vitality: 1,
          httpStatus: 402,
          compliance: 'pass',
          challengeHash: 'challenge',
        },
        ...{ latencyMs: 120, bucket: 33, responseMs: 121, responseBucket: 33, amountUsd: 0.01 },
        terms: { version: 2, options: [], prices: { usdc: price }, payTo: { usdc: ['0xaa'] } },
      }),
});
