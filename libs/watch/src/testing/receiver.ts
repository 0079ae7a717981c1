import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { createSender, type Sender } from '@touchstone/probe';
import { createAuthority, createLocalResolver, serve } from '@touchstone/probe/testing';

const authority = createAuthority();
const tls = authority.issue([
  ...['receiver.example', 'hooks.slack.com', 'discord.com'],
  ...['open.feishu.cn', 'oapi.dingtalk.com'],
]);

/** Received request with the exact text of its body. */
interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  readonly received: readonly Received[];
  /** Sends every request to this server, for any host name. */
  readonly send: Sender;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

/** Response of a receiver, or a function that sends the response. */
export type Response =
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string | object;
    }
  | ((request: IncomingMessage, response: ServerResponse) => void);

/**
 * Starts an HTTPS server that sends the given responses one after the other. All further responses are the same as the
 * last given response.
 */
export async function startReceiver(...responses: readonly Response[]): Promise<Receiver> {
  const received: Received[] = [];
  const server = await serve(
    (request, response) => {
      void text(request).then((body) => {
        const next = responses[Math.min(received.length, responses.length - 1)];
        received.push({ headers: request.headers, body });
        if (next !== undefined) respond(next, request, response);
      });
    },
    { tls },
  );
  return {
    received,
    send: createTestSender(server.port),
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
  };
}

/** Creates a sender that trusts the test authority and connects to one local port. */
export function createTestSender(port: number): Sender {
  const resolver = createLocalResolver(port);
  return createSender({ resolver, ca: [authority.cert], userAgent: 'Touchstone-test/1.0' });
}

function respond(next: Response, request: IncomingMessage, response: ServerResponse): void {
  if (typeof next === 'function') {
    next(request, response);
    return;
  }
  const { status, headers = {}, body = '' } = next;
  if (typeof body === 'string') response.writeHead(status, headers).end(body);
  else
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** Responses of Slack and Discord to messages, as documented and observed. */
export const SLACK = {
  ok: { status: 200, body: 'ok' },
  invalidPayload: { status: 400, body: 'invalid_payload' },
  noService: { status: 404, body: 'no_service' },
  noTeam: { status: 403, body: 'no_team' },
  prohibited: { status: 403, body: 'action_prohibited' },
  archived: { status: 410, body: 'channel_is_archived' },
  rateLimited: { status: 429, headers: { 'retry-after': '30' }, body: { ok: false, error: 'rate_limited' } },
} as const;

export const DISCORD = {
  ok: { status: 204 },
  unknownWebhook: { status: 404, body: { message: 'Unknown Webhook', code: 10_015 } },
  invalidBody: { status: 400, body: { message: 'Cannot send an empty message', code: 50_006 } },
  rateLimited: {
    status: 429,
    body: { message: 'You are being rate limited.', retry_after: 64.57, global: false },
  },
} as const;

/** Probe without a response. */
export const UNANSWERED = {
  ...{ method: 'POST', httpStatus: null, latencyMs: null, headers: [], body: null, bodyEnd: null },
  ...{
    redirects: [],
    interimStatuses: [],
    declaredMethod: null,
    remoteAddress: null,
    retryAfterSeconds: null,
  },
  phases: { resolve: null, connect: null, tls: null, processing: null, transfer: null },
};
