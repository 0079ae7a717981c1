import { CORS_HEADERS } from './responses.ts';

/** What clients of the API send where a browser asks for nothing in particular. */
const USUAL_HEADERS =
  'Content-Type, Authorization, Accept, If-None-Match, PAYMENT-SIGNATURE, X-PAYMENT, Access-Control-Expose-Headers';

/** A list of field names (RFC 9110, section 5.1). */
const FIELD_NAMES = /^[ \t]*[!#$%&'*+.^_`|~\w-]+(?:[ \t]*,[ \t]*[!#$%&'*+.^_`|~\w-]+)*[ \t]*$/;
const LONGEST_LIST = 2_048;

/**
 * The answer to a browser that asks whether a page of another origin may ask. Every header may be sent that it names:
 * none means anything to this service but those of the contract, and clients send headers of their own, as those of
 * x402 do. A list that is no list, or a very long one, is answered with the usual headers.
 *
 * @param allowed the methods of the path, as `Allow` lists them
 */
export function preflight(request: Request, allowed: string): Response {
  const asked = request.headers.get('access-control-request-headers') ?? '';
  const isList = asked.length <= LONGEST_LIST && FIELD_NAMES.test(asked);
  return new Response(null, {
    status: 204,
    headers: {
      ...CORS_HEADERS,
      allow: allowed,
      'access-control-allow-methods': allowed,
      'access-control-allow-headers': isList ? asked : USUAL_HEADERS,
      'access-control-max-age': '86400',
      vary: 'Access-Control-Request-Headers',
    },
  });
}
