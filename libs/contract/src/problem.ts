import { z } from 'zod';
import { text } from './scalars.ts';

interface ProblemKind {
  readonly status: number;
  /** The reason phrase of the status, since the type of every problem is about:blank (RFC 9457, section 4.2.1). */
  readonly title: string;
  /** When it is answered, and what to do then. */
  readonly description: string;
}

/** Every error of the API by its code. A code is never given another meaning. */
export const PROBLEMS = {
  'invalid-request': {
    status: 400,
    title: 'Bad Request',
    description:
      'The request is malformed: its body is no JSON, or does not match the schema. `errors` says where. Correct it and send it again.',
  },
  'invalid-payment': {
    status: 400,
    title: 'Bad Request',
    description:
      'The PAYMENT-SIGNATURE header cannot be decoded as a payment of x402 version 2. Make a new one from the PAYMENT-REQUIRED header of an unpaid call.',
  },
  unauthorized: {
    status: 401,
    title: 'Unauthorized',
    description: 'The bearer secret is missing, or is not the one of this watch.',
  },
  'unknown-resource': {
    status: 404,
    title: 'Not Found',
    description:
      'What was asked for is not known here: no endpoint of the catalog has this URL, or nothing is served at this path.',
  },
  'watch-not-found': {
    status: 404,
    title: 'Not Found',
    description: 'There is no watch with this id.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method Not Allowed',
    description: 'The path does not know this method. The Allow header lists those it knows.',
  },
  'watch-not-renewable': {
    status: 409,
    title: 'Conflict',
    description: 'The watch was cancelled or ended too long ago. Create another one.',
  },
  'payment-in-progress': {
    status: 409,
    title: 'Conflict',
    description:
      'The same payment is being served right now. Wait for as long as Retry-After says, then send the same request again for the result.',
  },
  'payment-reused': {
    status: 409,
    title: 'Conflict',
    description:
      'This payment was presented with another request before, or its result is no longer kept. One payment buys one result: sign a new one.',
  },
  'body-too-large': {
    status: 413,
    title: 'Content Too Large',
    description: 'The body is larger than 64 KiB.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported Media Type',
    description: 'The body is not declared as application/json.',
  },
  'delivery-unreachable': {
    status: 422,
    title: 'Unprocessable Content',
    description: 'A delivery URL did not answer its connection test. Correct it and send the request again.',
  },
  'template-unresolved': {
    status: 422,
    title: 'Unprocessable Content',
    description:
      'The URL has a placeholder, such as {id} or :id, and is not in the catalog. Put a real value in its place.',
  },
  'not-probeable': {
    status: 422,
    title: 'Unprocessable Content',
    description:
      'The URL is not in the catalog, and it gave no answer or leads to an address that is not probed, such as a private one.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too Many Requests',
    description: 'Too many requests from one address. Wait for as long as Retry-After says.',
  },
  internal: {
    status: 500,
    title: 'Internal Server Error',
    description: 'Something failed on our side. Try again in a minute.',
  },
  'payment-unavailable': {
    status: 503,
    title: 'Service Unavailable',
    description:
      'Payments cannot be verified or settled at the moment. Without `notCharged` the outcome of the settlement is not known yet: send the same request with the same payment again, which is never charged twice.',
  },
} as const satisfies Readonly<Record<string, ProblemKind>>;

export type ProblemCode = keyof typeof PROBLEMS;

const codes = Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]];

/** The codes that no operation lists because any path may answer with them. */
export const PROBLEMS_OF_EVERY_PATH = ['method-not-allowed'] as const satisfies readonly ProblemCode[];

const invalid = z.strictObject({
  path: text('sentence').describe(
    'The member that is wrong, such as `days` or `delivery.webhook_urls.0`; empty for the body itself.',
  ),
  message: text('sentence').describe('What is wrong with it.'),
});

/** An error by RFC 9457, sent as application/problem+json. */
export const problemSchema = z.strictObject({
  type: z
    .literal('about:blank')
    .describe('The title says what the status says; `code` tells problems of one status apart.'),
  title: text('name').describe('Reason phrase of the status.'),
  status: z.int().min(400).max(599).describe('The HTTP status.'),
  detail: text('sentence').describe('What happened to this request, and what to do.'),
  instance: text('resource').exactOptional().describe('The path that was asked for.'),
  code: z.enum(codes).describe('What happened, as a stable slug to branch on.'),
  notCharged: z
    .literal(true)
    .exactOptional()
    .describe('There on every error of a paid operation that settled no payment.'),
  errors: z
    .array(invalid.describe('One mistake.'))
    .max(100)
    .exactOptional()
    .describe('What is wrong with the request, where it did not match the schema.'),
});

export type Problem = z.infer<typeof problemSchema>;

/**
 * The body of an error.
 *
 * @param detail a sentence or two on what happened to this request, and what to do
 */
export function problemOf(
  code: ProblemCode,
  detail: string,
  extra: Pick<Problem, 'notCharged' | 'errors' | 'instance'> = {},
): Problem {
  const { status, title } = PROBLEMS[code];
  return { type: 'about:blank', title, status, detail, code, ...extra };
}
