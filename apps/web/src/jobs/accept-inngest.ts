import { MINUTE_MS, BodyTooLargeError } from '@touchstone/common';
import { createProblem, type ProblemCode } from '@touchstone/contract';
import canonicalize from 'canonicalize';
import { headerKeys } from 'inngest';
import { NextRequest } from 'next/server';
import { freeLimiter } from '../api/rate-limit/limiters.ts';
import { createProblemResponse } from '../api/responses.ts';
import { createBodyReader, OverloadError } from './body-reader.ts';
import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Maximum length of a request from Inngest, in bytes. The server of Inngest puts events and step results into a request
 * of at most 4 MiB (its constant `MaxSDKRequestBodySize`). The SDK reads longer inputs from the API of Inngest. With a
 * lower limit, a run with longer requests would fail at each retry.
 */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/**
 * Maximum total length of the bodies that are read at the same time, in bytes. A signature can be verified only when
 * the whole body is in memory. Without this limit, many forged requests could use up the memory.
 */
const MAX_UNVERIFIED_BYTES = 64 * 1024 * 1024;

/**
 * Maximum length of a body whose canonical form (RFC 8785) is verified, in bytes. The verification takes up to five
 * milliseconds for 16 KiB, and seconds for 4 MiB.
 */
const MAX_REFORMATTED_BYTES = 16 * 1024;

const UNSIGNED =
  'Only Inngest may call this URL. Send the header x-inngest-signature with a signature of the last five minutes.';
const WRONG_SIGNATURE =
  'The signature does not match the request. Set INNGEST_SIGNING_KEY of this service to the signing key of the Inngest server.';

/** Function of the Inngest SDK that handles the requests with one HTTP method. */
export type InngestHandler = (request: NextRequest, context: unknown) => Promise<Response>;

interface AcceptOptions {
  readonly handler: InngestHandler;
  /** Accepted signing keys; null for a development server of Inngest, because such a server has no signing key. */
  readonly signingKeys: readonly string[] | null;
  readonly context: unknown;
}

const readBody = createBodyReader({ maxBytes: MAX_BODY_BYTES, maxTotalBytes: MAX_UNVERIFIED_BYTES });

/**
 * Passes a request from Inngest to the handler of the SDK. A request without a current signature is refused before its
 * body is read. The signature is verified before the body is parsed. The server of Inngest signs the canonical form of
 * a body (its functions `MarshalV1` and `Sign`) and sends this form. The body of an app registration may have another
 * form, so the canonical form of a short body is verified too, within the rate limit of free operations. The SDK then
 * verifies the signature again.
 */
export async function acceptInngestRequest(
  request: NextRequest,
  { handler, signingKeys, context }: AcceptOptions,
): Promise<Response> {
  const { url, method, headers } = request;
  const signature = parseCurrentSignature(headers.get(headerKeys.Signature));
  if (signingKeys !== null && signature === null) return refuse('unauthorized', UNSIGNED);
  if (!isHostHeader(headers.get('host')))
    return refuse('invalid-request', 'The Host header is not a host name.');
  const body = await readOrRefuse(request);
  if (body instanceof Response) return body;
  const handle = (): Promise<Response> => {
    const text = body.length === 0 ? null : new TextDecoder().decode(body);
    return handler(new NextRequest(url, { method, headers, body: text }), context);
  };
  if (signingKeys === null || signature === null || matchesSignature(body, signature, signingKeys))
    return handle();
  if (body.length > MAX_REFORMATTED_BYTES) return refuse('unauthorized', WRONG_SIGNATURE);
  return freeLimiter(request, async () => {
    const canonical = toCanonicalJson(new TextDecoder().decode(body));
    const isValid = canonical !== null && matchesSignature(canonical, signature, signingKeys);
    return isValid ? handle() : refuse('unauthorized', WRONG_SIGNATURE);
  });
}

/**
 * Returns true for a `Host` header that the SDK can parse. For any other header, the SDK logs a stack trace and throws.
 */
function isHostHeader(header: string | null): boolean {
  return header === null || (/^[\w.:[\]-]+$/.test(header) && URL.canParse(`http://${header}`));
}

/** Reads the body of a request. If the body is refused, returns the error response. */
async function readOrRefuse({ body, headers }: NextRequest): Promise<Uint8Array | Response> {
  if (Number(headers.get('content-length')) > MAX_BODY_BYTES) return refuseLength();
  try {
    return await readBody(body);
  } catch (error) {
    if (error instanceof BodyTooLargeError) return refuseLength();
    if (error instanceof OverloadError) {
      return refuse('rate-limited', 'The service reads too many long requests. Retry in a few seconds.', {
        'retry-after': '5',
      });
    }
    return refuse('invalid-request', 'The connection ended before the end of the body.');
  }
}

function refuseLength(): Response {
  return refuse('body-too-large', `The body is longer than ${MAX_BODY_BYTES} bytes.`);
}

function refuse(code: ProblemCode, detail: string, headers: Readonly<Record<string, string>> = {}): Response {
  return createProblemResponse(createProblem(code, detail), headers);
}

/**
 * Maximum difference between the time of a signature and the clock of this machine, in milliseconds. The SDK has the
 * same limit.
 */
const MAX_SIGNATURE_AGE_MS = 5 * MINUTE_MS;

/** Signature header of a request from Inngest. */
interface RequestSignature {
  /** Time of the signature as it was sent, in seconds since the epoch. */
  readonly seconds: string;
  /** HMAC-SHA-256 of the body and the time. */
  readonly digest: Buffer;
}

/**
 * Parses the header `t=<seconds>&s=<HMAC-SHA-256 in hexadecimal>`.
 *
 * @returns null if the header has another form, or a time that is not close to the current time.
 */
export function parseCurrentSignature(header: string | null): RequestSignature | null {
  const parameters = new URLSearchParams(header ?? '');
  const seconds = parameters.get('t') ?? '';
  const digest = parameters.get('s') ?? '';
  if (!/^\d{1,12}$/.test(seconds) || !/^[\da-f]{64}$/.test(digest)) return null;
  if (Math.abs(Date.now() - Number(seconds) * 1000) > MAX_SIGNATURE_AGE_MS) return null;
  return { seconds, digest: Buffer.from(digest, 'hex') };
}

/**
 * Returns true if a signature belongs to a body. The time of this check is proportional to the length of the body: about
 * one millisecond per MiB.
 *
 * @param keys Accepted signing keys, with or without their prefix, such as `signkey-prod-`.
 */
export function matchesSignature(
  body: string | Uint8Array,
  { seconds, digest }: RequestSignature,
  keys: readonly string[],
): boolean {
  return keys.some((key) => {
    const hmac = createHmac('sha256', key.replace(/^signkey-\w+-/, ''));
    return timingSafeEqual(hmac.update(body).update(seconds).digest(), digest);
  });
}

/** Returns the canonical form of a JSON text (RFC 8785); null if the text is not JSON, or is nested too deeply. */
function toCanonicalJson(text: string): string | null {
  try {
    return canonicalize(JSON.parse(text)) ?? null;
  } catch {
    return null;
  }
}
