import { STATUS_CODES } from 'node:http';
import { describe, expect, it } from 'vitest';
import { PROBLEMS, problemOf, problemSchema, type ProblemCode } from './problem.ts';

const codes = Object.keys(PROBLEMS) as ProblemCode[];

/** The statuses that are decided; where several problems share one, their codes tell them apart. */
const STATUSES = {
  'invalid-request': 400,
  'invalid-payment': 400,
  unauthorized: 401,
  'unknown-resource': 404,
  'watch-not-found': 404,
  'method-not-allowed': 405,
  'watch-not-renewable': 409,
  'payment-in-progress': 409,
  'payment-reused': 409,
  'body-too-large': 413,
  'unsupported-media-type': 415,
  'delivery-unreachable': 422,
  'template-unresolved': 422,
  'not-probeable': 422,
  'rate-limited': 429,
  internal: 500,
  'payment-unavailable': 503,
} as const satisfies Record<ProblemCode, number>;

/** Phrases of RFC 9110 that Node still knows by the names they had before. */
const RENAMED: Readonly<Record<string, string>> = {
  'Payload Too Large': 'Content Too Large',
  'Unprocessable Entity': 'Unprocessable Content',
};

describe.each(codes)('the problem %s', (code) => {
  const problem = problemOf(code, 'It went wrong.');

  it('has its status, and the phrase of it as title, since its type is about:blank', () => {
    const phrase = STATUS_CODES[problem.status] ?? '';
    expect(problem.status).toBe(STATUSES[code]);
    expect(problem.title).toBe(RENAMED[phrase] ?? phrase);
    expect(problem.type).toBe('about:blank');
  });

  it('is a problem by its schema', () => {
    expect(problemSchema.parse(problem)).toEqual({
      type: 'about:blank',
      title: problem.title,
      status: STATUSES[code],
      detail: 'It went wrong.',
      code,
    });
  });
});

describe('problemOf', () => {
  it('says what else is known', () => {
    const extra: Parameters<typeof problemOf>[2] = {
      notCharged: true,
      errors: [{ path: 'days', message: 'Too big' }],
      instance: '/v1/x402-history',
    };
    expect(problemSchema.parse(problemOf('invalid-request', 'Wrong.', extra))).toMatchObject(extra);
  });

  it('never says that something was charged', () => {
    expect(problemSchema.safeParse({ ...problemOf('internal', 'Wrong.'), notCharged: false }).success).toBe(
      false,
    );
  });
});
