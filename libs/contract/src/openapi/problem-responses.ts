import type { JsonSchema } from '../json-schema.ts';
import { PROBLEMS, problemOf, type Problem, type ProblemCode } from '../problem.ts';
import { schemaRef } from './component-schemas.ts';
import { headerRefs } from './headers.ts';

/** Problems that say nothing of money, because it may be settled yet. */
const UNDECIDED: readonly ProblemCode[] = ['payment-in-progress', 'payment-unavailable', 'internal'];

/** Problems that say when to come again. */
const PASSING: readonly ProblemCode[] = ['payment-in-progress', 'payment-unavailable'];

/** The error responses of an operation by their status; problems of one status share a response. */
export function problemResponses(
  codes: readonly ProblemCode[],
  isPaid: boolean,
): Readonly<Record<string, JsonSchema>> {
  const byStatus = Map.groupBy(codes, (code) => PROBLEMS[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, alike]) => [String(status), responseOf(status, alike, isPaid)]),
  );
}

function responseOf(status: number, codes: readonly ProblemCode[], isPaid: boolean): JsonSchema {
  const headers = headersOf(codes);
  return {
    description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].description}`).join('\n\n'),
    ...(headers === null ? {} : { headers }),
    content: {
      'application/problem+json': {
        schema: {
          allOf: [
            schemaRef('problem'),
            { type: 'object', properties: { status: { const: status }, code: { enum: codes } } },
          ],
        },
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code, isPaid) }])),
      },
    },
  };
}

function headersOf(codes: readonly ProblemCode[]): JsonSchema | null {
  if (codes.includes('rate-limited')) return headerRefs(['Retry-After', 'RateLimit', 'RateLimit-Policy']);
  if (codes.includes('method-not-allowed')) return headerRefs(['Allow']);
  return codes.some((code) => PASSING.includes(code)) ? headerRefs(['Retry-After']) : null;
}

function exampleOf(code: ProblemCode, isPaid: boolean): Problem {
  const isFree = isPaid && !UNDECIDED.includes(code);
  return problemOf(code, PROBLEMS[code].description, isFree ? { notCharged: true } : {});
}
