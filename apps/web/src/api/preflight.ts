import { CORS_HEADERS } from './responses.ts';

/** Headers that are allowed if the preflight request names none: the headers that API clients normally send. */
const DEFAULT_ALLOWED_HEADERS =
  'Content-Type, Authorization, Accept, If-None-Match, PAYMENT-SIGNATURE, X-PAYMENT, Access-Control-Expose-Headers';

/** Pattern of a comma-separated list of header field names (RFC 9110, section 5.1). */
const FIELD_NAMES = /^[ \t]*[!#$%&'*+.^_`|~\w-]+(?:[ \t]*,[ \t]*[!#$%&'*+.^_`|~\w-]+)*[ \t]*$/;
const MAX_HEADER_LIST_LENGTH = 2_048;

/**
 * Creates the response to a CORS preflight. It allows every requested header, because clients such as those of x402 add
 * their own headers, and the service ignores unknown ones. If the list of requested headers is invalid or very long,
 * the response allows the default headers.
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
