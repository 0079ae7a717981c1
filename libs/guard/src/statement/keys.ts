import { isLoopbackHost } from '@touchstone/common';
import { fetchJson } from './fetch-json.ts';
import { parseHttpUrl } from '../payment-terms.ts';
import { readMember, readText } from '@touchstone/x402/json';

/** Public Ed25519 key as a JWK (RFC 8037), as published by a service. */
export interface PublicKeyJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  /** Public key, 32 bytes as base64url. */
  readonly x: string;
  /** Id of the key in signatures: its JWK thumbprint. */
  readonly kid: string;
  /** Start of the use of the key, ISO 8601; null or undefined when unlimited. */
  readonly validFrom?: string | null;
  /** End of the use of the key, ISO 8601; null or undefined while the key is in use. */
  readonly retiredAt?: string | null;
}

const KEY_SET_PATH = '/.well-known/touchstone-keys.json';
const MAX_KEYS = 100;
const MAX_KEY_SET_BYTES = 65_536;
const FETCH_TIMEOUT_MS = 10_000;
/** 32 bytes as base64url without padding. The last character carries only four bits. */
const BYTES_32 = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

/**
 * Fetches the public keys of a service. Use this function only during setup. Store the result with your program and
 * pass it to `createGuard`. Do not fetch keys for each run: an attacker who controls the connection then controls the
 * keys, too.
 *
 * @param service URL of the service: https, or http on this machine
 * @throws Error for another URL, and if the service is unreachable or returns no valid key set
 */
export async function fetchKeys(
  service: string,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): Promise<readonly PublicKeyJwk[]> {
  const url = toServiceUrl(service);
  const result = await fetchJson({
    fetch,
    url: new URL(KEY_SET_PATH, url),
    timeoutMs: FETCH_TIMEOUT_MS,
    maxBytes: MAX_KEY_SET_BYTES,
  });
  if ('problem' in result) throw new Error(`The public keys could not be fetched. ${result.problem}`);
  return readKeys(readMember(result.value, 'keys'));
}

/**
 * Reads public keys from parsed JSON.
 *
 * @param value array of JWKs
 * @throws TypeError for another value, and for an empty array
 */
export function readKeys(value: unknown): readonly PublicKeyJwk[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_KEYS) {
    throw new TypeError(`keys must be an array of 1 to ${MAX_KEYS} public Ed25519 keys (JWK).`);
  }
  return value.map(readKey);
}

function readKey(value: unknown): PublicKeyJwk {
  const [kty, crv, x, kid] = ['kty', 'crv', 'x', 'kid'].map((name) => readText(value, name) ?? '');
  const validFrom = readTime(value, 'validFrom');
  const retiredAt = readTime(value, 'retiredAt');
  const isValid = kty === 'OKP' && crv === 'Ed25519' && BYTES_32.test(x ?? '') && BYTES_32.test(kid ?? '');
  if (
    !isValid ||
    x === undefined ||
    kid === undefined ||
    validFrom === undefined ||
    retiredAt === undefined
  ) {
    throw new TypeError('A key must be a public Ed25519 JWK with kty, crv, x and kid.');
  }
  return { kty, crv, x, kid, validFrom, retiredAt };
}

/** Reads an optional time. Returns null for an absent time, and undefined for a value that is not a time. */
function readTime(value: unknown, name: string): string | null | undefined {
  const time = readMember(value, name) ?? null;
  if (time === null) return null;
  return typeof time === 'string' && !Number.isNaN(Date.parse(time)) ? time : undefined;
}

/**
 * Parses the URL of a service. Only the origin of the URL is used. Payments to the service are not checked, so the
 * connection must be encrypted or end on this machine.
 *
 * @throws TypeError unless the URL has the scheme https, or http with a loopback host
 */
export function toServiceUrl(service: string): URL {
  const url = parseHttpUrl(service);
  if (url !== null && (url.protocol === 'https:' || isLoopbackHost(url.hostname))) return new URL(url.origin);
  throw new TypeError(`service must be an https URL, or an http URL on this machine; received ${service}.`);
}
