import type { z } from 'zod';
import { parseOrNull } from '../buy/service/parse-response.ts';
import { describeProblem } from '../buy/service/read-problem.ts';
import { sendHttpRequest, type RequestResult, type ServiceResponse } from '../buy/service/send-request.ts';
import { CliError } from '../cli-error.ts';
import { SECRET_VARIABLE, type OwnedWatch } from './owned-watch.ts';

/** A request of the owner of a watch. */
export interface WatchRequest {
  readonly method: 'GET' | 'PATCH' | 'DELETE';
  /** Path below the URL of the watch, such as `/events`; empty for the watch itself. */
  readonly path?: string;
  readonly query?: Readonly<Record<string, string>>;
  /** JSON body. */
  readonly body?: object;
  readonly signal?: AbortSignal;
}

/** Sends a request with the secret of a watch. The promise never rejects. */
export async function sendWatchRequest(
  { id, secret, service }: OwnedWatch,
  { method, path = '', query = {}, body, signal }: WatchRequest,
): Promise<RequestResult> {
  const url = new URL(`/v1/watch/${id}${path}`, service);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const headers = new Headers({ authorization: `Bearer ${secret}` });
  if (body !== undefined) headers.set('content-type', 'application/json');
  const content = body === undefined ? null : JSON.stringify(body);
  return sendHttpRequest(url, { method, headers, body: content, signal: signal ?? null }, 'watch');
}

/**
 * Sends a request with the secret of a watch and parses the response.
 *
 * @throws CliError without a response, for an error response, and for a response that does not match the schema
 */
export async function requestWatch<T>(
  watch: OwnedWatch,
  request: WatchRequest,
  schema: z.ZodType<T>,
): Promise<{ readonly value: T; readonly text: string }> {
  const received = await sendWatchRequest(watch, request);
  if ('error' in received) throw createNoResponseError(watch, received.error);
  return { value: readWatchResponse(received, schema), text: received.text };
}

/** Creates the error for a request without a response. */
export function createNoResponseError({ service }: OwnedWatch, reason: string): CliError {
  return new CliError(
    `No response from ${service.origin}: ${reason}. Check that a Touchstone service runs there.`,
  );
}

/** Parses a response. @throws CliError for an error response, and for one that does not match the schema */
export function readWatchResponse<T>(response: ServiceResponse, schema: z.ZodType<T>): T {
  const { status, text } = response;
  if (status < 200 || status > 299) {
    const advice = status === 401 ? ` Check the id of the watch, and ${SECRET_VARIABLE} if it is set.` : '';
    throw new CliError(`${describeProblem(response)}${advice}`);
  }
  const parsed = schema.safeParse(parseOrNull(text));
  if (parsed.success) return parsed.data;
  throw new CliError(
    'The response is not one that this version can read. It may not come from a Touchstone service.',
  );
}
