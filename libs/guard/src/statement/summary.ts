import { parseDecimal } from '@touchstone/common';
import { readMember, readText } from '@touchstone/x402/json';
import { toCaip2 } from '@touchstone/x402/networks';

/** All grades of an endpoint, best first. The grade `?` means ungraded. */
export const GRADES = ['A', 'B', 'C', 'D', 'F', '?'] as const;
export type Grade = (typeof GRADES)[number];

/** All recommendations of Touchstone to a payer. */
export const RECOMMENDATIONS = ['proceed', 'caution', 'parameterize', 'avoid', 'unverified', 'free'] as const;
export type Recommendation = (typeof RECOMMENDATIONS)[number];

/** Payment option of an endpoint at its latest probe. */
export interface SummaryOption {
  /** CAIP-2 id. */
  readonly network: string;
  readonly asset: string;
  readonly decimals: number | null;
  readonly canonicalUsdc: boolean;
}

/** Observations of Touchstone on one endpoint. */
export interface SummaryEndpoint {
  readonly resource: string;
  readonly endpointPage: string;
  /** True for a URL with placeholders. */
  readonly templated: boolean;
  /** From 0 to 100. */
  readonly score: number;
  readonly grade: Grade;
  readonly recommendation: Recommendation;
  /** Amount of evidence behind the score, from 0 to 1. */
  readonly confidence: number;
  readonly lastProbedAt: string | null;
  /** Advertised price in US dollars, as a decimal string. */
  readonly amountUsd: string | null;
  readonly priceRange30d: { readonly lowUsd: string; readonly highUsd: string } | null;
  readonly payOn: readonly SummaryOption[];
}

/** The part of Touchstone's statement (schema `endpoint-summary`) that the guard uses. */
export interface Summary {
  readonly generatedAt: string;
  readonly requested: { readonly resource: string; readonly payTo: string; readonly network: string };
  /**
   * Relation of the found endpoint to the requested URL: the same URL, the same URL apart from its query, or a URL
   * template that the URL fills. Null if no endpoint was found.
   */
  readonly match: 'exact' | 'path' | 'template' | null;
  /** Observations of the requested recipient; null if Touchstone found no endpoint for the URL. */
  readonly payTo: {
    readonly observed: boolean;
    /** True if the recipient is in a payment option of the latest probe. */
    readonly current: boolean;
    /** True if the recipient of the endpoint varies by design. */
    readonly varies: boolean;
    /** Time at which the recipient replaced another one, if that was in the last 30 days; otherwise null. */
    readonly changedAt: string | null;
    /** Shortened address of the replaced recipient; null without `changedAt`, or if the recipient was added to others. */
    readonly before: string | null;
  } | null;
  /** Observations of the endpoint; null if Touchstone does not know the endpoint. */
  readonly endpoint: SummaryEndpoint | null;
  /** Time at which the provider of the endpoint opted out of probing and listing; otherwise null. */
  readonly optedOutAt: string | null;
  /** Facts about the host of an unknown URL; null if Touchstone knows the endpoint, and after an opt-out. */
  readonly unknownHost: UnknownHost | null;
}

interface UnknownHost {
  /** Number of endpoints of this host that a directory lists. */
  readonly knownEndpoints: number;
  /** Known host whose name this host imitates; null if no imitation was recognized. */
  readonly resembles: string | null;
  /** False if the host was compared with no known host: a look-up by range names no host. */
  readonly isCompared?: false;
}

/** Values of the guard's request. A statement about other values is refused. */
export type RequestedTerms = Summary['requested'];

/** Maximum number of payment options in a summary. */
const MAX_OPTIONS = 100;
/** Time in UTC, as `Date.toISOString` formats it. */
const ISO_TIME = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$/;
const MATCHES = ['exact', 'path', 'template'] as const;

/** Returns true if a document of schema `endpoint-summary` is for the given request. */
export function isForRequest(document: object, asked: RequestedTerms): boolean {
  const requested = readMember(document, 'requested');
  return (['resource', 'payTo', 'network'] as const).every(
    (name) => readText(requested, name) === asked[name],
  );
}

/**
 * Reads a verified document of schema `endpoint-summary`.
 *
 * @param requested values of the request; the document states these values, too
 * @returns null if a member is missing or malformed; a value that only a later schema version defines counts as
 *   malformed
 */
export function readSummary(document: object, requested: RequestedTerms): Summary | null {
  const generatedAt = readTime(document, 'generatedAt');
  const optedOutAt = readTime(document, 'optedOutAt');
  if (typeof generatedAt !== 'string' || optedOutAt === undefined) return null;
  const unknownHost = readUnknownHost(readMember(document, 'unknownHost'));
  if (unknownHost === undefined) return null;
  const asked = { generatedAt, requested, optedOutAt, unknownHost };
  if (readMember(document, 'endpoint') === null)
    return { ...asked, match: null, payTo: null, endpoint: null };
  const match = MATCHES.find((name) => name === readMember(document, 'match'));
  const endpoint = readEndpoint(readMember(document, 'endpoint'));
  const payTo = readPayTo(readMember(document, 'payTo'), requested);
  if (match === undefined || endpoint === null || payTo === null) return null;
  return { ...asked, match, endpoint, payTo };
}

/** Reads facts about a host that may be null. Returns undefined for malformed facts. */
function readUnknownHost(value: unknown): UnknownHost | null | undefined {
  if (value === null) return null;
  const knownEndpoints = readNumber(value, 'knownEndpoints', Number.MAX_SAFE_INTEGER);
  const resembles = readMember(value, 'resembles');
  if (knownEndpoints === null || (resembles !== null && typeof resembles !== 'string')) return undefined;
  return { knownEndpoints, resembles };
}

function readPayTo(value: unknown, { payTo, network }: RequestedTerms): Summary['payTo'] {
  const observed = readMember(value, 'observed');
  const current = readMember(value, 'current');
  const varies = readMember(value, 'varies');
  const changedAt = readTime(value, 'changedAt');
  const before = readText(value, 'before');
  if (readText(value, 'address') !== payTo || readText(value, 'network') !== network) return null;
  if (typeof observed !== 'boolean' || typeof current !== 'boolean' || typeof varies !== 'boolean')
    return null;
  return changedAt === undefined ? null : { observed, current, varies, changedAt, before };
}

function readEndpoint(value: unknown): SummaryEndpoint | null {
  const rating = readRating(value);
  const resource = readText(value, 'resource');
  const endpointPage = readText(value, 'endpointPage');
  const templated = readMember(value, 'templated');
  const lastProbedAt = readTime(value, 'lastProbedAt');
  const amountUsd = readUsd(value, 'amountUsd');
  const priceRange30d = readRange(readMember(value, 'priceRange30d'));
  const payOn = readOptions(readMember(value, 'payOn'));
  if (rating === null || resource === null || endpointPage === null || typeof templated !== 'boolean')
    return null;
  if (lastProbedAt === undefined || amountUsd === undefined || priceRange30d === undefined) return null;
  if (payOn === null) return null;
  return { resource, endpointPage, templated, ...rating, lastProbedAt, amountUsd, priceRange30d, payOn };
}

/** Score and recommendation: members of both a summary and a report. */
export type SummaryRating = Pick<SummaryEndpoint, 'score' | 'grade' | 'recommendation' | 'confidence'>;

/** Reads score, grade, recommendation and confidence. Returns null if one of these members is missing or malformed. */
export function readRating(value: unknown): SummaryRating | null {
  const score = readNumber(value, 'score', 100);
  const confidence = readNumber(value, 'confidence', 1);
  const grade = GRADES.find((name) => name === readMember(value, 'grade'));
  const recommendation = RECOMMENDATIONS.find((name) => name === readMember(value, 'recommendation'));
  if (score === null || confidence === null || grade === undefined || recommendation === undefined)
    return null;
  return { score, grade, recommendation, confidence };
}

function readOptions(value: unknown): readonly SummaryOption[] | null {
  if (!Array.isArray(value) || value.length > MAX_OPTIONS) return null;
  const options = value.map(readOption);
  return options.every((option) => option !== null) ? options : null;
}

function readOption(value: unknown): SummaryOption | null {
  const network = readText(value, 'network');
  const asset = readText(value, 'asset');
  const decimals = readMember(value, 'decimals') === null ? null : readNumber(value, 'decimals', 77);
  const canonicalUsdc = readMember(value, 'canonicalUsdc');
  if (network === null || asset === null || typeof canonicalUsdc !== 'boolean') return null;
  if (decimals === null && readMember(value, 'decimals') !== null) return null;
  if (decimals !== null && !Number.isInteger(decimals)) return null;
  return { network: toCaip2(network), asset, decimals, canonicalUsdc };
}

/** Reads a price range that may be null. Returns undefined for a malformed range. */
export function readRange(value: unknown): SummaryEndpoint['priceRange30d'] | undefined {
  if (value === null) return null;
  const lowUsd = readUsd(value, 'lowUsd');
  const highUsd = readUsd(value, 'highUsd');
  return typeof lowUsd === 'string' && typeof highUsd === 'string' ? { lowUsd, highUsd } : undefined;
}

/**
 * Reads an amount in US dollars that may be null. Returns undefined for text that is not a decimal number, and for a
 * missing member.
 */
export function readUsd(value: unknown, name: string): string | null | undefined {
  const amount = readMember(value, name);
  if (amount === null) return null;
  return typeof amount === 'string' && parseDecimal(amount) !== null ? amount : undefined;
}

function readNumber(value: unknown, name: string, max: number): number | null {
  const number = readMember(value, name);
  return typeof number === 'number' && number >= 0 && number <= max ? number : null;
}

/** Reads an ISO 8601 time that may be null. Returns undefined for other values, and for a missing member. */
export function readTime(value: unknown, name: string): string | null | undefined {
  const time = readMember(value, name);
  if (time === null) return null;
  return typeof time === 'string' && ISO_TIME.test(time) && !Number.isNaN(Date.parse(time))
    ? time
    : undefined;
}
