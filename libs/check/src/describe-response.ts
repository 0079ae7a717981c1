import { getHeaderValues, measureHeaders, NODE_HEADER_LIMIT_BYTES } from '@touchstone/common';
import {
  MAX_BODY_CHARS,
  MAX_EXCERPT_CHARS,
  MAX_TERMS_CHARS,
  type EndpointCheck,
} from '@touchstone/contract/operations/check/response';
import { FACILITATOR_ROWS, readHeader, type Challenge, type ChallengeResponse } from '@touchstone/x402';
import { quoteText } from './cut-text.ts';

/** Headers that are quoted, in this order. The decoded PAYMENT-REQUIRED header is quoted as `terms`. */
const QUOTED_HEADERS = [
  ...['content-type', 'cache-control', 'location', 'www-authenticate', 'retry-after', 'allow'],
  ...['access-control-allow-origin', 'access-control-expose-headers', 'access-control-allow-credentials'],
  ...[
    'x-payment-required',
    'x-payment',
    'payment-requirements',
    'content-encoding',
    'server',
    'x-powered-by',
  ],
];

/** Headers that are quoted of a response without payment terms. Otherwise anybody could read other pages with a check. */
const HEADERS_WITHOUT_TERMS = ['content-type', 'retry-after', 'allow'];

/**
 * Quotes the parts of a response that matter for payments.
 *
 * @param hasTerms true if the response has payment terms; the status 402 also counts
 */
export function quoteResponse(
  { headers, body, status }: ChallengeResponse,
  hasTerms: boolean,
): NonNullable<EndpointCheck['response']> {
  const isQuoted = hasTerms || status === 402;
  const header = readHeader(getHeaderValues(headers, 'payment-required'));
  const terms = header.state === 'absent' ? null : header.text;
  return {
    headers: (isQuoted ? QUOTED_HEADERS : HEADERS_WITHOUT_TERMS).flatMap((name) => {
      const values = getHeaderValues(headers, name);
      return values.length === 0 ? [] : [{ name, value: quoteText(values.join(', '), MAX_EXCERPT_CHARS) }];
    }),
    headerBytes: measureHeaders(headers),
    terms: terms === null ? null : quoteText(terms, MAX_TERMS_CHARS),
    body: !isQuoted || body === null || body === '' ? null : quoteText(body, MAX_BODY_CHARS),
  };
}

/** Returns the decoded EXTENSION-RESPONSES header, in which facilitators explain refused extensions. */
export function readExtensionResponses({ headers }: ChallengeResponse): string | null {
  const value = getHeaderValues(headers, 'extension-responses')[0];
  if (value === undefined) return null;
  const decoded = readHeader([value]);
  const text = decoded.state === 'absent' ? null : decoded.text;
  return quoteText(text ?? value, MAX_BODY_CHARS);
}

/** Maximum size of response headers that nginx accepts from a server behind it, with the default of most systems. */
const NGINX_HEADER_BYTES = 8_192;
const MAX_CDP_DESCRIPTION_CHARS = new Map<string, (typeof FACILITATOR_ROWS)[number][1]>(FACILITATOR_ROWS).get(
  'coinbase',
)?.limits?.description.accepted;

/** Compares the sizes of a response with the known limits of other programs. */
export function compareLimits(
  { headers }: ChallengeResponse,
  { description }: Challenge,
): EndpointCheck['limits'] {
  const bytes = measureHeaders(headers);
  const limits: Omit<EndpointCheck['limits'][number], 'isExceeded'>[] = [
    {
      subject: 'Response headers, for nginx',
      ...{ measured: bytes, limit: NGINX_HEADER_BYTES, unit: 'bytes' },
      effect: 'nginx as a proxy responds with 502 by default, and so do some other proxies.',
    },
    {
      subject: 'Response headers, for Node.js',
      ...{ measured: bytes, limit: NODE_HEADER_LIMIT_BYTES - 1, unit: 'bytes' },
      effect: 'Clients that use fetch of Node.js reject the response.',
    },
  ];
  if (description !== null && MAX_CDP_DESCRIPTION_CHARS !== undefined)
    limits.push({
      subject: 'resource.description, for the CDP facilitator',
      ...{ measured: Array.from(description).length, limit: MAX_CDP_DESCRIPTION_CHARS, unit: 'characters' },
      effect: 'Sellers reported that CDP refuses to verify payments for longer descriptions.',
    });
  return limits.map((limit) => ({ ...limit, isExceeded: limit.measured > limit.limit }));
}
