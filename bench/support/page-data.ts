import { START_MS } from './catalog.ts';
import { createSeededRandom, type SeededRandom } from '../../libs/x402/src/testing/seeded-random.ts';
import { SCORED_AT, type GeneratedEndpoint, type RunSql } from './endpoints.ts';

/** Network of one endpoint in 5,000. */
const RARE_NETWORK = 'eip155:43114';
/** Tag of one endpoint in 5,000. */
const RARE_TAG = 'rare-earths';
/** Tag of about half of the endpoints, as in the real directory. */
const COMMON_TAG = 'x402';
const RARE_SHARE = 0.0002;

/** Networks with the upper limit of their share. */
const NETWORKS: readonly (readonly [string, number])[] = [
  ['eip155:8453', 0.88],
  ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 0.96],
  ['eip155:137', 1],
];
/** Tags with their shares of all endpoints. */
const TAGS: readonly (readonly [string, number])[] = [
  [COMMON_TAG, 0.5],
  ['ai', 0.25],
  ['llm-ready', 0.2],
  ['data', 0.15],
  ['crypto', 0.1],
  ['weather', 0.02],
  [RARE_TAG, RARE_SHARE],
];
const UNPRICED_SHARE = 0.05;
const UNPROBED_SHARE = 0.08;
/** Share of endpoints that cost nothing. */
const FREE_SHARE = 0.001;
const YEAR_MS = 365 * 86_400_000;

function generateNetworks(random: SeededRandom): readonly string[] {
  if (random.next() < RARE_SHARE) return [RARE_NETWORK];
  const position = random.next();
  const main = NETWORKS.find(([, limit]) => position < limit)?.[0] ?? RARE_NETWORK;
  return random.next() < 0.2 ? [...new Set([main, 'eip155:137'])] : [main];
}

function generatePrice(random: SeededRandom): string | null {
  return random.next() < UNPRICED_SHARE ? null : (0.0001 * 10 ** (5 * random.next())).toFixed(6);
}

function toPaymentOption(network: string, amountUsd: string | null): object {
  const amount = String(Math.round(1_000_000 * Number(amountUsd ?? 1)));
  const asset = { asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', assetSymbol: 'USDC', decimals: 6 };
  const payTo = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
  return { scheme: 'exact', network, ...asset, amount, amountUsd, payTo };
}

function generateFigures(random: SeededRandom, score: number): object {
  if (random.next() < UNPROBED_SHARE) return { uptime_30d: null, latency_ms: null, probes_30d: 0 };
  // Endpoints with a low score were down more often, so filters and orders are related as with real endpoints.
  const down = (100 - score) * random.next() * random.next();
  return {
    uptime_30d: Math.round(10 * (100 - down)) / 10,
    latency_ms: Math.round(80 * 10 ** (1.6 * random.next())),
    probes_30d: 1_400,
  };
}

/**
 * Returns a function that generates the columns of a snapshot by which the explore page filters and sorts, and the tags
 * of the endpoint. They are the same in each run.
 */
export function createClaimGenerator(): (endpoint: GeneratedEndpoint) => object {
  const random = createSeededRandom(18);
  return ({ host, score, recommendation }) => {
    const networks = generateNetworks(random);
    const isFree = random.next() < FREE_SHARE;
    const amountUsd = isFree ? '0' : generatePrice(random);
    return {
      network: networks[0],
      pay_on: networks.map((network) => toPaymentOption(network, amountUsd)),
      amount_usd: amountUsd,
      recommendation: isFree ? 'free' : recommendation,
      score_low: Math.max(0, Math.round(10 * (score - 10 * random.next() ** 3)) / 10),
      score_high: score,
      first_seen: new Date(START_MS - random.next() * YEAR_MS).toISOString(),
      ...generateFigures(random, score),
      tags: [
        ...TAGS.filter(([, share]) => random.next() < share).map(([tag]) => tag),
        ...(random.next() < 0.3 ? [host.split('.')[0] ?? host] : []),
      ],
    };
  };
}

/** Stores daily figures of 30 UTC days for each endpoint. Endpoint pages show them as charts. */
export async function loadDays(run: RunSql, endpoints: readonly GeneratedEndpoint[]): Promise<void> {
  const ids = endpoints.map(({ id }) => `'${id}'`).join(',');
  await run(`
    insert into public.daily_rollups
      (endpoint_id, day, probes, scored, up, response_n, response_sum_ms, amount_usd, amount_at)
    select e.id, d.day, 48, 48, 48 - (d.ago % 7), 48, 48 * (200 + 5 * d.ago), 0.01 + 0.001 * (d.ago / 10), d.day
    from unnest(array[${ids}]) as e (id)
    cross join (
      select ago, (timestamptz '${SCORED_AT}' at time zone 'UTC')::date - ago as day from generate_series(0, 29) as ago
    ) d`);
}
