import { z } from 'zod';
import type { PublishedSchemas } from './json-schema.ts';
import { text } from './scalars.ts';

/**
 * Reason phrases of the HTTP statuses of errors. RFC 9457, section 4.2.1 requires the reason phrase as title, because
 * `type` is always about:blank.
 */
const TITLES = {
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  410: 'Gone',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const;

interface ProblemKind {
  readonly status: keyof typeof TITLES;
  /** Cause of the error, and the action that the client should take. */
  readonly description: string;
}

/** All errors of the API by their code. The meaning of a code never changes. */
export const PROBLEMS = {
  'invalid-request': {
    status: 400,
    description:
      'The request body is not JSON, the request does not match its schema, or a field or query parameter is unknown or occurs twice; `errors` lists the mistakes. Correct the request and send it again.',
  },
  'invalid-payment': {
    status: 400,
    description:
      'The header PAYMENT-SIGNATURE (x402 version 2) or X-PAYMENT (version 1) is not a payment for this operation; `errors` names each missing or wrong member. Sign the challenge of an unpaid request: version 2 in its PAYMENT-REQUIRED header, version 1 in its body.',
  },
  unauthorized: {
    status: 401,
    description:
      'The bearer secret is missing or wrong, or no watch or claim has this id. Send `Authorization: Bearer` and the secret of the watch or claim.',
  },
  'unknown-resource': {
    status: 404,
    description:
      'The URL is not in the catalog, or the API has no operation at this path. For a trust report: the URL is not in the catalog and responds neither with a payment challenge nor with data. For a bulk request: none of the URLs is in the catalog. For a test purchase: none with this id is published.',
  },
  'unknown-payment': {
    status: 404,
    description:
      'The chain shows no payment of this payer with this nonce or transaction, or the payment has too few confirmations; `detail` says which. Correct the request, or send it again in a minute.',
  },
  'watch-not-found': {
    status: 404,
    description: 'No watch has this id.',
  },
  'method-not-allowed': {
    status: 405,
    description:
      'The path does not support this method. The Allow header lists the methods that it supports.',
  },
  'watch-not-renewable': {
    status: 409,
    description: 'The watch was cancelled, or it ended too long ago. Create a new watch.',
  },
  'claim-not-verified': {
    status: 409,
    description:
      'The claim was not verified yet, its proof was not found, or the host has another active claim; `detail` says which. Publish the line, wait until it can be read, and verify the claim.',
  },
  'payment-in-progress': {
    status: 409,
    description:
      'Another request with this payment is being processed. Wait for the time in Retry-After, then send the same request again to get its result.',
  },
  'payment-reused': {
    status: 409,
    description:
      'This payment was already used for a different request, or its result is no longer stored. One payment buys one result: sign a new payment.',
  },
  'dispute-open': {
    status: 409,
    description:
      'A dispute about this part of the verdict is open, or this signature was already used. Wait for the answer of the operator, which the page of the endpoint shows.',
  },
  'resource-removed': {
    status: 410,
    description:
      'The endpoint was removed from the catalog on request, or its provider opted out of probing and listing. It has no summary, badge or picture. Remove the link to it.',
  },
  'body-too-large': {
    status: 413,
    description: 'The request body is larger than 64 KiB.',
  },
  'unsupported-media-type': {
    status: 415,
    description: 'The request body is not declared as application/json, or it is compressed.',
  },
  'delivery-unreachable': {
    status: 422,
    description: 'A delivery URL failed its connection test. Correct it and send the request again.',
  },
  'template-unresolved': {
    status: 422,
    description:
      'The URL contains a placeholder, such as {id} or :id, and is not in the catalog. For a watch: the catalog has no value with which the URL can be probed. Replace the placeholder with a real value.',
  },
  'not-probeable': {
    status: 422,
    description:
      'The URL is not in the catalog and could not be probed: it did not respond, or its address is not public. For a check: its address is not public, or its provider asked for no requests. For a watch: this service does not probe the endpoint, so it could report no change.',
  },
  'rate-limited': {
    status: 429,
    description:
      'Too many requests from one client, checks of one host, edits of one watch, or connection tests of delivery URLs, or too many of these tests failed. For a trust report: three URLs of one host outside the catalog, or 60 of any hosts, could not be added within ten minutes. Wait for the time in Retry-After.',
  },
  internal: {
    status: 500,
    description: 'The service failed to process the request. Send it again in a minute.',
  },
  'search-unavailable': {
    status: 503,
    description:
      'The text of this request cannot be compared with the endpoints, because its embedding cannot be computed. If the response has Retry-After, send the request again after that time.',
  },
  'watch-unavailable': {
    status: 503,
    description:
      'The operator of this service has not configured the keys that encrypt the secrets of watches. Watches cannot be created, and their delivery URLs cannot be changed.',
  },
  'chain-unavailable': {
    status: 503,
    description:
      'The network of the payment cannot be read, so nothing is known of the payment; or the key of the wallet did not sign, and the network on which the wallet may be a contract cannot be read. Send the request again in a minute.',
  },
  'picture-unavailable': {
    status: 503,
    description:
      'Too many pictures for link previews wait to be drawn. Request the picture again after the time in Retry-After.',
  },
  'payment-unavailable': {
    status: 503,
    description:
      'The payment could not be verified or settled. Without `notCharged`, the outcome is not known yet: send the same request with the same payment again. It is charged at most once.',
  },
} as const satisfies Readonly<Record<string, ProblemKind>>;

export type ProblemCode = keyof typeof PROBLEMS;

const codes = Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]];

/** Codes of the errors that every path can respond with. The operations do not list these codes. */
export const COMMON_PROBLEMS = ['method-not-allowed'] as const satisfies readonly ProblemCode[];

/**
 * Maximum number of mistakes that one error response describes. A list of 500 invalid URLs has 500 mistakes, and the
 * first mistakes explain the others.
 */
export const MAX_LISTED_MISTAKES = 10;

const invalid = z.strictObject({
  path: text('sentence').describe(
    'Field of the body, query parameter or member of the payment with the mistake, such as `days`, `delivery.webhook_urls.0` or `payload.authorization.nonce`; empty for the whole.',
  ),
  message: text('sentence').describe('The mistake, as a sentence with the expected and the received value.'),
});

/** Body of an error response (RFC 9457), sent as application/problem+json. */
export const problemSchema = z.strictObject({
  type: z
    .literal('about:blank')
    .describe('Always about:blank. `code` distinguishes problems of the same status.'),
  title: text('name').describe('Reason phrase of the status.'),
  status: z.int().min(400).max(599).describe('HTTP status.'),
  detail: text('sentence').describe('Cause of this error, and what to do.'),
  instance: text('resource').exactOptional().describe('Path of the request.'),
  code: z.enum(codes).describe('Stable slug of the error. Branch on it.'),
  notCharged: z
    .literal(true)
    .exactOptional()
    .describe('Present when it is certain that the payer was not charged.'),
  errors: z
    .array(invalid.describe('One mistake.'))
    .max(MAX_LISTED_MISTAKES + 1)
    .exactOptional()
    .describe(
      `Mistakes of a request or a payment that does not match the schema: at most ${MAX_LISTED_MISTAKES}, and then the number of the others.`,
    ),
});

export type Problem = z.infer<typeof problemSchema>;

/**
 * Creates the body of an error response.
 *
 * @param detail one or two sentences: the cause, and what the client should do
 */
export function createProblem(
  code: ProblemCode,
  detail: string,
  extra: Pick<Problem, 'errors' | 'instance'> = {},
): Problem {
  const { status } = PROBLEMS[code];
  return { type: 'about:blank', title: TITLES[status], status, detail, code, ...extra };
}

/** Sentence for people that `markNotCharged` appends to the detail of an error. */
export const NOT_CHARGED = 'Nothing was charged.';

/** Adds the statement that nothing was charged to an error body: a sentence for people and a field for programs. */
export function markNotCharged<Body extends { readonly detail: string; readonly notCharged?: true }>(
  body: Body,
): Body & { readonly notCharged: true } {
  if (body.notCharged === true) return { ...body, notCharged: true };
  return { ...body, detail: `${body.detail} ${NOT_CHARGED}`, notCharged: true };
}

const message = '`days` must be a whole number from 1 to 90; received 120.';

/** Example of an error response: a history request with too many days. */
const PROBLEM_EXAMPLE: Problem = markNotCharged(
  createProblem('invalid-request', message, {
    errors: [{ path: 'days', message }],
    instance: '/v1/x402-history',
  }),
);

/** Published schema of an error response, by name. */
export const PROBLEM_SCHEMAS = {
  problem: {
    title: 'Problem',
    description: 'Error of this service, by RFC 9457.',
    component: 'Problem',
    schema: problemSchema,
    example: PROBLEM_EXAMPLE,
  },
} as const satisfies PublishedSchemas;
