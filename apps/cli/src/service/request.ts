import { BodyTooLargeError, parseJson, readBoundedText } from '@touchstone/common';
import { NOT_CHARGED } from '@touchstone/contract';
import { z } from 'zod';
import { CliError, type CliErrorOptions, VERSION } from '../command-tools.ts';
import { toPlainText } from '../terminal/text.ts';

/** Statuses of temporary errors. A request is sent again after such an error. */
export const TEMPORARY_STATUSES: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

export interface ServiceResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * A complete response, or the error that prevented a response. Despite an error, the service may have processed the
 * request.
 */
export type RequestResult = ServiceResponse | { readonly error: string };

/** Parts of a request that have defaults: the method is GET, and there is no body. */
export interface RequestParts {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Body, serialized as JSON. */
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Timeout of a request, in milliseconds. The timeout is long: before the response, the service may probe an endpoint for
 * five seconds and settle the payment on the chain.
 */
const TIMEOUT_MS = 90_000;
/** Maximum length of a response, in bytes (32 MiB). A history of 90 days has about two megabytes. */
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;

/**
 * Sends a request to the service. Redirects are not followed, so that only the given service is paid or gets a secret.
 * The promise never rejects.
 *
 * @param command name of the command in the User-Agent header
 */
export async function sendRequest(
  url: URL,
  { method = 'GET', headers = {}, body, signal }: RequestParts,
  command: string,
): Promise<RequestResult> {
  try {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(url, {
      method,
      headers: {
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        accept: 'application/json',
        'user-agent': `Touchstone/${VERSION} (touchstone ${command})`,
      },
      body: body ?? null,
      redirect: 'manual',
      signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
    });
    const text = await readBoundedText(response.body, MAX_RESPONSE_BYTES);
    return { status: response.status, headers: response.headers, text };
  } catch (error) {
    return { error: describeError(error) };
  }
}

export function toServiceUrl(service: URL, path: string, query: Readonly<Record<string, string>> = {}): URL {
  const url = new URL(path, service);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

/**
 * Describes an error of `fetch`. The message of such an error is general, so the message of its `cause` is preferred.
 */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'no response within 90 seconds';
  if (error instanceof BodyTooLargeError) return 'the response is longer than 32 MiB';
  const { cause } = error;
  if (cause instanceof AggregateError) return describeError(cause.errors[0]);
  return cause instanceof Error ? cause.message : error.message;
}

/**
 * Members of an error response (RFC 9457) that this command reads. Other members are ignored, because newer services may
 * add members.
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
 * Returns the `detail` member of a response body; null when no text remains. The sentence `NOT_CHARGED` at its end is
 * removed, because the messages of this command state the same.
 */
export function readDetail({ text }: Pick<ServiceResponse, 'text'>): string | null {
  const parsed = z.object({ detail: z.string() }).safeParse(parseJson(text));
  const detail = parsed.data?.detail ?? '';
  const trimmed = detail.trimEnd();
  const rest = trimmed.endsWith(NOT_CHARGED) ? trimmed.slice(0, -NOT_CHARGED.length).trimEnd() : detail;
  return rest === '' ? null : rest;
}

const MAX_ERRORS = 3;

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

export function createNoResponseError(
  url: URL,
  reason: string,
  { advice = '', ...options }: CliErrorOptions & { readonly advice?: string } = {},
): CliError {
  return new CliError(
    `No response from ${url.origin}: ${reason}. Check that a Touchstone service runs there.${advice}`,
    { code: 'service-unreachable', ...options },
  );
}

/** Error for an error response to a purchase. Nothing was charged. */
export class ErrorResponseError extends CliError {
  readonly response: ServiceResponse;

  constructor(message: string, response: ServiceResponse, options: Pick<CliErrorOptions, 'code'> = {}) {
    super(message, { ...options, notCharged: true });
    this.response = response;
  }
}
