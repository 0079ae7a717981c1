import { isPublicName } from '@touchstone/common';
import { readMember } from '@touchstone/x402/json';
import { parseHttpUrl } from '../payment-terms.ts';
import { fetchJson } from '../statement/fetch-json.ts';
import { Cache } from '../statement/lookup.ts';
import { readVerificationMethod, type SigningKey } from './signing-key.ts';

/** Maximum number of keys that are read of a DID document. */
const MAX_KEYS = 20;
const MAX_DOCUMENT_BYTES = 65_536;
const FETCH_TIMEOUT_MS = 3_000;
const MAX_HOSTS = 500;
/** Time for which the keys of a host are reused, in milliseconds: as long as a statement of Touchstone. */
const KEYS_MS = 300_000;
/** Time after which a host is asked again whose keys could not be fetched, in milliseconds. */
const FAILURE_MS = 10_000;

interface HostKeys {
  readonly keys: readonly SigningKey[];
  /** Sentence about the source of the keys, for messages. */
  readonly source: string;
  /** True if the host may publish further keys, because its document could not be read. */
  readonly isUnknown: boolean;
}

/** Keys by URL of the document, for each function that fetches them: each guard has one. */
const caches = new WeakMap<typeof globalThis.fetch, Cache<HostKeys>>();

/** Finds the keys in the DID document of a URL's host (did:web method specification). Never rejects. */
export async function findHostKeys(text: string, fetch: typeof globalThis.fetch): Promise<HostKeys> {
  const resource = parseHttpUrl(text);
  if (resource === null) return { keys: [], source: 'The resource has no host.', isUnknown: false };
  const url = new URL('/.well-known/did.json', resource);
  // did:web requires https. A host without a public name, such as localhost, has no certificate.
  if (isPublicName(url.hostname)) url.protocol = 'https:';
  const cache = caches.get(fetch) ?? new Cache<HostKeys>(MAX_HOSTS, Date.now);
  caches.set(fetch, cache);
  return cache.get(url.href, async () => {
    const value = await fetchHostKeys(url, fetch);
    return { value, expiresAt: Date.now() + (value.isUnknown ? FAILURE_MS : KEYS_MS) };
  });
}

async function fetchHostKeys(url: URL, fetch: typeof globalThis.fetch): Promise<HostKeys> {
  const result = await fetchJson({ fetch, url, timeoutMs: FETCH_TIMEOUT_MS, maxBytes: MAX_DOCUMENT_BYTES });
  if ('problem' in result) return { keys: [], source: result.problem, isUnknown: result.isMissing !== true };
  const methods = readMember(result.value, 'verificationMethod');
  const keys = (Array.isArray(methods) ? methods : [])
    .slice(0, MAX_KEYS)
    .flatMap((method) => readVerificationMethod(method) ?? []);
  return { keys, source: `${url.href} has ${keys.length} supported keys.`, isUnknown: false };
}
