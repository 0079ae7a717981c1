import { BodyTooLargeError, readBoundedText } from '@touchstone/common';
import { createProblem, type ProblemCode } from '@touchstone/contract';
import { headerKeys } from 'inngest';
import { NextRequest } from 'next/server';
import { createProblemResponse } from '../api/responses.ts';

/**
 * Maximum length of a request from Inngest, in bytes. The server of Inngest puts events and step results into a request
 * of at most 4 MiB (its constant `MaxSDKRequestBodySize`). The SDK requests longer ones from the API of Inngest.
 */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/**
 * Maximum length of all long bodies that are being read at the same time, in bytes. A signature can be verified only when
 * its whole body is in memory, so without this limit many forged requests could use up the memory.
 */
const MAX_UNVERIFIED_BYTES = 64 * 1024 * 1024;

/**
 * Number of bytes at the start of each body that do not count toward `MAX_UNVERIFIED_BYTES`. So forged requests whose
 * bodies never end do not block the requests of most steps, which are short.
 */
const UNCOUNTED_BYTES = 64 * 1024;

/** Maximum difference between the time of a signature and the clock of this machine, in milliseconds, as in the SDK. */
const MAX_SIGNATURE_AGE_MS = 5 * 60_000;

const UNSIGNED =
  'Only Inngest may call this URL. Send the header x-inngest-signature with a signature of the last five minutes.';
const WRONG_SIGNATURE =
  'The signature does not match the request. Set INNGEST_SIGNING_KEY of this service to the signing key of the Inngest server.';

/** Function of the Inngest SDK that handles the requests with one HTTP method. */
export type InngestHandler = (request: NextRequest, context: unknown) => Promise<Response>;

/**
 * Passes a request to the handler of the SDK if it may come from Inngest. A request without a current signature is
 * refused before its body is read. The body is read with a limit. The SDK then verifies the signature.
 *
 * @param isSigned False for a development server of Inngest, which has no signing key.
 */
export async function acceptInngestRequest(
  request: NextRequest,
  { handler, isSigned, context }: { handler: InngestHandler; isSigned: boolean; context: unknown },
): Promise<Response> {
  const { url, method, headers } = request;
  if (isSigned && !isCurrentSignature(headers.get(headerKeys.Signature))) {
    return refuse('unauthorized', UNSIGNED);
  }
  if (!isHost(headers.get('host'))) return refuse('invalid-request', 'The Host header is not a host name.');
  const body = await readBody(request);
  if (body instanceof Response) return body;
  const response = await handler(new NextRequest(url, { method, headers, body }), context);
  return response.status === 401 ? refuse('unauthorized', WRONG_SIGNATURE) : response;
}

/** Returns true for `t=<seconds>&s=<HMAC-SHA-256 in hexadecimal>` with a time that is close to the current time. */
function isCurrentSignature(header: string | null): boolean {
  const parameters = new URLSearchParams(header ?? '');
  const seconds = parameters.get('t') ?? '';
  if (!/^\d{1,12}$/.test(seconds) || !/^[\da-f]{64}$/.test(parameters.get('s') ?? '')) return false;
  return Math.abs(Date.now() - Number(seconds) * 1000) <= MAX_SIGNATURE_AGE_MS;
}

/** Returns true for a `Host` header that the SDK can parse. For others, the SDK logs a stack trace and throws. */
function isHost(header: string | null): boolean {
  return header === null || (/^[\w.:[\]-]+$/.test(header) && URL.canParse(`http://${header}`));
}

/** Reads the JSON text of a request, null without a body. Returns an error response for a body that is refused. */
async function readBody({ body, headers }: NextRequest): Promise<string | null | Response> {
  if (Number(headers.get('content-length')) > MAX_BODY_BYTES) return refuseLength();
  const counter = { bytes: 0 };
  try {
    const text = await readBoundedText(countUnverified(body, counter), MAX_BODY_BYTES);
    if (text === '') return null;
    JSON.parse(text);
    return text;
  } catch (error) {
    if (error instanceof BodyTooLargeError) return refuseLength();
    if (error instanceof OverloadError) {
      return refuse('rate-limited', 'The service reads too many long requests. Retry in a few seconds.', {
        'retry-after': '5',
      });
    }
    return refuse('invalid-request', 'The body is not JSON, or the connection ended before its end.');
  } finally {
    unverifiedBytes -= counter.bytes;
  }
}

/** Thrown when the bodies that are being read exceed their limit. */
class OverloadError extends Error {}

let unverifiedBytes = 0;

/** Yields the chunks of a body, and counts their bytes until the caller subtracts `counter.bytes` again. */
async function* countUnverified(
  body: ReadableStream<Uint8Array> | null,
  counter: { bytes: number },
): AsyncGenerator<Uint8Array> {
  // The cast is needed because the DOM type declarations lack the async iterator. Every supported runtime has it.
  let length = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.byteLength;
    const counted = Math.max(0, length - UNCOUNTED_BYTES);
    unverifiedBytes += counted - counter.bytes;
    counter.bytes = counted;
    if (counted > 0 && unverifiedBytes > MAX_UNVERIFIED_BYTES) throw new OverloadError();
    yield chunk;
  }
}

function refuseLength(): Response {
  return refuse('body-too-large', `The body is longer than ${MAX_BODY_BYTES} bytes.`);
}

function refuse(code: ProblemCode, detail: string, headers: Readonly<Record<string, string>> = {}): Response {
  return createProblemResponse(createProblem(code, detail), headers);
}
