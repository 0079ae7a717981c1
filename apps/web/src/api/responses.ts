import { createHash } from 'node:crypto';
import type { Problem } from '@touchstone/contract';
import { keepDocumentText } from './document-texts.ts';
import { matchesEtag } from './read-request.ts';

/**
 * Headers of every API response. Any origin may read a response, because the API uses no cookies that another site
 * could misuse.
 */
export const CORS_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'PAYMENT-REQUIRED, PAYMENT-RESPONSE, X-PAYMENT-RESPONSE, RateLimit, RateLimit-Policy, Retry-After, Allow, ETag',
};

/** Creates a JSON response that public caches may store for `maxAgeSeconds`. */
export function createJsonResponse(body: unknown, maxAgeSeconds: number): Response {
  return Response.json(body, { headers: { 'cache-control': formatCacheControl(maxAgeSeconds) } });
}

/** Creates an error response in the problem format of RFC 9457. */
export function createProblemResponse(
  problem: Problem,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store', ...headers },
  });
}

interface Document {
  /** Content of the document: text, or the bytes of an image. */
  readonly text: string | Uint8Array<ArrayBuffer>;
  /** Value of the `Content-Type` header. */
  readonly type: string;
  readonly maxAgeSeconds: number;
}

interface FixedDocument extends Document {
  readonly text: string;
  /** False if a part of the document could not be read, so that the next request tries again. True by default. */
  readonly isComplete?: boolean;
}

/**
 * Creates a response with a document that is the same for every client. The web server keeps a complete document in its
 * memory of responses, so that the document is compressed once: until its entries of the page cache expire, and at most
 * 10 minutes.
 */
export function createFixedDocumentResponse(request: Request, document: FixedDocument): Response {
  const response = createDocumentResponse(request, document);
  if (response.status === 200 && document.isComplete !== false)
    keepDocumentText(response.headers.get('etag') ?? '', document.text);
  return response;
}

/**
 * Creates a response with a generated document. If the header `If-None-Match` of the request matches the ETag of the
 * document, the status is 304.
 */
export function createDocumentResponse(request: Request, { text, type, maxAgeSeconds }: Document): Response {
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
  const headers = { etag, 'cache-control': formatCacheControl(maxAgeSeconds) };
  if (matchesEtag(request.headers.get('if-none-match'), etag)) {
    return new Response(null, { status: 304, headers });
  }
  return new Response(text, { headers: { ...headers, 'content-type': type } });
}

function formatCacheControl(maxAgeSeconds: number): string {
  return maxAgeSeconds > 0 ? `public, max-age=${maxAgeSeconds}` : 'no-store';
}

// Maximum ages of responses in public caches, in seconds.
export const DOCUMENT_MAX_AGE_SECONDS = 5 * 60;
/** A published schema never changes, because its URL contains its version. */
export const SCHEMA_MAX_AGE_SECONDS = 24 * 60 * 60;
export const RANKING_MAX_AGE_SECONDS = 60;
export const SUMMARY_MAX_AGE_SECONDS = 60;
export const PICTURE_MAX_AGE_SECONDS = 5 * 60;
export const EVENTS_MAX_AGE_SECONDS = 60;
export const SITEMAP_MAX_AGE_SECONDS = 60 * 60;

/** Headers that are allowed if the preflight request names no headers: the headers that API clients normally send. */
const DEFAULT_ALLOWED_HEADERS =
  'Content-Type, Authorization, Accept, If-None-Match, PAYMENT-SIGNATURE, X-PAYMENT, Access-Control-Expose-Headers';

/** Pattern of a comma-separated list of header field names (RFC 9110, section 5.1). */
const FIELD_NAMES = /^[ \t]*[!#$%&'*+.^_`|~\w-]+(?:[ \t]*,[ \t]*[!#$%&'*+.^_`|~\w-]+)*[ \t]*$/;
const MAX_HEADER_LIST_LENGTH = 2_048;

/**
 * Creates the response to a CORS preflight. The response allows every requested header, because clients such as x402
 * clients add their own headers, and the service ignores unknown headers. If the list of requested headers is invalid
 * or very long, the response allows the default headers.
 *
 * @param allowed Methods of the path, in the format of the `Allow` header.
 */
export function respondToPreflight(request: Request, allowed: string): Response {
  const requested = request.headers.get('access-control-request-headers') ?? '';
  const isValid = requested.length <= MAX_HEADER_LIST_LENGTH && FIELD_NAMES.test(requested);
  return new Response(null, {
    status: 204,
    headers: {
      ...CORS_HEADERS,
      allow: allowed,
      'access-control-allow-methods': allowed,
      'access-control-allow-headers': isValid ? requested : DEFAULT_ALLOWED_HEADERS,
      'access-control-max-age': '86400',
      vary: 'Access-Control-Request-Headers',
    },
  });
}
