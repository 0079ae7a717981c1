import type { IncomingMessage } from 'node:http';
import { BodyTooLargeError, readBoundedText } from '@touchstone/common';
import { createMethodNotAllowedResponse, type HttpResponse } from '../http/responses.ts';
import { discordService } from './discord-service.ts';
import { webhookService, type Channel, type ImitatedService } from './imitated-service.ts';
import { slackService } from './slack-service.ts';

/** Message that the receiver received, with its response. */
export interface Delivery {
  /** Number of the delivery since the start of the sandbox, from 1. */
  readonly id: number;
  /** Time of the request, ISO 8601: the real time, even while the simulated clock is stopped. */
  readonly at: string;
  readonly channel: Channel;
  readonly host: string;
  /** Path with its query. */
  readonly path: string;
  /** Status of the receiver's response. */
  readonly status: number;
  /** Member `type` of a webhook's body, or null. */
  readonly type: string | null;
  /** Text that a reader of the chat sees, or the summary in the body of a webhook; null if the message has no text. */
  readonly text: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** Body, decoded as UTF-8. */
  readonly body: string;
}

/** Maximum number of deliveries that are kept. */
export const MAX_DELIVERIES = 500;

/** Failure that a path of the receiver selects. */
interface PathFailure {
  /**
   * Status of the failing responses. `removed` selects the status for a removed webhook URL. `rate-limited` accepts one
   * message per interval.
   */
  readonly kind: number | 'removed' | 'rate-limited';
  /** True when the first message is accepted, for example a connection test. */
  readonly acceptsFirst: boolean;
}

const STATUS = /^[345]\d\d$/;

/**
 * Returns the failure that a path selects, or null for a path that accepts every message:
 * `/fail/<status>` (300 to 599), `/gone` or `/rate-limited`, each also after `/accept-one`. Further segments are
 * ignored, so that several destinations can have different URLs.
 */
export function parseFailingPath(path: string): PathFailure | null {
  const segments = path.split('/').slice(1);
  const acceptsFirst = segments[0] === 'accept-one';
  const [name, status = ''] = acceptsFirst ? segments.slice(1) : segments;
  if (name === 'gone') return { kind: 'removed', acceptsFirst };
  if (name === 'rate-limited') return { kind: 'rate-limited', acceptsFirst };
  return name === 'fail' && STATUS.test(status) ? { kind: Number(status), acceptsFirst } : null;
}

export interface Receiver {
  readonly hasHost: (host: string) => boolean;
  readonly receive: (host: string, request: IncomingMessage) => Promise<HttpResponse>;
  /** Lists the last deliveries, newest first. Deliveries are kept in memory. */
  readonly list: () => readonly Delivery[];
}

const RECEIVER_SERVICES: ReadonlyMap<string, ImitatedService> = new Map([
  ['receiver.sandbox.test', webhookService],
  ['slack.sandbox.test', slackService],
  ['discord.sandbox.test', discordService],
]);

/** Interval in which a rate-limited path accepts one message, in milliseconds. */
const RATE_INTERVAL_MS = 2_000;
const MAX_BODY_BYTES = 262_144;
const METHOD_NOT_ALLOWED = createMethodNotAllowedResponse('POST');

interface Message {
  readonly host: string;
  /** Path without its query. */
  readonly path: string;
  readonly body: string;
}

function createResponder(now: () => number) {
  const acceptedAt = new Map<string, number>();

  const acceptMessage = (service: ImitatedService, { host, path, body }: Message): HttpResponse => {
    const response = service.accept(body);
    if (response.status < 300) acceptedAt.set(`${host}${path}`, now());
    return response;
  };

  return (service: ImitatedService, message: Message): HttpResponse => {
    const failure = parseFailingPath(message.path);
    const lastAt = acceptedAt.get(`${message.host}${message.path}`);
    if (failure === null || (failure.acceptsFirst && lastAt === undefined))
      return acceptMessage(service, message);
    if (failure.kind === 'removed') return service.fail(service.removedStatus);
    if (failure.kind !== 'rate-limited') return service.fail(failure.kind);
    const waitMs = lastAt === undefined ? 0 : lastAt + RATE_INTERVAL_MS - now();
    return waitMs > 0 ? service.limit(waitMs) : acceptMessage(service, message);
  };
}

function listHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)] as const));
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  try {
    return await readBoundedText(request, MAX_BODY_BYTES);
  } catch (error) {
    if (error instanceof BodyTooLargeError) return null;
    throw error;
  }
}

/**
 * Creates the receiver. It accepts POST requests on every path; the paths in {@link parseFailingPath} fail.
 * @param now real time in milliseconds
 */
export function createReceiver(now: () => number = Date.now): Receiver {
  const deliveries: Delivery[] = [];
  let lastId = 0;
  const respond = createResponder(now);
  return {
    hasHost: (host) => RECEIVER_SERVICES.has(host),
    receive: async (host, request) => {
      const service = RECEIVER_SERVICES.get(host);
      if (!service || request.method !== 'POST') return METHOD_NOT_ALLOWED;
      const body = await readBody(request);
      if (body === null) return service.fail(413);
      const path = request.url ?? '/';
      const response = respond(service, { host, path: path.replace(/[?#].*$/s, ''), body });
      const { type, text } = service.read(body);
      lastId += 1;
      const { channel } = service;
      const { status } = response;
      const at = new Date(now()).toISOString();
      const headers = listHeaders(request);
      deliveries.unshift({ id: lastId, at, channel, host, path, status, type, text, headers, body });
      deliveries.splice(MAX_DELIVERIES);
      return response;
    },
    list: () => deliveries,
  };
}
