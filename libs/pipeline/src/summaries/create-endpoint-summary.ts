import { type Db, readSummarySource, type Snapshot, type SummarySource, type PayOn } from '@touchstone/store';
import { canonicalize, parseSlugId } from '@touchstone/catalog';
import { isRelated, removeQuery } from '@touchstone/common';
import {
  MAX_MAINTENANCE_WINDOWS,
  MAX_STATEMENTS_PER_ENDPOINT,
} from '@touchstone/contract/shared/claim-limits';
import {
  type EndpointSummary,
  SUMMARY_SCHEMA_TYPE,
  SUMMARY_SCHEMA_VERSION,
  TEXT_LIMITS,
  toSchemaUrl,
} from '@touchstone/contract';
import { toDisplayResource, normalizeUsd, toReportOption } from '@touchstone/trust';
import {
  parseNetwork,
  cleanText,
  findCanonicalUsdc,
  normalizeAddress,
  shortenAddress,
} from '@touchstone/x402';
import { createInvalid, createInvalidUrl, InvalidRequestError } from '../problem.ts';
import { formatEndpointPage } from '../pages.ts';
import { findImitatedHost } from './find-imitated-host.ts';

/** External dependencies of endpoint summaries. */
export interface SummaryContext {
  readonly db: Db;
  /** Base URL of the service that makes the summaries. */
  readonly baseUrl: string;
  /** Location from which latency is measured, as it appears in the summaries. */
  readonly vantage: string;
  /** Returns the current time in milliseconds since the epoch. */
  readonly now: () => number;
}

/** Request for the summary of one endpoint. Either `resource` or `endpointId` is set. */
export interface SummaryRequest {
  /** URL of the endpoint in any spelling. */
  readonly resource: string | null;
  readonly endpointId: string | null;
  /** Wallet address to find in the observed payment options; null without an address. */
  readonly payTo: string | null;
  /** Network of the address as `parseNetwork` reads it; null for all networks. */
  readonly network: string | null;
}

/** Endpoint of a summary, with its relation to the requested URL. */
interface Found extends Pick<SummarySource, 'payTo' | 'provider'> {
  readonly match: NonNullable<EndpointSummary['match']>;
  readonly snapshot: Snapshot;
}

/** Endpoint of a summary, or the reason why there is none. */
type Finding = Found | Pick<EndpointSummary, 'optedOutAt' | 'unknownHost'>;

/**
 * Creates the unsigned summary of one endpoint from its latest snapshot. The summary states only what the public page
 * of the endpoint says, and whether a given payTo address was observed.
 *
 * A URL that is not in the catalog gets the summary of a similar endpoint: an endpoint whose URL differs only by the
 * query, or else a URL template that the URL fills. Endpoints in directories precede adopted endpoints. Of several
 * similar endpoints, the endpoint with the strictest recommendation is used. Without a similar endpoint, `endpoint` is null.
 *
 * @returns null if no public endpoint has the given `endpointId`
 * @throws InvalidRequestError when `resource` is not the URL of an endpoint, or when `network` is not a network
 * @throws StoreError when the database fails
 */
export async function createEndpointSummary(
  context: SummaryContext,
  request: SummaryRequest,
): Promise<EndpointSummary | null> {
  const { resource, endpointId } = request;
  if (resource !== null)
    return toSummary(context, { ...request, resource }, await findByUrl(context, request, resource));
  if (endpointId === null) throw new TypeError('A summary needs a resource or an endpointId.');
  const found = await findById(context, request, endpointId);
  if (found === null) return null;
  return toSummary(
    context,
    { ...request, resource: toDisplayResource(found.snapshot.resource) },
    { ...found, match: 'exact' },
  );
}

async function findByUrl(context: SummaryContext, request: SummaryRequest, url: string): Promise<Finding> {
  const canonical = canonicalize(url);
  if (!canonical.ok) throw new InvalidRequestError(createInvalidUrl(canonical.reason));
  const source = await readSummarySource(context.db, {
    ...toWallet(request),
    endpointId: canonical.id,
    place: { host: canonical.host, pathUrl: removeQuery(canonical.resource) },
  });
  const { snapshot, payTo, provider, related, optedOutAt, knownEndpoints } = source;
  // Two URLs can have the same id.
  if (snapshot?.resource === canonical.resource) return { match: 'exact', snapshot, payTo, provider };
  // Of the endpoints with the same path and source, the first match has the strictest recommendation.
  const best = related.find((candidate) => isRelated(candidate, canonical.resource));
  const id = best === undefined ? null : parseSlugId(best.slug);
  const found = id === null ? null : await findById(context, request, id);
  if (best === undefined || found === null) {
    const unknownHost =
      optedOutAt === null ? await describeUnknownHost(context, canonical.host, knownEndpoints ?? 0) : null;
    return { optedOutAt, unknownHost };
  }
  return { ...found, match: best.templated ? 'template' : 'path' };
}

/** Describes the host of an unknown URL. A host with known endpoints can be an imitation, because anyone can list a host. */
async function describeUnknownHost(
  context: SummaryContext,
  host: string,
  knownEndpoints: number,
): Promise<EndpointSummary['unknownHost']> {
  return { knownEndpoints, resembles: await findImitatedHost(context, host) };
}

async function findById(
  { db }: SummaryContext,
  request: SummaryRequest,
  endpointId: string,
): Promise<Omit<Found, 'match'> | null> {
  const source = await readSummarySource(db, { ...toWallet(request), endpointId, place: null });
  const { snapshot, payTo, provider } = source;
  return snapshot && { snapshot, payTo, provider };
}

/**
 * Returns the requested wallet. Its network becomes a CAIP-2 id, because payment options are stored with these ids.
 *
 * @throws InvalidRequestError for a text that names no network. The summary would state that nobody observed the address.
 */
function toWallet({ payTo, network }: SummaryRequest): {
  readonly payTo: string | null;
  readonly network: string | null;
} {
  const id = network === null ? null : parseNetwork(network);
  if (network === null || id !== null) return { payTo, network: id };
  const expected =
    'a CAIP-2 id such as eip155:8453, the chain id of an EVM network such as 8453, or a name such as base';
  const received = cleanText(network, MAX_QUOTED_CHARS) ?? '';
  throw new InvalidRequestError(
    createInvalid('network', `\`network\` must be ${expected}; received ${JSON.stringify(received)}.`),
  );
}

/** Maximum length of a received value in an error message, in characters. */
const MAX_QUOTED_CHARS = 60;

type Endpoint = NonNullable<EndpointSummary['endpoint']>;

/** Maximum number of payment options and of directories in a summary. */
const MAX_ITEMS = 100;

/** Converts stored data to a summary without a signature. */
export function toSummary(
  { baseUrl, vantage, now }: Omit<SummaryContext, 'db'>,
  { resource, payTo, network }: SummaryRequest & { readonly resource: string },
  finding: Finding,
): EndpointSummary {
  const found = 'match' in finding ? finding : null;
  return {
    $schema: toSchemaUrl(SUMMARY_SCHEMA_TYPE, baseUrl),
    schemaVersion: SUMMARY_SCHEMA_VERSION,
    schemaType: SUMMARY_SCHEMA_TYPE,
    generatedAt: new Date(now()).toISOString(),
    requested: { resource, payTo, network },
    match: found && found.match,
    payTo: payTo === null || !found?.payTo ? null : toPayTo({ address: payTo, network, ...found.payTo }),
    endpoint: found && {
      ...toEndpoint(found.snapshot, { baseUrl, vantage }),
      provider: toProvider(found.provider, now()),
    },
    optedOutAt: 'match' in finding ? null : finding.optedOutAt,
    unknownHost: 'match' in finding ? null : finding.unknownHost,
    signature: null,
  };
}

function toPayTo(payTo: NonNullable<EndpointSummary['payTo']>): NonNullable<EndpointSummary['payTo']> {
  return { ...payTo, before: shortenReplaced(payTo.before) };
}

/** Shortens the address of a replaced wallet, which is text of the provider. */
export function shortenReplaced(address: string | null): string | null {
  const before = cleanText(address, TEXT_LIMITS.address);
  return before && shortenAddress(before);
}

function toEndpoint(
  snapshot: Snapshot,
  { baseUrl, vantage }: Pick<SummaryContext, 'baseUrl' | 'vantage'>,
): Omit<Endpoint, 'provider'> {
  const { score, grade, recommendation, confidence, computedAt } = snapshot;
  const { uptime30d, latencyMs, latencyLabel, lastProbedAt, failingSince } = snapshot;
  const { probes30d, scoredProbes30d, blocked30d, blockedSince } = snapshot;
  const { firstSeen, daysTracked, errorFlags, warningFlags, betterAlternatives } = snapshot;
  return {
    resource: toDisplayResource(snapshot.resource),
    endpointId: snapshot.endpointId,
    endpointPage: formatEndpointPage(snapshot.slug, baseUrl),
    method: cleanText(snapshot.method, TEXT_LIMITS.name),
    serviceName: cleanText(snapshot.serviceName, TEXT_LIMITS.name),
    description: cleanText(snapshot.description, TEXT_LIMITS.description),
    templated: snapshot.templated,
    ...{ score, grade, recommendation, confidence, computedAt },
    ...{ uptime30d, latencyMs, latencyLabel, vantage, lastProbedAt, failingSince },
    ...{ probes30d, scoredProbes30d, blocked30d, blockedSince },
    amountUsd: normalizeUsd(snapshot.amountUsd),
    priceStability: snapshot.priceStability,
    priceRange30d: toPriceRange(snapshot),
    network: cleanText(snapshot.network, TEXT_LIMITS.address),
    payOn: toPayOn(snapshot.payOn),
    ...{ firstSeen, daysTracked, errorFlags, warningFlags, betterAlternatives },
    listing: {
      status: snapshot.listingStatus,
      source: snapshot.listingSource,
      directories: snapshot.directories.slice(0, MAX_ITEMS),
      delistedAt: snapshot.delistedAt,
    },
    delivery: toDelivery(snapshot.delivery, baseUrl),
  };
}

function toDelivery(delivery: Snapshot['delivery'], baseUrl: string): Endpoint['delivery'] {
  if (delivery === null) return null;
  const { state, last, buyers } = delivery;
  return {
    state,
    last: last && {
      ...last,
      amountUsd: normalizeUsd(last.amountUsd) ?? '0.000000',
      record: new URL(`/v1/purchases/${last.id}`, baseUrl).href,
    },
    buyers: { delivered30d: buyers.delivered, failed30d: buyers.failed },
  };
}

/** Returns the announcements of a provider without the maintenance windows that have ended. */
function toProvider(provider: SummarySource['provider'], now: number): Endpoint['provider'] {
  if (provider === null) return null;
  const maintenance = provider.maintenance.filter(({ endsAt }) => Date.parse(endsAt) > now);
  return {
    ...provider,
    statements: provider.statements.slice(0, MAX_STATEMENTS_PER_ENDPOINT),
    maintenance: maintenance.slice(0, MAX_MAINTENANCE_WINDOWS),
  };
}

/** Returns the price range of the last 30 days; null without a price. */
export function toPriceRange({
  lowestPriceUsd30d,
  highestPriceUsd30d,
}: Pick<Snapshot, 'lowestPriceUsd30d' | 'highestPriceUsd30d'>): Endpoint['priceRange30d'] {
  const lowUsd = normalizeUsd(lowestPriceUsd30d);
  const highUsd = normalizeUsd(highestPriceUsd30d);
  return lowUsd === null || highUsd === null ? null : { lowUsd, highUsd };
}

/** Converts payment options to the form of a summary. */
export function toPayOn(options: readonly PayOn[]): Endpoint['payOn'] {
  return options.slice(0, MAX_ITEMS).map(toPayOnOption);
}

function toPayOnOption(option: PayOn): Endpoint['payOn'][number] {
  const { falseUsdc, payTo, ...shown } = toReportOption(option);
  const usdc = findCanonicalUsdc(option.network);
  const isUsdc =
    usdc !== null &&
    normalizeAddress(option.network, usdc.asset) === normalizeAddress(option.network, option.asset);
  return { ...shown, payTo: shortenAddress(payTo), canonicalUsdc: isUsdc && !falseUsdc };
}
