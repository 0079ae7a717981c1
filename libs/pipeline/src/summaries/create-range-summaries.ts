import { webcrypto } from 'node:crypto';
import {
  type EndpointSummaries,
  MAX_RANGE_ENDPOINTS,
  SUMMARIES_SCHEMA_TYPE,
  SUMMARIES_SCHEMA_VERSION,
  toSchemaUrl,
} from '@touchstone/contract';
import { readSummaryRange, type PayOn, type SummaryRange } from '@touchstone/store';
import { normalizeUsd, toDisplayResource } from '@touchstone/trust';
import { digestRecipient, hashHost } from '@touchstone/x402/range-keys';
import { shortenReplaced, type SummaryContext, toPayOn, toPriceRange } from './create-endpoint-summary.ts';

const { subtle } = webcrypto;

type Entry = EndpointSummaries['endpoints'][number];
type Recipients = Entry['recipients'][number];
type StoredEndpoint = SummaryRange['endpoints'][number];

/**
 * Creates the unsigned summaries of all endpoints whose hosts have a hash with a prefix. They state what the summaries of
 * the single endpoints state to a client that judges a payment.
 *
 * @param prefix first 1 to 3 hexadecimal digits of the SHA-256 hash of the hosts
 * @throws StoreError when the database fails
 */
export async function createRangeSummaries(
  { db, baseUrl, now }: Omit<SummaryContext, 'vantage'>,
  prefix: string,
  maxEndpoints: number = MAX_RANGE_ENDPOINTS,
): Promise<EndpointSummaries> {
  const { endpoints, omittedHosts, optOuts } = await readSummaryRange(db, prefix, maxEndpoints);
  return {
    $schema: toSchemaUrl(SUMMARIES_SCHEMA_TYPE, baseUrl),
    schemaVersion: SUMMARIES_SCHEMA_VERSION,
    schemaType: SUMMARIES_SCHEMA_TYPE,
    generatedAt: new Date(now()).toISOString(),
    prefix,
    endpoints: await Promise.all(endpoints.map(toEntry)),
    omittedHosts: await Promise.all(omittedHosts.map((host) => hashHost(subtle, host))),
    optOuts: await Promise.all(
      optOuts.map(async ({ host, optedOutAt }) => ({ hostHash: await hashHost(subtle, host), optedOutAt })),
    ),
    signature: null,
  };
}

async function toEntry(stored: StoredEndpoint): Promise<Entry> {
  const { endpointId, templated, listing, score, grade, recommendation, confidence, lastProbedAt } = stored;
  return {
    resource: toDisplayResource(stored.resource),
    ...{ endpointId, templated, listing, score, grade, recommendation, confidence, lastProbedAt },
    amountUsd: normalizeUsd(stored.amountUsd),
    priceRange30d: toPriceRange(stored),
    payOn: toTokens(stored.payOn),
    recipients: await toRecipients(stored),
  };
}

/** Returns each token of the payment options once. The first option with a token precedes. */
function toTokens(options: readonly PayOn[]): Entry['payOn'] {
  const tokens = new Map<string, Entry['payOn'][number]>();
  for (const { network, asset, decimals, canonicalUsdc } of toPayOn(options)) {
    const key = JSON.stringify([network, asset]);
    if (!tokens.has(key)) tokens.set(key, { network, asset, decimals, canonicalUsdc });
  }
  return [...tokens.values()];
}

/** Pattern of a network that a client can look up. */
const NETWORK = /^[!-~]{1,128}$/;

async function toRecipients({ current, earlier }: StoredEndpoint): Promise<Recipients[]> {
  const networks = new Map<string, Recipients>();
  const find = (network: string): Recipients => {
    const found = networks.get(network) ?? { network, varies: false, current: [], earlier: [] };
    networks.set(network, found);
    return found;
  };
  for (const { network, payTo, varies, changedAt, before } of current) {
    if (!NETWORK.test(network)) continue;
    const recipients = find(network);
    recipients.varies = varies;
    const digest = await digestRecipient(subtle, network, payTo);
    recipients.current.push({ digest, changedAt, before: shortenReplaced(before) });
  }
  for (const { network, payTo } of earlier)
    if (NETWORK.test(network)) find(network).earlier.push(await digestRecipient(subtle, network, payTo));
  return [...networks.values()];
}
