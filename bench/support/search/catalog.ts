import { readFileSync } from 'node:fs';
import { createSearchText, type SearchText } from '@touchstone/search';
import { toGrade } from '@touchstone/trust';
import { createSeededRandom } from '../random-inputs.ts';

/** Job that endpoints do. In the wordings and queries, `*` is replaced with a subject. */
interface Purpose {
  readonly path: string;
  readonly wordings: readonly string[];
  readonly subjects: readonly string[];
  /** Search queries, worded differently from the descriptions. */
  readonly queries: readonly string[];
}

export interface GeneratedEndpoint {
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

/** Description without its provider, and the words of its subject for the URL. */
interface Job {
  readonly purpose: number;
  readonly subject: string;
  readonly description: string;
}

/** Host whose endpoints all do the same job, each with its own text. */
export const LARGE_HOST = 'tokenfeed.example.com';
/** Host whose endpoints all have the same text. */
export const REPEATING_HOST = 'tiers.example.com';
/** Path of the purpose whose endpoints are nearly all to be avoided. */
export const AVOIDED_PATH = 'games/play';

// The type is safe, because this file belongs to the repository.
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
/** Shares of endpoints. */
const UNDESCRIBED_SHARE = 0.2;
const REPEATED_TEXT_SHARE = 0.15;
const UNVERIFIED_SHARE = 0.1;
const DELISTED_SHARE = 0.04;
const HIDDEN_SHARE = 0.01;

const pick = <T>(random: () => number, values: readonly T[]): T => {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new RangeError('a list to choose from is empty');
  return value;
};

const toWords = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

function generateJob(random: () => number, purpose: number): Job {
  const { wordings, subjects } = pick(random, PURPOSES.slice(purpose, purpose + 1));
  const subject = pick(random, subjects);
  const sentence = pick(random, wordings).replace('*', subject);
  const description = pick(random, OPENINGS.split(',')) + sentence + pick(random, ENDINGS.split('|'));
  return { purpose, subject, description };
}

function generateName(random: () => number): string {
  const syllables = SYLLABLES.split(',');
  const word = pick(random, syllables) + pick(random, syllables);
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function generateId(random: () => number): string {
  return Array.from({ length: 10 }, () => pick(random, BASE32)).join('');
}

function generateVerdict(random: () => number, quality: number, isAvoided: boolean) {
  const center = isAvoided && random() < 0.97 ? random() * 35 : quality;
  const score = Math.round(Math.min(100, Math.max(0, center + (random() - 0.5) * 30)) * 10) / 10;
  if (random() < UNVERIFIED_SHARE) return { score, grade: '?', recommendation: 'unverified' };
  const recommendation = score < 40 ? 'avoid' : score < 70 ? 'caution' : 'proceed';
  return { score, grade: toGrade(score), recommendation };
}

/** Generates the endpoints of one provider. */
function* generateHost(
  random: () => number,
  { host, count, purposes }: { host: string; count: number; purposes: readonly number[] },
): Generator<GeneratedEndpoint> {
  const name = host === LARGE_HOST ? 'Token Feed' : generateName(random);
  const isDescribed = host === LARGE_HOST || host === REPEATING_HOST || random() >= UNDESCRIBED_SHARE;
  const quality = 100 * Math.sqrt(random());
  let job = generateJob(random, pick(random, purposes));
  for (let index = 0; index < count; index += 1) {
    const isRepeated = host === REPEATING_HOST || (host !== LARGE_HOST && random() < REPEATED_TEXT_SHARE);
    if (index > 0 && !isRepeated) job = generateJob(random, pick(random, purposes));
    // Each endpoint of the large host has its own subject, as the token endpoints of real hosts have.
    const suffix = host === LARGE_HOST ? ` (token ${generateId(random).slice(0, 6)})` : '';
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
      listed: random() >= DELISTED_SHARE,
      isPublic: random() >= HIDDEN_SHARE,
      search,
    };
  }
}

/**
 * Generates endpoints: 5 % on one host that does one job, 3 % on a host with one text for all endpoints, 10 % on ten
 * hosts, and the others on hosts with at most 100 endpoints. The same count gives the same endpoints on every machine.
 */
export function generateEndpoints(count: number): readonly GeneratedEndpoint[] {
  const random = createSeededRandom(15);
  const endpoints: GeneratedEndpoint[] = [
    ...generateHost(random, { host: LARGE_HOST, count: Math.floor(count * 0.05), purposes: [0] }),
    ...generateHost(random, { host: REPEATING_HOST, count: Math.floor(count * 0.03), purposes: [11] }),
  ];
  for (let hosts = 0; endpoints.length < count; hosts += 1) {
    const size = hosts < 10 ? count / 100 : random() < 0.02 ? 100 : 1 + Math.floor(random() * 12);
    const purposes = Array.from({ length: 1 + Math.floor(random() * 6) }, () =>
      Math.floor(random() * PURPOSES.length),
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
    const purpose = pick(random, PURPOSES);
    queries.add(pick(random, purpose.queries).replace('*', pick(random, purpose.subjects)));
  }
  return [...queries];
}
