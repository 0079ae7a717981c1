import { readFileSync } from 'node:fs';
import { createSearchText, type SearchText } from '@touchstone/search';
import { toGrade } from '@touchstone/trust';
import { START_MS } from './catalog.ts';
import { generateFilterValues, type FilterValues } from './filter-values.ts';
import { quoteSql } from './postgres.ts';
import { createSeededRandom, type SeededRandom } from '../../libs/x402/src/testing/seeded-random.ts';

/** Purpose that several endpoints share. In `wordings` and `queries`, `*` stands for a subject. */
interface Purpose {
  readonly path: string;
  readonly wordings: readonly string[];
  readonly subjects: readonly string[];
  /** Search queries, worded differently from the descriptions. */
  readonly queries: readonly string[];
}

export interface GeneratedEndpoint extends FilterValues {
  readonly id: string;
  readonly host: string;
  readonly resource: string;
  readonly serviceName: string;
  readonly description: string | null;
  /** Index of the endpoint's purpose. */
  readonly purpose: number;
  readonly score: number;
  readonly grade: string;
  readonly recommendation: string;
  readonly listed: boolean;
  readonly isPublic: boolean;
  readonly search: SearchText;
}

/** Purpose and subject of a generated endpoint, with its description. */
interface Job {
  readonly purpose: number;
  readonly subject: string;
  readonly description: string;
}

/** Host with many endpoints of one purpose. Each of these endpoints has its own description. */
export const LARGE_HOST = 'tokenfeed.example.com';
/** Path of the purpose whose endpoints nearly all have the recommendation `avoid`. */
export const AVOIDED_PATH = 'games/play';

/** Runs SQL without parameters. */
export type RunSql = (sql: string) => Promise<unknown>;

const ROWS_PER_STATEMENT = 500;
/** Time of the stored score snapshots. */
export const SCORED_AT = new Date(START_MS).toISOString();
// The type is safe, because `purposes.json` belongs to the repository.
const PURPOSES = JSON.parse(
  readFileSync(new URL('purposes.json', import.meta.url), 'utf8'),
) as readonly Purpose[];
const SYLLABLES =
  'sky,coin,data,pulse,grid,nova,link,base,mint,wave,forge,scout,hub,flow,beam,stack,mesh,peak,fox,lume,orbit,quill,zen,vault,spark,river,pixel,node,cloud,echo,atlas,drift,prism,sonic,tidal,ember,cobalt,delta,iris,onyx';
const OPENINGS =
  ',,,,Pay-per-call API: ,For AI agents: ,Premium endpoint. ,x402 service. ,REST API. ,Fast and simple. ,';
const ENDINGS =
  '|. Returns JSON.|. No API key needed.|. Pay per request in USDC on Base.|. Updated every minute.|. Results are cached for 60 seconds.|, with confidence scores|. Supports pagination and filters.|. Optimised for autonomous agents.|. Responses are typically ready in under 500 ms.|. $0.01 per call.|. Includes source links and timestamps.|, in one call|. Batch requests with up to 100 items.|. Free tier for the first call.|, as structured output for language models';
/** Characters of endpoint ids. */
const BASE32 = Array.from('abcdefghijklmnopqrstuvwxyz234567');
/** Shares of endpoints, from 0 to 1. */
const UNDESCRIBED_SHARE = 0.2;
const REPEATED_TEXT_SHARE = 0.15;
const UNVERIFIED_SHARE = 0.1;
const DELISTED_SHARE = 0.04;
const HIDDEN_SHARE = 0.01;
const toWords = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

function generateJob(random: SeededRandom, purpose: number): Job {
  const { wordings, subjects } = random.pick(PURPOSES.slice(purpose, purpose + 1));
  const subject = random.pick(subjects);
  const sentence = random.pick(wordings).replace('*', subject);
  const description = random.pick(OPENINGS.split(',')) + sentence + random.pick(ENDINGS.split('|'));
  return { purpose, subject, description };
}

function generateName(random: SeededRandom): string {
  const syllables = SYLLABLES.split(',');
  const word = random.pick(syllables) + random.pick(syllables);
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function generateId(random: SeededRandom): string {
  return Array.from({ length: 10 }, () => random.pick(BASE32)).join('');
}

function generateVerdict(random: SeededRandom, quality: number, isAvoided: boolean) {
  const center = isAvoided && random.next() < 0.97 ? random.next() * 35 : quality;
  const score = Math.round(Math.min(100, Math.max(0, center + (random.next() - 0.5) * 30)) * 10) / 10;
  if (random.next() < UNVERIFIED_SHARE) return { score, grade: '?', recommendation: 'unverified' };
  const recommendation = score < 40 ? 'avoid' : score < 70 ? 'caution' : 'proceed';
  return { score, grade: toGrade(score), recommendation };
}

/** Generates the endpoints of one provider. */
function* generateHost(
  random: SeededRandom,
  { host, count, purposes }: { host: string; count: number; purposes: readonly number[] },
): Generator<GeneratedEndpoint> {
  const isLarge = host === LARGE_HOST;
  const name = isLarge ? 'Token Feed' : generateName(random);
  const isDescribed = isLarge || random.next() >= UNDESCRIBED_SHARE;
  const quality = 100 * Math.sqrt(random.next());
  let job = generateJob(random, random.pick(purposes));
  for (let index = 0; index < count; index += 1) {
    const isRepeated = !isLarge && random.next() < REPEATED_TEXT_SHARE;
    if (index > 0 && !isRepeated) job = generateJob(random, random.pick(purposes));
    // Each endpoint of the large host has its own subject, as the token endpoints of real hosts have.
    const suffix = isLarge ? ` (token ${generateId(random).slice(0, 6)})` : '';
    const description = isDescribed ? job.description + suffix : null;
    const path = PURPOSES[job.purpose]?.path ?? '';
    const resource = `https://${host}/v1/${path}/${toWords(job.subject)}/${index}`;
    const search = createSearchText({ resource, serviceName: name, description });
    if (search === null) throw new Error(`${resource} has no words.`);
    yield {
      id: generateId(random),
      host,
      resource,
      serviceName: name,
      description,
      purpose: job.purpose,
      ...generateVerdict(random, quality, path === AVOIDED_PATH),
      listed: random.next() >= DELISTED_SHARE,
      isPublic: random.next() >= HIDDEN_SHARE,
      search,
      ...generateFilterValues(random, path, name),
    };
  }
}

/**
 * Generates endpoints: 5 % on one host with a single purpose, 10 % on ten hosts, and the remaining endpoints on hosts
 * with at most 100 endpoints. The same count gives the same endpoints on every machine.
 */
export function generateEndpoints(count: number): readonly GeneratedEndpoint[] {
  const random = createSeededRandom(15);
  const endpoints: GeneratedEndpoint[] = [
    ...generateHost(random, { host: LARGE_HOST, count: Math.floor(count * 0.05), purposes: [0] }),
  ];
  for (let hosts = 0; endpoints.length < count; hosts += 1) {
    const size = hosts < 10 ? count / 100 : random.next() < 0.02 ? 100 : 1 + Math.floor(random.next() * 12);
    const purposes = Array.from({ length: 1 + Math.floor(random.next() * 6) }, () =>
      Math.floor(random.next() * PURPOSES.length),
    );
    const host = `${generateName(random).toLowerCase()}${hosts}.example.com`;
    endpoints.push(
      ...generateHost(random, { host, count: Math.min(size, count - endpoints.length), purposes }),
    );
  }
  return endpoints;
}

/** Generates different search queries. None of them is the text of an endpoint. */
export function generateQueries(count: number): readonly string[] {
  const random = createSeededRandom(16);
  const queries = new Set<string>();
  while (queries.size < count) {
    const purpose = random.pick(PURPOSES);
    queries.add(random.pick(purpose.queries).replace('*', random.pick(purpose.subjects)));
  }
  return [...queries];
}

/** Runs one SQL statement for each slice of rows. The statement contains its rows as a JSON array. */
export async function runSlices(
  run: RunSql,
  rows: readonly object[],
  toSql: (json: string) => string,
): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT)
    await run(toSql(quoteSql(JSON.stringify(rows.slice(start, start + ROWS_PER_STATEMENT)))));
}

const PAYMENT_OPTION = {
  scheme: 'exact',
  network: 'eip155:8453',
  assetSymbol: 'USDC',
  decimals: 6,
  amount: '10000',
  amountUsd: '0.010000',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
};

function toSnapshotRow(endpoint: GeneratedEndpoint): object {
  const { id, host, resource, serviceName, description, score, grade, recommendation, search } = endpoint;
  return {
    revision: 0,
    tags: endpoint.tags,
    detail: { scoringVersion: '1', inputs: {}, facts: {} },
    search: { text_hash: search.textHash, text: search.text },
    snapshot: {
      endpoint_id: id,
      public: endpoint.isPublic,
      slug: `e-${id}`,
      resource,
      host,
      method: 'GET',
      service_name: serviceName,
      description,
      templated: false,
      protocol_version: 2,
      score,
      score_low: score,
      score_high: score,
      grade,
      recommendation,
      confidence: 0.8,
      probes_30d: 1_400,
      scored_probes_30d: 1_400,
      blocked_30d: 0,
      amount_usd: endpoint.priceUsd,
      network: endpoint.networks[0],
      pay_on: endpoint.networks.map((network) => ({
        ...PAYMENT_OPTION,
        network,
        amountUsd: endpoint.priceUsd,
      })),
      uptime_30d: endpoint.uptime,
      latency_ms: endpoint.latencyMs,
      first_seen: endpoint.firstSeen,
      last_probed_at: SCORED_AT,
      failing_since: endpoint.isReachable ? null : SCORED_AT,
      is_compliant: endpoint.isCompliant,
      listing_status: endpoint.listed ? 'listed' : 'delisted',
      listing_source: 'directory',
      directories: [],
      content_hash: id,
      days_tracked: 30,
      error_flags: 0,
      warning_flags: 0,
      text_hash: search.textHash,
      described: search.described,
    },
  };
}

/** Stores endpoints. Stores their score snapshots with the SQL function that the scoring job calls. */
export async function loadEndpoints(run: RunSql, endpoints: readonly GeneratedEndpoint[]): Promise<void> {
  const rows = endpoints.map(toSnapshotRow);
  await runSlices(
    run,
    rows,
    (json) => `
      with given as (
        insert into public.endpoints (
          id, resource, host, slug, templated, service_name, description, first_seen_at, tags
        )
        select s.endpoint_id, s.resource, s.host, s.slug, false, s.service_name, s.description, s.first_seen,
          array(select jsonb_array_elements_text(r -> 'tags'))
        from jsonb_array_elements(${json}) r cross join lateral jsonb_to_record(r -> 'snapshot') as s (
          endpoint_id text, resource text, host text, slug text, service_name text, description text,
          first_seen timestamptz
        )
        returning id
      )
      insert into public.endpoint_states (endpoint_id) select id from given`,
  );
  await runSlices(run, rows, (json) => `select count(*) from public.save_snapshots('${SCORED_AT}', ${json})`);
  await run('truncate public.scoring_queue');
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
