import { isRelated, removeQuery } from '@touchstone/common';
import { readMember, readText } from '@touchstone/x402/json';
import { digestRecipient, hashHost } from '@touchstone/x402/range-keys';
import { readSummary, type RequestedTerms, type Summary } from './summary.ts';

/** Maximum of `knownEndpoints` in a summary, as in summaries of the service. */
const MAX_KNOWN_ENDPOINTS = 100;

/** One endpoint of a range. All further members are read when a payment needs them. */
interface Entry {
  readonly resource: string;
  readonly templated: boolean;
  readonly listing: 'directory' | 'adopted' | null;
  readonly value: object;
}

/** Verified document of schema `endpoint-summaries`. */
export interface Range {
  readonly generatedAt: string;
  readonly entriesByHost: ReadonlyMap<string, readonly Entry[]>;
  /** Times of opt-outs by the hash of the host. */
  readonly optOuts: ReadonlyMap<string, string>;
  /** Hashes of the hosts whose endpoints the range leaves out. */
  readonly omittedHosts: ReadonlySet<unknown>;
}

/** Query of a range for one payment: a canonical URL, and a recipient on a network (CAIP-2 id). */
interface RangeQuery {
  readonly asked: RequestedTerms;
  readonly url: { readonly resource: string; readonly host: string };
  readonly network: string;
  readonly service: URL;
}

const LISTINGS = ['directory', 'adopted', null] as const;

/**
 * Reads a verified document of schema `endpoint-summaries`. Returns null if the list of endpoints, of omitted hosts
 * or of opt-outs is missing or malformed.
 */
export function readRange(document: object): Range | null {
  const [listed, stated] = [readMember(document, 'endpoints'), readMember(document, 'optOuts')];
  const omitted = readMember(document, 'omittedHosts');
  if (!Array.isArray(listed) || !Array.isArray(stated) || !Array.isArray(omitted)) return null;
  const entriesByHost = new Map<string, Entry[]>();
  for (const value of listed) {
    const entry = readEntry(value);
    if (entry === null || !URL.canParse(entry.resource)) return null;
    const { hostname } = new URL(entry.resource);
    const entries = entriesByHost.get(hostname);
    if (entries === undefined) entriesByHost.set(hostname, [entry]);
    else entries.push(entry);
  }
  const optOuts = new Map<string, string>();
  for (const value of stated) {
    const [host, time] = [readText(value, 'hostHash'), readText(value, 'optedOutAt')];
    if (host === null || time === null) return null;
    optOuts.set(host, time);
  }
  const generatedAt = readText(document, 'generatedAt') ?? '';
  return { generatedAt, entriesByHost, optOuts, omittedHosts: new Set(omitted) };
}

function readEntry(value: unknown): Entry | null {
  const resource = readText(value, 'resource');
  const templated = readMember(value, 'templated');
  const listing = LISTINGS.find((name) => name === readMember(value, 'listing'));
  if (typeof value !== 'object' || value === null || resource === null) return null;
  if (typeof templated !== 'boolean' || listing === undefined) return null;
  return { resource, templated, listing, value };
}

/**
 * Creates the summary for a payment from a range. The summary is the same as that of a look-up by URL, apart from
 * imitations of known hosts, which a range does not state.
 *
 * @returns null if a member of the found endpoint is missing or malformed
 */
export async function findInRange(range: Range, query: RangeQuery): Promise<Summary | null> {
  const { asked, url, service } = query;
  const entries = range.entriesByHost.get(url.host) ?? [];
  const entry = findEntry(entries, url.resource);
  const { generatedAt } = range;
  if (entry === null) {
    const optedOutAt = range.optOuts.get(await hashHost(globalThis.crypto.subtle, url.host)) ?? null;
    const known = entries.filter(({ listing }) => listing === 'directory').length;
    const knownEndpoints = Math.min(known, MAX_KNOWN_ENDPOINTS);
    const unknownHost = optedOutAt === null ? { knownEndpoints, resembles: null } : null;
    const unknown = { generatedAt, optedOutAt, unknownHost, endpoint: null };
    const summary = readSummary(unknown, asked);
    return summary?.unknownHost
      ? { ...summary, unknownHost: { ...summary.unknownHost, isCompared: false } }
      : summary;
  }
  const isExact = entry.resource === url.resource;
  const found = {
    generatedAt,
    optedOutAt: null,
    unknownHost: null,
    match: isExact ? 'exact' : entry.templated ? 'template' : 'path',
    payTo: await findRecipient(entry, query),
    endpoint: { ...entry.value, endpointPage: toPage(entry, service) },
  };
  return readSummary(found, asked);
}

function toPage({ value }: Entry, service: URL): string {
  return new URL(`/endpoint/${readText(value, 'endpointId') ?? ''}`, service).href;
}

/**
 * Finds the endpoint with a URL, or else the first endpoint that describes it: from a directory, then with the same path,
 * then in the order of the range.
 */
function findEntry(entries: readonly Entry[], resource: string): Entry | null {
  const exact = entries.find((entry) => entry.resource === resource);
  if (exact !== undefined) return exact;
  const toRank = (entry: Entry): number =>
    (entry.listing === 'directory' ? 0 : 2) + (removeQuery(entry.resource) === resource ? 0 : 1);
  const related = entries.filter((entry) => entry.listing !== null && isRelated(entry, resource));
  return related.sort((left, right) => toRank(left) - toRank(right))[0] ?? null;
}

async function findRecipient({ value }: Entry, { asked, network }: RangeQuery): Promise<object> {
  const digest = await digestRecipient(globalThis.crypto.subtle, network, asked.payTo);
  const listed = readMember(value, 'recipients');
  const recipients: unknown = Array.isArray(listed)
    ? listed.find((one) => readText(one, 'network') === network)
    : undefined;
  const [current, earlier] = [readMember(recipients, 'current'), readMember(recipients, 'earlier')];
  const found: unknown = Array.isArray(current)
    ? current.find((one) => readText(one, 'digest') === digest)
    : undefined;
  const isCurrent = found !== undefined;
  return {
    address: asked.payTo,
    network: asked.network,
    observed: isCurrent || (Array.isArray(earlier) && earlier.includes(digest)),
    current: isCurrent,
    varies: recipients === undefined ? false : readMember(recipients, 'varies'),
    changedAt: isCurrent ? readMember(found, 'changedAt') : null,
    before: readText(found, 'before'),
  };
}
