import { findNetwork } from '@touchstone/x402';
import type { BodyForm, Framing, HeaderForm, HttpForm } from './response-bytes.ts';
import type { Location } from './seller-server.ts';

/** JSON object. */
export type JsonObject = Record<string, unknown>;

/** Redirect before the challenge. */
interface Hop {
  readonly status: number;
  readonly to: Location;
}

/** Content coding that transforms data. */
export type Codec = 'gzip' | 'br' | 'deflate' | 'raw-deflate' | 'zstd';

/**
 * Seller that differs from a valid one only in the given members. Without members other than `sends`, the seller answers
 * GET and POST with status 402, a valid challenge on Base, and a body with `Content-Length`.
 */
export interface Seller {
  /** Version 2 in the header, version 1 in the body, or both. */
  readonly sends: 'v1' | 'v2' | 'both';
  /** Status without a challenge for GET requests. */
  readonly get?: number;
  /** Status without a challenge for POST requests. */
  readonly post?: number;
  /** Status of the response with the challenge. */
  readonly status?: number;
  /** Host name with two addresses: no server listens on the first one, which is an IPv6 address. */
  readonly host?: 'localhost';
  readonly hops?: readonly Hop[];
  readonly header?: HeaderForm;
  readonly body?: BodyForm;
  /** Value of `Content-Encoding`, and the codings that are applied in this order. */
  readonly coding?: { readonly name: string; readonly by: readonly Codec[] };
  readonly framing?: Framing;
  /** Statuses of the responses before the final response. */
  readonly interim?: readonly number[];
  /** Length of an additional header field, in bytes. */
  readonly padding?: number;
  readonly contentType?: string;
  readonly http?: HttpForm;
  /** Changed members of the envelope. */
  readonly envelope?: JsonObject;
  /** Changed members of the first option. */
  readonly option?: JsonObject;
  /** Members that the first option lacks. */
  readonly without?: readonly string[];
  /** Number of options in EURC, before all other options. */
  readonly eurcOptions?: number;
  /** Length of an additional member of the body, in bytes. */
  readonly bulk?: number;
  /** Additional options, before or after the first option. */
  readonly before?: readonly JsonObject[];
  readonly after?: readonly JsonObject[];
}

export const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
export const POLYGON_USDC = '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359';
export const SEPOLIA_USDC = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';
export const EURC = '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42';
const RESOURCE = 'https://api.example.com/v1/tides';
const PAY_TO = '0x7bC4d7Ad4E3bF64cF6E2F1f2C0d11b0F86B93a05';
const DOMAIN = { name: 'USD Coin', version: '2' };
const VALID = {
  scheme: 'exact',
  asset: USDC,
  payTo: PAY_TO.toLowerCase(),
  maxTimeoutSeconds: 60,
  extra: DOMAIN,
};

/** Creates an option of version 2. A change of `network` to a name of version 1 is not converted. */
function createV2Option(change: JsonObject): JsonObject {
  return { ...VALID, network: 'eip155:8453', amount: '10000', ...change };
}

/** Creates an option of version 1. The amount is in `maxAmountRequired`, unless the change has this member. */
function createV1Option({ amount = '10000', ...change }: JsonObject): JsonObject {
  const described = { resource: RESOURCE, description: 'Tides', mimeType: 'application/json' };
  return { ...VALID, network: 'base', maxAmountRequired: amount, ...described, ...toV1(change) };
}

function toV1(change: JsonObject): JsonObject {
  const { network } = change;
  const name = typeof network === 'string' ? findNetwork(network)?.v1Name : undefined;
  return name ? { ...change, network: name } : change;
}

function listOptions(seller: Seller, create: (change: JsonObject) => JsonObject): JsonObject[] {
  const { option = {}, without = [], before = [], after = [], eurcOptions = 0 } = seller;
  const first = Object.fromEntries(
    Object.entries(create(option)).filter(([name]) => !without.includes(name)),
  );
  const others = Array.from({ length: eurcOptions }, () => create({ asset: EURC }));
  return [...others, ...before.map(create), first, ...after.map(create)];
}

/** Returns a member of the given length; none without a length. */
export function createBulk(length: number | undefined): JsonObject {
  return length === undefined ? {} : { note: 'x'.repeat(length) };
}

/** Returns the envelopes that the seller sends; null for a version that the seller does not send. */
export function createEnvelopes(seller: Seller): Readonly<Record<'v1' | 'v2', JsonObject | null>> {
  const { sends, envelope, bulk } = seller;
  const v2 = { x402Version: 2, error: 'Payment required', resource: { url: RESOURCE, description: 'Tides' } };
  const v1 = { x402Version: 1, error: 'X-PAYMENT header is required', ...createBulk(bulk) };
  return {
    v2: sends === 'v1' ? null : { ...v2, accepts: listOptions(seller, createV2Option), ...envelope },
    v1: sends === 'v2' ? null : { ...v1, accepts: listOptions(seller, createV1Option), ...envelope },
  };
}
