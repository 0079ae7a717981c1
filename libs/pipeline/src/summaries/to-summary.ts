import {
  SUMMARY_SCHEMA_TYPE,
  SUMMARY_SCHEMA_VERSION,
  TEXT_LIMITS,
  toSchemaUrl,
  type EndpointSummary,
} from '@touchstone/contract';
import type { PayOn, Snapshot, SummarySource } from '@touchstone/store';
import { normalizeUsd, toDisplayResource, toReportOption } from '@touchstone/trust';
import { cleanText, findCanonicalUsdc, normalizeAddress, shortenAddress } from '@touchstone/x402';
import { formatEndpointPage } from '../search/search-context.ts';
import type { SummaryContext, SummaryRequest } from './summary-context.ts';

type Endpoint = NonNullable<EndpointSummary['endpoint']>;

/** Maximum number of payment options and of directories in a summary. */
const MAX_ITEMS = 100;

interface Found {
  readonly match: EndpointSummary['match'];
  readonly snapshot: Snapshot;
  readonly payTo: SummarySource['payTo'];
}

/** Converts stored data to a summary without a signature. `found` is null if the catalog has no such endpoint. */
export function toSummary(
  { baseUrl, vantage, now }: Omit<SummaryContext, 'db'>,
  { resource, payTo, network }: SummaryRequest & { readonly resource: string },
  found: Found | null,
): EndpointSummary {
  return {
    $schema: toSchemaUrl(SUMMARY_SCHEMA_TYPE, baseUrl),
    schemaVersion: SUMMARY_SCHEMA_VERSION,
    schemaType: SUMMARY_SCHEMA_TYPE,
    generatedAt: new Date(now()).toISOString(),
    requested: { resource, payTo, network },
    match: found && found.match,
    payTo: payTo === null || !found?.payTo ? null : { address: payTo, network, ...found.payTo },
    endpoint: found && toEndpoint(found.snapshot, { baseUrl, vantage }),
    signature: null,
  };
}

function toEndpoint(
  snapshot: Snapshot,
  { baseUrl, vantage }: Pick<SummaryContext, 'baseUrl' | 'vantage'>,
): Endpoint {
  const { score, grade, recommendation, confidence, computedAt } = snapshot;
  const { uptime30d, latencyMs, latencyLabel, probes30d, lastProbedAt, failingSince } = snapshot;
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
    ...{ uptime30d, latencyMs, latencyLabel, vantage, probes30d, lastProbedAt, failingSince },
    amountUsd: normalizeUsd(snapshot.amountUsd),
    priceStability: snapshot.priceStability,
    priceRange30d: toPriceRange(snapshot),
    network: cleanText(snapshot.network, TEXT_LIMITS.address),
    payOn: snapshot.payOn.slice(0, MAX_ITEMS).map(toPayOnOption),
    ...{ firstSeen, daysTracked, errorFlags, warningFlags, betterAlternatives },
    listing: {
      status: snapshot.listingStatus,
      source: snapshot.listingSource,
      directories: snapshot.directories.slice(0, MAX_ITEMS),
      delistedAt: snapshot.delistedAt,
    },
  };
}

function toPriceRange({ lowestPriceUsd30d, highestPriceUsd30d }: Snapshot): Endpoint['priceRange30d'] {
  const lowUsd = normalizeUsd(lowestPriceUsd30d);
  const highUsd = normalizeUsd(highestPriceUsd30d);
  return lowUsd === null || highUsd === null ? null : { lowUsd, highUsd };
}

function toPayOnOption(option: PayOn): Endpoint['payOn'][number] {
  const { falseUsdc, payTo, ...shown } = toReportOption(option);
  const usdc = findCanonicalUsdc(option.network);
  const isUsdc =
    usdc !== null &&
    normalizeAddress(option.network, usdc.asset) === normalizeAddress(option.network, option.asset);
  return { ...shown, payTo: shortenAddress(payTo), canonicalUsdc: isUsdc && !falseUsdc };
}
