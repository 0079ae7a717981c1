/** Request that a payment buys. */
export interface PaidRequest {
  readonly url: string;
  readonly method: string;
  /** SHA-256 of the body in hex; null if the body cannot be read without using it up. */
  readonly bodySha256: string | null;
}

/** Returns the SHA-256 of text or bytes in hex. */
async function hashHex(data: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data;
  const digest = await globalThis.crypto.subtle.digest('SHA-256', bytes);
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns the key under which a repeated request is recognized; null if the body is not known. */
export async function toRequestKey({ url, method, bodySha256 }: PaidRequest): Promise<string | null> {
  if (bodySha256 === null) return null;
  const [target = ''] = url.split('#');
  return hashHex(JSON.stringify([method.toUpperCase(), target, bodySha256]));
}

/**
 * Returns the SHA-256 of a request body in hex. Returns null for a stream, which can be read only once, and for a form
 * with parts, whose separator differs in each request.
 */
export async function hashBody(body: unknown): Promise<string | null> {
  if (body === undefined || body === null) return hashHex('');
  if (typeof body === 'string') return hashHex(body);
  if (body instanceof URLSearchParams) return hashHex(body.toString());
  if (body instanceof Blob) return hashHex(new Uint8Array(await body.arrayBuffer()));
  if (body instanceof ArrayBuffer) return hashHex(new Uint8Array(body));
  if (ArrayBuffer.isView(body)) {
    const copy = new Uint8Array(body.byteLength);
    copy.set(new Uint8Array(body.buffer, body.byteOffset, body.byteLength));
    return hashHex(copy);
  }
  return null;
}
