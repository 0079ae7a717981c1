import { BodyTooLargeError } from '@touchstone/common';
import { createProblem, type ProblemCode, type RatePolicy } from '@touchstone/contract';
import { headerKeys } from 'inngest';
import { NextRequest } from 'next/server';
import { getClient, getClientPolicy } from '../api/rate-limit/limiters.ts';
import { createProcessCounter } from '../api/rate-limit/process-counter.ts';
import { logError } from '../platform/request-log.ts';
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
 * Maximum length of all bodies that are being read at the same time, in bytes. A signature can be verified only when
 * its whole body is in memory, so without this limit many forged requests could use up the memory.
 */
const MAX_UNVERIFIED_BYTES = 64 * 1024 * 1024;

/**
 * Maximum length of a body whose canonical form is verified as well, in bytes. Only short
 * bodies need this check (see `verify`), which takes up to five milliseconds.
 */
const MAX_REFORMATTED_BYTES = 16 * 1024;

/**
 * Maximum number of failed verifications of the canonical form per client address. Requests whose signature belongs to
 * the bytes of their body are accepted above the limit too, so forged requests do not stop jobs.
 */
const FORGED: RatePolicy = { name: 'forged-inngest', limit: 30, windowSeconds: 60 };

const LOGGED_MISMATCH: RatePolicy = { name: 'logged-inngest', limit: 1, windowSeconds: 60 };

const UNSIGNED =
  'Only Inngest may call this URL. Send the header x-inngest-signature with a signature of the last five minutes.';
const WRONG_SIGNATURE =
  'The signature does not match the request. Set INNGEST_SIGNING_KEY of this service to the signing key of the Inngest server.';

/** Function of the Inngest SDK that handles the requests with one HTTP method. */
export type InngestHandler = (request: NextRequest, context: unknown) => Promise<Response>;

interface AcceptOptions {
  readonly handler: InngestHandler;
  /** Accepted signing keys; null for a development server of Inngest, which has no signing key. */
  readonly signingKeys: readonly string[] | null;
  readonly context: unknown;
}

const readBody = createBodyReader({ maxBytes: MAX_BODY_BYTES, maxTotalBytes: MAX_UNVERIFIED_BYTES });
const counter = createProcessCounter(Date.now);

/**
 * Passes a request to the handler of the SDK if it comes from Inngest. A request without a current signature is refused
 * before its body is read. The body is read with a limit, and its signature is verified before it is parsed. The SDK
 * then verifies the signature again.
 */
export async function acceptInngestRequest(
  request: NextRequest,
  { handler, signingKeys, context }: AcceptOptions,
): Promise<Response> {
  const { url, method, headers } = request;
  const signature = parseCurrentSignature(headers.get(headerKeys.Signature));
  if (signingKeys !== null && signature === null) return refuse('unauthorized', UNSIGNED);
  if (!isHost(headers.get('host'))) return refuse('invalid-request', 'The Host header is not a host name.');
  const body = await readOrRefuse(request);
  if (body instanceof Response) return body;
  if (signingKeys !== null && signature !== null) {
    const refusal = verify(body, { signature, signingKeys, request });
    if (refusal !== null) return refusal;
  }
  const text = body.length === 0 ? null : new TextDecoder().decode(body);
  return handler(new NextRequest(url, { method, headers, body: text }), context);
}

/** Returns true for a `Host` header that the SDK can parse. For others, the SDK logs a stack trace and throws. */
function isHost(header: string | null): boolean {
  return header === null || (/^[\w.:[\]-]+$/.test(header) && URL.canParse(`http://${header}`));
}

/** Reads the body of a request. Returns an error response for a body that is refused. */
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

interface Verification {
  readonly signature: RequestSignature;
  readonly signingKeys: readonly string[];
  readonly request: Request;
}

/**
 * Verifies the signature of a body. The SDK parses a body and signs its canonical form, which takes seconds for 4 MiB.
 * The server of Inngest sends the canonical form and signs these bytes (its functions `MarshalV1` and `Sign`). So the
 * received bytes are verified first, and a long body is verified only in this way. The canonical form of a short body
 * is verified too, because the registration of an app may have another form. This function is synchronous, so at most
 * one body is parsed at a time.
 *
 * @returns null for a valid signature, otherwise the error response.
 */
function verify(body: Uint8Array, { signature, signingKeys, request }: Verification): Response | null {
  if (matchesSignature(body, signature, signingKeys)) return null;
  if (body.length > MAX_REFORMATTED_BYTES) {
    logLongMismatch();
    return refuse('unauthorized', WRONG_SIGNATURE);
  }
  const client = getClient(request);
  const policy = getClientPolicy(FORGED, client);
  const exhausted = counter.findExhausted(client, policy);
  if (exhausted !== null) {
    const seconds = Math.max(1, Math.ceil((exhausted.resetsAt - Date.now()) / 1000));
    return refuse('rate-limited', `${WRONG_SIGNATURE} Too many signatures of this client were wrong.`, {
      'retry-after': String(seconds),
    });
  }
  const canonical = canonicalizeJson(new TextDecoder().decode(body));
  if (canonical !== null && matchesSignature(canonical, signature, signingKeys)) return null;
  counter.count(client, policy);
  return refuse('unauthorized', WRONG_SIGNATURE);
}

/**
 * Logs that a long body was refused, at most once a minute. If the server of Inngest sends other bytes than it signs,
 * the operator must see it, because all its long requests are then refused.
 */
function logLongMismatch(): void {
  if (!counter.count('log', LOGGED_MISMATCH).allowed) return;
  logError({ failed: 'verify the signature of a long request from Inngest' }, WRONG_SIGNATURE);
}

function refuseLength(): Response {
  return refuse('body-too-large', `The body is longer than ${MAX_BODY_BYTES} bytes.`);
}

function refuse(code: ProblemCode, detail: string, headers: Readonly<Record<string, string>> = {}): Response {
  return createProblemResponse(createProblem(code, detail), headers);
}

/** Maximum difference between the time of a signature and the clock of this machine, in milliseconds, as in the SDK. */
const MAX_SIGNATURE_AGE_MS = 5 * 60_000;

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

/**
 * Returns the canonical form of a JSON text (RFC 8785): sorted members and no spaces. Its time is about 0.3 milliseconds
 * per KiB.
 *
 * @returns null if the text is not JSON, or is nested too deeply.
 */
export function canonicalizeJson(text: string): string | null {
  try {
    return formatCanonical(JSON.parse(text));
  } catch {
    return null;
  }
}

function formatCanonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatCanonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${formatCanonical(member)}`);
  return `{${members.join(',')}}`;
}
