import {
  watchCreatedSchema,
  watchEditedSchema,
  watchEventsSchema,
  watchRenewedSchema,
  watchSchema,
} from '@touchstone/contract';
import { z } from 'zod';
import { parseOrNull } from '../json.ts';
import {
  describeProblem,
  type RequestResult,
  sendRequest,
  type ServiceResponse,
  toServiceUrl,
} from '../service/request.ts';
import { CliError } from '../cli-error.ts';
import { type OwnedWatch, SECRET_VARIABLE } from './owned-watch.ts';

/**
 * Schemas of received responses on watches. Unknown members and unknown types of events are accepted, because newer
 * services may add some.
 */

const typeName = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/);
const typeNames = z.array(typeName).max(100);

const { shape: created } = watchCreatedSchema;
const tests = z.array(z.object(created.delivery.shape.connection_test.element.shape)).max(100);

/** Response to the purchase of a watch. */
export const receivedCreatedSchema = z.object({
  ...created,
  events: typeNames,
  delivery: z.object({ connection_test: tests }),
});

const destinations = z
  .array(z.object({ ...watchSchema.shape.delivery.shape.webhooks.element.shape, channel: typeName }))
  .max(100);
const delivery = z.object({ webhooks: destinations, chats: destinations });

/** A watch as its owner sees it. */
export const receivedWatchSchema = z.object({ ...watchSchema.shape, events: typeNames, delivery });
/** Response to an edit. */
export const receivedEditedSchema = z.object({
  ...watchEditedSchema.shape,
  events: typeNames,
  delivery,
  connection_test: tests,
});
/** Response to a renewal. */
export const receivedRenewedSchema = z.object(watchRenewedSchema.shape);

const { shape: page } = watchEventsSchema;
const data = z.looseObject({
  sequence: page.events.element.shape.data.shape.sequence,
  summary: page.events.element.shape.data.shape.summary,
});
const event = z.looseObject({ ...page.events.element.shape, type: typeName, data });
const events = z.array(event).max(1_000);
/** Events of a watch after two cursors. */
export const receivedEventsSchema = z.object({ ...page, events, watch_events: events });

export type ReceivedCreated = z.infer<typeof receivedCreatedSchema>;
export type ReceivedWatch = z.infer<typeof receivedWatchSchema>;
export type ReceivedRenewed = z.infer<typeof receivedRenewedSchema>;
export type ReceivedTests = z.infer<typeof tests>;
export type ReceivedEvent = z.infer<typeof event>;

/** A request of the owner of a watch. */
interface WatchRequest {
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
  { method, path = '', query, body, signal }: WatchRequest,
): Promise<RequestResult> {
  const url = toServiceUrl(service, `/v1/watch/${id}${path}`, query);
  const headers = { authorization: `Bearer ${secret}` };
  return sendRequest(url, { method, headers, body: JSON.stringify(body), signal }, 'watch');
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

/** Creates the error for an error response. */
export function createResponseError(response: ServiceResponse): CliError {
  const isUnauthorized = response.status === 401;
  const advice = isUnauthorized ? ` Check the id of the watch, and ${SECRET_VARIABLE} if it is set.` : '';
  return new CliError(`${describeProblem(response)}${advice}`);
}

/** Parses a response. @throws CliError for an error response, and for one that does not match the schema */
export function readWatchResponse<T>(response: ServiceResponse, schema: z.ZodType<T>): T {
  const { status, text } = response;
  if (status < 200 || status > 299) throw createResponseError(response);
  const parsed = schema.safeParse(parseOrNull(text));
  if (parsed.success) return parsed.data;
  throw new CliError(
    'The response is not one that this version can read. It may not come from a Touchstone service.',
  );
}
