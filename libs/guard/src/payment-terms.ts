import { isPublicHost, isPublicName, MAX_RESOURCE_CHARS } from '@touchstone/common';
import { parseAmount } from '@touchstone/x402/money';
import { normalizeAddress, toCaip2 } from '@touchstone/x402/networks';

/** A payment that a wallet is about to make. All values are text as in the challenge. */
export interface ProposedPayment {
  /** URL that is paid for. Its query, fragment and user info stay on this machine. */
  readonly url: string;
  /** CAIP-2 id such as `eip155:8453`, or a network name of x402 version 1 such as `base`. */
  readonly network: string;
  /** Contract address, mint or id of the token. */
  readonly asset: string;
  /** Amount in atomic units of the token, as decimal digits. */
  readonly amount: string;
  readonly payTo: string;
  /** Scheme of x402 such as `exact`; undefined if the scheme is not known. */
  readonly scheme?: string | undefined;
  /**
   * Time for which the seller can collect the payment, in seconds: `maxTimeoutSeconds` of the challenge, or the time until
   * the end of a signed authorization. Null or undefined if the time is not known.
   */
  readonly lifetimeSeconds?: number | null | undefined;
  /**
   * Amount in atomic units that the signature lets the seller take, if it is not `amount`: more for the deposit of a
   * payment channel, and 0 for a payment from an earlier deposit.
   */
  readonly signedAmount?: string | undefined;
}

/** Valid values of a proposed payment, normalized for comparison. */
export interface PaymentTerms {
  /** URL without query, fragment and user info, because these parts may contain secrets of the payer. */
  readonly resource: string;
  /** CAIP-2 id. */
  readonly network: string;
  readonly asset: string;
  readonly amount: bigint;
  readonly payTo: string;
  readonly scheme: string | null;
  readonly lifetimeSeconds: number | null;
  readonly signedAmount: bigint;
}

/**
 * Pattern of a valid value: visible ASCII characters only, because sellers choose the values and the values appear in
 * messages and logs.
 */
const VISIBLE = /^[!-~]{1,128}$/;

/** Reads the values of a proposed payment. Returns null if one of the values is malformed. */
export function readPaymentTerms(payment: ProposedPayment): PaymentTerms | null {
  const resource = toResource(payment.url);
  const amount = parseAmount(payment.amount);
  const signedAmount = payment.signedAmount === undefined ? amount : parseAmount(payment.signedAmount);
  if (resource === null || amount === null || signedAmount === null) return null;
  const { scheme = null, lifetimeSeconds = null } = payment;
  const values = [payment.network, payment.asset, payment.payTo, ...(scheme === null ? [] : [scheme])];
  if (!values.every((value) => VISIBLE.test(value))) return null;
  const network = toCaip2(payment.network);
  return {
    resource,
    network,
    asset: normalizeAddress(network, payment.asset),
    amount,
    payTo: normalizeAddress(network, payment.payTo),
    ...{ scheme, lifetimeSeconds, signedAmount },
  };
}

/** Removes query, fragment and user info from a URL. Returns null for text that is not an http(s) URL. */
export function toResource(text: string): string | null {
  const url = parseHttpUrl(text);
  if (url === null) return null;
  const resource = `${url.origin}${url.pathname}`;
  return resource.length <= MAX_RESOURCE_CHARS ? resource : null;
}

/** Parses an absolute http or https URL. Returns null for other text. */
export function parseHttpUrl(text: string): URL | null {
  // Not `URL.parse`, because early versions of Node.js 20 lack this function.
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : null;
}

/** Returns true for a URL whose host has a name in the public DNS, so that Touchstone can know the URL. */
export function hasPublicName(resource: string): boolean {
  const { hostname } = new URL(resource);
  return !/^[0-9.]+$/.test(hostname) && isPublicName(hostname);
}

/** Returns true for a URL whose host is reachable from the internet: a name in the public DNS, or a public IP address. */
export function isPublicResource(resource: string): boolean {
  return isPublicHost(new URL(resource));
}

/**
 * Returns true for two spellings of one address. The case of EVM addresses does not matter.
 *
 * @param network CAIP-2 id
 */
export function isSameAddress(network: string, left: string, right: string): boolean {
  return normalizeAddress(network, left) === normalizeAddress(network, right);
}
