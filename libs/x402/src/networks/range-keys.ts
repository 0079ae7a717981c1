import { normalizeAddress } from './networks.ts';

/** Length of the digest of a recipient, in bytes. To find another address with the same digest takes about 2^96 attempts. */
const RECIPIENT_BYTES = 12;

/** The part of WebCrypto that the keys need. */
type Digests = Pick<InstanceType<typeof SubtleCrypto>, 'digest'>;

/**
 * Returns the SHA-256 hash of a host, in hexadecimal digits. Its first digits name the range of the host. The service and
 * the client compute the same hashes and digests.
 */
export async function hashHost(subtle: Digests, host: string): Promise<string> {
  return Array.from(await hash(subtle, host), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Returns the digest of a recipient: 16 base64url characters.
 *
 * @param network CAIP-2 id
 */
export async function digestRecipient(subtle: Digests, network: string, payTo: string): Promise<string> {
  const bytes = await hash(subtle, `${network} ${normalizeAddress(network, payTo)}`);
  const base64 = btoa(String.fromCharCode(...bytes.subarray(0, RECIPIENT_BYTES)));
  return base64.replaceAll('+', '-').replaceAll('/', '_');
}

async function hash(subtle: Digests, text: string): Promise<Uint8Array> {
  return new Uint8Array(await subtle.digest('SHA-256', new TextEncoder().encode(text)));
}
