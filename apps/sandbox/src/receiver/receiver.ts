import type { IncomingMessage } from 'node:http';
import { BodyTooLargeError, readBoundedText } from '@touchstone/common';
import type { HttpResponse } from '../endpoints/http-response.ts';
import { createMethodNotAllowedResponse } from '../endpoints/plain-responses.ts';
import { createDeliveryLog, type DeliveryLog } from './delivery-log.ts';
import { discordService } from './discord-service.ts';
import { formatEventType } from './event-words.ts';
import { parseFailingPath } from './failing-path.ts';
import type { ImitatedService } from './imitated-service.ts';
import { slackService } from './slack-service.ts';
import { webhookService } from './webhook-service.ts';

/** Receiver of webhooks and chat messages on hosts of the sandbox. */
export interface Receiver {
  /** Returns true for a host name of the receiver. */
  readonly hasHost: (host: string) => boolean;
  /** Records a request to a host of the receiver and returns the response. */
  readonly receive: (host: string, request: IncomingMessage) => Promise<HttpResponse>;
  readonly list: DeliveryLog['list'];
}

/** Services of the receiver by host name. */
const RECEIVER_SERVICES: ReadonlyMap<string, ImitatedService> = new Map([
  ['receiver.sandbox.test', webhookService],
  ['slack.sandbox.test', slackService],
  ['discord.sandbox.test', discordService],
]);

/** Time in which a rate-limited path accepts one message, in milliseconds. */
const RATE_INTERVAL_MS = 2_000;
const MAX_BODY_BYTES = 262_144;
const METHOD_NOT_ALLOWED = createMethodNotAllowedResponse('POST');

interface Message {
  readonly host: string;
  /** Path without its query. */
  readonly path: string;
  readonly body: string;
}

/** Creates a function that responds to messages as their paths select. */
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
  const log = createDeliveryLog();
  const respond = createResponder(now);
  return {
    hasHost: (host) => RECEIVER_SERVICES.has(host),
    receive: async (host, request) => {
      const service = RECEIVER_SERVICES.get(host);
      if (!service || request.method !== 'POST') return METHOD_NOT_ALLOWED;
      const body = await readBody(request);
      if (body === null) return service.fail(413);
      const target = request.url ?? '/';
      const path = target.replace(/[?#].*$/s, '');
      const response = respond(service, { host, path, body });
      const { type, text } = service.read(body);
      const event = type === null ? null : formatEventType(type);
      const { channel } = service;
      const { status } = response;
      const at = new Date(now()).toISOString();
      log.add({
        at,
        channel,
        host,
        path: target,
        status,
        type,
        event,
        text,
        headers: listHeaders(request),
        body,
      });
      return response;
    },
    list: log.list,
  };
}
