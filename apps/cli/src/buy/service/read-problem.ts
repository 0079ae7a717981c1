import { z } from 'zod';
import { toPlainText } from '../../terminal/plain-text.ts';
import { CliError, type CliErrorOptions } from '../../cli-error.ts';
import { parseJson } from '../../verify/parse-json.ts';
import type { ServiceResponse } from './send-request.ts';

/**
 * Members of an error response (RFC 9457) that this command reads. Others are ignored, because newer services may add
 * some.
 */
const problemSchema = z.object({
  code: z.string().max(64),
  title: z.string().optional(),
  detail: z.string().optional(),
  notCharged: z.boolean().optional(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});
type ReceivedProblem = z.infer<typeof problemSchema>;

/** Parses the RFC 9457 body of an error response; null for any other body. */
export function readProblem({ text }: Pick<ServiceResponse, 'text'>): ReceivedProblem | null {
  return problemSchema.safeParse(parseJson(text)).data ?? null;
}

/**
 * Returns true when a response body contains `notCharged: true`. Without this statement by the service, the payment may
 * have been charged.
 */
export function isNotCharged({ text }: Pick<ServiceResponse, 'text'>): boolean {
  return z.object({ notCharged: z.literal(true) }).safeParse(parseJson(text)).success;
}

/**
 * Sentence that the service appends to `detail` when `notCharged` is true. It is removed, because this command adds it,
 * too.
 */
const NOT_CHARGED_SENTENCE = /\s*Nothing was charged\.\s*$/;

/** Returns the `detail` member of a response body without `NOT_CHARGED_SENTENCE`; null when no other text remains. */
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
    // The `detail` of a validation error already contains the first mistake.
    .filter(({ message }) => !detail.includes(message))
    .slice(0, MAX_ERRORS)
    .map(({ path, message }) => ` ${endSentence(toPlainText(`${path}: ${message}`, 200))}`);
  return `The service returned ${String(status)} ${toPlainText(code, 64)}: ${endSentence(toPlainText(detail, 500))}${mistakes.join('')}`;
}

/** Adds a full stop to a text that has no closing punctuation. */
export function endSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** An error response of the service to a purchase. Nothing was charged. */
export class ErrorResponseError extends CliError {
  readonly response: ServiceResponse;

  constructor(message: string, response: ServiceResponse, options: Pick<CliErrorOptions, 'code'> = {}) {
    super(message, { ...options, notCharged: true });
    this.response = response;
  }
}
