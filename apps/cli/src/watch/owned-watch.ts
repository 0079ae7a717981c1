import { join } from 'node:path';
import {
  watchCreatedSchema,
  watchEditedSchema,
  watchEventsSchema,
  watchIdSchema,
  watchRenewedSchema,
  watchSchema,
} from '@touchstone/contract';
import type { Command } from 'commander';
import { z } from 'zod';
import { CliError, type Host, toMessage } from '../command-tools.ts';
import { parseOrNull } from '../json.ts';
import {
  createNoResponseError,
  describeProblem,
  type RequestResult,
  sendRequest,
  type ServiceResponse,
  toServiceUrl,
} from '../service/request.ts';
import { assertOneService, findServiceUrl, type ServiceOptions } from '../service/service-options.ts';
import { findStateFolder, readStateFile, readStateFiles, writeStateFile } from '../state-files.ts';
import { toPlainText } from '../terminal/text.ts';

const SECRET_VARIABLE = 'TOUCHSTONE_WATCH_SECRET';

/** A watch with its secret, and the service that receives the secret. */
export interface OwnedWatch {
  readonly id: string;
  readonly secret: string;
  readonly service: URL;
}

/** Checks the id of a watch. @throws CliError for any other text */
export function readWatchId(text: string): string {
  const parsed = watchIdSchema.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new CliError(
    `"${toPlainText(text, 60)}" is not the id of a watch. An id is w_ and 26 characters. ` +
      'touchstone watch list prints the ids of your watches.',
  );
}

/**
 * Finds the secret and the service of a watch. The secret is from the variable TOUCHSTONE_WATCH_SECRET or from the
 * stored watch. The service is from the options, from the stored watch, or from the variable, in this order. A stored
 * secret is sent only to the service that sold the watch.
 *
 * @throws CliError without a secret or a service
 */
export function findOwnedWatch(text: string, command: Command, { env }: Pick<Host, 'env'>): OwnedWatch {
  const id = readWatchId(text);
  const stored = findStoredWatch(env, id);
  const given = env[SECRET_VARIABLE]?.trim() ?? '';
  assertOneService(command);
  const options = command.optsWithGlobals<ServiceOptions>();
  const isGiven = command.getOptionValueSource('service') === 'cli';
  const service = findServiceUrl(
    isGiven || stored === null ? options : { ...options, service: stored.service },
  );
  if (given !== '') return { id, secret: readSecret(given), service };
  if (stored === null) {
    throw new CliError(
      `There is no secret of ${id}: ${getWatchFile(env, id)} cannot be read, and ${SECRET_VARIABLE} is not set.`,
    );
  }
  if (new URL(stored.service).origin !== service.origin) {
    throw new CliError(
      `The watch is of ${stored.service}, and its stored secret is not sent to ${service.origin}. ` +
        `Leave out --service and --sandbox. If the service has moved, set ${SECRET_VARIABLE}.`,
    );
  }
  return { id, secret: stored.secret, service };
}

/** Checks a secret. The message of the error never contains the secret. */
function readSecret(text: string): string {
  const parsed = watchCreatedSchema.shape.secret.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new CliError(
    `${SECRET_VARIABLE} contains no secret of a watch. A secret is wsk_ and 43 characters, as shown at the purchase.`,
  );
}

const { secret, webhook_secret } = watchCreatedSchema.shape;

/** A bought watch with its secrets, as it is stored on this machine. */
const storedWatchSchema = z.object({
  /** Origin of the service that sold the watch. */
  service: z.url(),
  id: watchIdSchema,
  secret,
  webhook_secret,
  /** URL of the watched endpoint. */
  endpoint: z.string().max(3_000),
});
type StoredWatch = z.infer<typeof storedWatchSchema>;

const findFolder = (env: Host['env']): string => join(findStateFolder(env), 'watches');

export function getWatchFile(env: Host['env'], id: string): string {
  return join(findFolder(env), `${id}.json`);
}

/**
 * Stores a watch. Only the owner can read the file, because the secret is the only proof of ownership.
 *
 * @throws CliError when the watch cannot be stored
 */
export function storeWatch(env: Host['env'], watch: StoredWatch): void {
  try {
    writeStateFile(getWatchFile(env, watch.id), watch);
  } catch (cause) {
    throw new CliError(
      `The secret of the watch could not be stored: ${toMessage(cause)}. Store it yourself: it is shown only now. ` +
        'The same command, run again within 24 hours, gets the same watch with the same payment.',
      { cause },
    );
  }
}

/** Returns a stored watch; null without a readable file. @param id id of a watch, checked with `watchIdSchema` */
export function findStoredWatch(env: Host['env'], id: string): StoredWatch | null {
  return readStateFile(getWatchFile(env, id), storedWatchSchema);
}

/** Lists the stored watches in the order of their ids. Unreadable files are left out. */
export function listStoredWatches(env: Host['env']): readonly StoredWatch[] {
  return readStateFiles(findFolder(env), '', storedWatchSchema);
}

/**
 * Schemas of received responses on watches. Unknown members and unknown types of events are accepted, because newer
 * services may add some.
 */

const typeName = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/);
const typeNames = z.array(typeName).max(100);

const { shape: created } = watchCreatedSchema;
const tests = z.array(z.object(created.delivery.shape.connection_test.element.shape)).max(100);

export const receivedCreatedSchema = z.object({
  ...created,
  events: typeNames,
  delivery: z.object({ connection_test: tests }),
});

const destinations = z
  .array(z.object({ ...watchSchema.shape.delivery.shape.webhooks.element.shape, channel: typeName }))
  .max(100);
const delivery = z.object({ webhooks: destinations, chats: destinations });

export const receivedWatchSchema = z.object({ ...watchSchema.shape, events: typeNames, delivery });
export const receivedEditedSchema = z.object({
  ...watchEditedSchema.shape,
  events: typeNames,
  delivery,
  connection_test: tests,
});
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
  if ('error' in received) throw createNoResponseError(watch.service, received.error);
  return { value: readWatchResponse(received, schema), text: received.text };
}

export function createResponseError(response: ServiceResponse): CliError {
  const isUnauthorized = response.status === 401;
  const advice = isUnauthorized ? ` Check the id of the watch, and ${SECRET_VARIABLE} if it is set.` : '';
  return new CliError(`${describeProblem(response)}${advice}`);
}

/** Parses a response. @throws CliError for an error response, and for a response that does not match the schema */
export function readWatchResponse<T>(response: ServiceResponse, schema: z.ZodType<T>): T {
  const { status, text } = response;
  if (status < 200 || status > 299) throw createResponseError(response);
  const parsed = schema.safeParse(parseOrNull(text));
  if (parsed.success) return parsed.data;
  throw new CliError(
    'The response is not one that this version can read. It may not come from a Touchstone service.',
  );
}
