import { STATUS_CODES } from 'node:http';
import { describe, expect, it } from 'vitest';
import { PROBLEMS, createProblem, problemSchema, markNotCharged, type ProblemCode } from './problem.ts';

const codes = Object.keys(PROBLEMS) as ProblemCode[];

/** Expected HTTP status of each error code. Several codes can have the same status. */
const STATUSES = {
  'invalid-request': 400,
  'invalid-payment': 400,
  unauthorized: 401,
  'unknown-resource': 404,
  'unknown-payment': 404,
  'watch-not-found': 404,
  'method-not-allowed': 405,
  'watch-not-renewable': 409,
  'claim-not-verified': 409,
  'payment-in-progress': 409,
  'payment-reused': 409,
  'dispute-open': 409,
  'resource-removed': 410,
  'body-too-large': 413,
  'unsupported-media-type': 415,
  'delivery-unreachable': 422,
  'template-unresolved': 422,
  'not-probeable': 422,
  'rate-limited': 429,
  internal: 500,
  'search-unavailable': 503,
  'watch-unavailable': 503,
  'chain-unavailable': 503,
  'picture-unavailable': 503,
  'payment-unavailable': 503,
} as const satisfies Record<ProblemCode, number>;

/** Current reason phrases of RFC 9110, by the older phrases that Node.js uses. */
const RENAMED: Readonly<Record<string, string>> = {
  'Payload Too Large': 'Content Too Large',
  'Unprocessable Entity': 'Unprocessable Content',
};

it.each(codes)('the problem %s has its status, and the reason phrase of the status as title', (code) => {
  const phrase = STATUS_CODES[STATUSES[code]] ?? '';
  expect(problemSchema.parse(createProblem(code, 'It went wrong.'))).toEqual({
    type: 'about:blank',
    title: RENAMED[phrase] ?? phrase,
    status: STATUSES[code],
    detail: 'It went wrong.',
    code,
  });
});

describe('createProblem', () => {
  it('adds the validation errors and the path', () => {
    const extra: Parameters<typeof createProblem>[2] = {
      errors: [{ path: 'days', message: 'Too big' }],
      instance: '/v1/x402-history',
    };
    expect(problemSchema.parse(createProblem('invalid-request', 'Wrong.', extra))).toMatchObject(extra);
  });
});

describe('markNotCharged', () => {
  it('adds the sentence and the field, but not a second time', () => {
    const uncharged = markNotCharged(createProblem('internal', 'Wrong.'));
    expect(problemSchema.parse(uncharged)).toMatchObject({
      detail: 'Wrong. Nothing was charged.',
      notCharged: true,
    });
    expect(markNotCharged(uncharged)).toEqual(uncharged);
    expect(problemSchema.safeParse({ ...uncharged, notCharged: false }).success).toBe(false);
  });
});
