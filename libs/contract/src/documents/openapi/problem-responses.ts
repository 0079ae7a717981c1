import {
  PROBLEM_SCHEMAS,
  PROBLEMS,
  createProblem,
  withNotCharged,
  type Problem,
  type ProblemCode,
} from '../../shared/problem.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { createSchemaRef, createHeaderRefs } from './components.ts';

/** Errors after which the payment may still be settled, so their examples do not contain `notCharged`. */
const UNCERTAIN_PROBLEMS: readonly ProblemCode[] = [
  'payment-in-progress',
  'payment-reused',
  'payment-unavailable',
  'internal',
];

/** Errors whose responses contain the header `Retry-After`. */
const RETRYABLE_PROBLEMS: readonly ProblemCode[] = [
  'payment-in-progress',
  'payment-unavailable',
  'search-unavailable',
];

/**
 * Creates the OpenAPI descriptions of the error responses of an operation, by HTTP status. Errors with the same status
 * share one description.
 */
export function createProblemResponses(
  codes: readonly ProblemCode[],
  isPaid: boolean,
): Readonly<Record<string, JsonSchema>> {
  const byStatus = Map.groupBy(codes, (code) => PROBLEMS[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, alike]) => [String(status), createResponse(status, alike, isPaid)]),
  );
}

function createResponse(status: number, codes: readonly ProblemCode[], isPaid: boolean): JsonSchema {
  const headers = createHeaders(codes);
  return {
    description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].description}`).join('\n\n'),
    ...(headers === null ? {} : { headers }),
    content: {
      'application/problem+json': {
        schema: {
          allOf: [
            createSchemaRef(PROBLEM_SCHEMAS.problem),
            { type: 'object', properties: { status: { const: status }, code: { enum: codes } } },
          ],
        },
        examples: Object.fromEntries(codes.map((code) => [code, { value: createExample(code, isPaid) }])),
      },
    },
  };
}

function createHeaders(codes: readonly ProblemCode[]): JsonSchema | null {
  if (codes.includes('rate-limited'))
    return createHeaderRefs(['Retry-After', 'RateLimit', 'RateLimit-Policy']);
  if (codes.includes('unauthorized')) return createHeaderRefs(['WWW-Authenticate']);
  if (codes.includes('method-not-allowed')) return createHeaderRefs(['Allow']);
  return codes.some((code) => RETRYABLE_PROBLEMS.includes(code)) ? createHeaderRefs(['Retry-After']) : null;
}

function createExample(code: ProblemCode, isPaid: boolean): Problem {
  const problem = createProblem(code, PROBLEMS[code].description);
  return isPaid && !UNCERTAIN_PROBLEMS.includes(code) ? withNotCharged(problem) : problem;
}
