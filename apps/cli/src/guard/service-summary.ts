import { webcrypto } from 'node:crypto';
import { readBoundedText } from '@touchstone/common';
import { endpointSummarySchema } from '@touchstone/contract';
import type { PublicKeyJwk } from '@touchstone/guard';
import { verifySignature } from '@touchstone/trust';
import { z } from 'zod';

/** A Touchstone service with its trusted keys. */
export interface TrustedService {
  /** Origin of the service. */
  readonly origin: string;
  readonly keys: readonly PublicKeyJwk[];
}

/** Maximum duration of one lookup, in milliseconds. It is longer than in a wallet, because the command runs by hand or in CI. */
export const LOOKUP_TIMEOUT_MS = 10_000;
const MAX_SUMMARY_BYTES = 65_536;

const { schemaType, requested, match, endpoint } = endpointSummarySchema.shape;
const members = endpoint.unwrap().pick({
  resource: true,
  endpointPage: true,
  score: true,
  grade: true,
  recommendation: true,
  confidence: true,
  lastProbedAt: true,
  failingSince: true,
  amountUsd: true,
  priceRange30d: true,
  errorFlags: true,
  warningFlags: true,
  betterAlternatives: true,
});

/** Schema of the members that the command prints. Other members are kept: later versions of the service may add some. */
const serviceSummarySchema = z.looseObject({
  schemaType,
  requested: requested.loose(),
  match,
  endpoint: members.extend({ listing: endpoint.unwrap().shape.listing.loose() }).loose().nullable(),
});

/** Signed summary of an endpoint, as the service sent it. */
export type ServiceSummary = z.infer<typeof serviceSummarySchema>;

/**
 * Reads the summary of an endpoint, to show what the service has observed. The decisions do not depend on it. The query of
 * the URL is not sent.
 *
 * @returns null if there is no summary that one of the trusted keys has signed
 */
export async function readServiceSummary(
  url: string,
  { origin, keys }: TrustedService,
): Promise<ServiceSummary | null> {
  const { origin: endpointOrigin, pathname } = new URL(url);
  const resource = `${endpointOrigin}${pathname}`;
  const lookup = new URL('/v1/x402-summary', origin);
  lookup.search = new URLSearchParams({ resource }).toString();
  try {
    const document = await fetchJson(lookup);
    const { outcome } = await verifySignature(document, { keys: keys.map(toPublicKey) }, webcrypto.subtle);
    const { data } = serviceSummarySchema.safeParse(document);
    return outcome === 'valid' && data?.requested.resource === resource ? data : null;
  } catch {
    // The decisions report an unreachable service.
    return null;
  }
}

async function fetchJson(url: URL): Promise<unknown> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(LOOKUP_TIMEOUT_MS),
  });
  const text = await readBoundedText(response.body, MAX_SUMMARY_BYTES);
  return JSON.parse(text) as unknown;
}

function toPublicKey({ validFrom = null, retiredAt = null, ...key }: PublicKeyJwk) {
  return { ...key, alg: 'Ed25519', use: 'sig', validFrom, retiredAt } as const;
}
