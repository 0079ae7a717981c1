import type { GeneratedEndpoint } from './endpoints.ts';

/** Returns a text that no other index has, in the format of an endpoint id. No endpoint has this id. */
function toUnknownId(index: number): string {
  const digits = String(index).padStart(5, '0');
  return `zzzzz${digits.replaceAll(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)))}`;
}

const SORTS = 'relevance,score,price,price-desc,uptime,latency,newest,changed'.split(',');

/** Kinds of paths that clients can request in any number. `known` and `other` are slugs of endpoint pages. */
const TO_PATHS: readonly ((
  id: string,
  seed: { readonly index: number; readonly known: string; readonly other: string },
) => string)[] = [
  (id) => `/endpoint/unknown-${id}`,
  (id) => `/endpoint/unknown-${id}.json`,
  (id) => `/endpoint/unknown-${id}.rsc`,
  (id) => `/provider/${id}.example.com`,
  (id) => `/category/${id}`,
  (id) => `/?variant=${id}`,
  (id) => `/docs?variant=${id.repeat(100)}`,
  (id) => `/trust/stats.json?variant=${id}`,
  (id, { index }) => `/explore?q=${id}&sort=${SORTS[index % SORTS.length] ?? ''}`,
  (id) => `/explore?host=${id}.example.com&min_price=0.1`,
  (id) => `/events?before=${id}`,
  (id) => `/events.atom?host=${id}.example.com`,
  (id, { known }) => `/events.json?endpoint=${known}&kind=${id}`,
  (_, { known, other }) => `/compare?endpoint=${known}&endpoint=${other}`,
  (_, { known }) => `/endpoint/${known}`,
  (_, { known }) => `/endpoint/${known}.json`,
  (_, { known }) => `/badge/${known}.svg`,
  (id) => `/badge/${id}.svg`,
  (id) => `/picture/${id}.png`,
  (id) => `/v1/x402-summary?resource=https://${id}.example.com/`,
  (id) => `/schemas/${id}.json`,
  (id) => `/docs/${id}`,
  (id) => `/_next/static/${id}.js`,
  (id) => `/${id.repeat(50)}`,
];

/** Returns the path with an index. No other index has this path. */
export function createDistinctPath(index: number, endpoints: readonly GeneratedEndpoint[]): string {
  const toSlug = (position: number): string => `e-${endpoints[position % endpoints.length]?.id ?? ''}`;
  const toPath = TO_PATHS[index % TO_PATHS.length];
  const seed = { index, known: toSlug(index), other: toSlug(2 * index + 1) };
  return toPath?.(toUnknownId(index), seed) ?? '';
}
