import { z } from 'zod';
import { toPlainText } from '../../terminal/plain-text.ts';
import type { ServiceResponse } from './send-request.ts';

/** Members of an error response (RFC 9457) that a buyer needs. Newer services may add members. */
const problemSchema = z.object({
  code: z.string().max(64),
  title: z.string().optional(),
  detail: z.string().optional(),
  notCharged: z.boolean().optional(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});
export type ReceivedProblem = z.infer<typeof problemSchema>;

/** Parses the problem of an error response; null without a readable one. */
export function readProblem({ text }: Pick<ServiceResponse, 'text'>): ReceivedProblem | null {
  return problemSchema.safeParse(parseJson(text)).data ?? null;
}

/**
 * Tells whether a response, a problem or a new challenge, states that nothing was charged. Only the service can know it,
 * so the statement must be explicit.
 */
export function isNotCharged({ text }: Pick<ServiceResponse, 'text'>): boolean {
  return z.object({ notCharged: z.literal(true) }).safeParse(parseJson(text)).success;
}

/** Sentences that the service adds to `detail` when `notCharged` is true. This command prints its own. */
const NOT_CHARGED_SENTENCE = /\s*Nothing was charged\.\s*$/;

/** Returns `detail` of a problem or of a refused payment without the sentence on the charge; null without one. */
export function readDetail({ text }: Pick<ServiceResponse, 'text'>): string | null {
  const parsed = z.object({ detail: z.string() }).safeParse(parseJson(text));
  const detail = parsed.data?.detail.replace(NOT_CHARGED_SENTENCE, '') ?? '';
  return detail === '' ? null : detail;
}

const MAX_ERRORS = 3;

/** Describes an error response in one line. */
export function describeProblem(response: Pick<ServiceResponse, 'status' | 'text'>): string {
  const { status } = response;
  const problem = readProblem(response);
  if (problem === null) return `The service returned ${String(status)} without an error description.`;
  const { code, title, errors = [] } = problem;
  const detail = readDetail(response) ?? title ?? 'no description';
  const mistakes = errors
    // The detail of a validation error repeats its first mistake.
    .filter(({ message }) => !detail.includes(message))
    .slice(0, MAX_ERRORS)
    .map(({ path, message }) => ` ${endSentence(toPlainText(`${path}: ${message}`, 200))}`);
  return `The service returned ${String(status)} ${toPlainText(code, 64)}: ${endSentence(toPlainText(detail, 500))}${mistakes.join('')}`;
}

/** Adds a full stop to a text that has no closing punctuation. */
export function endSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
