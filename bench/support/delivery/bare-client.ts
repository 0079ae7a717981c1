import { Agent, request as startRequest } from 'node:https';
import type { ReceivedMessage } from './receivers-process.ts';

/** Request of the bare client: the same URL, header fields and body as in an earlier request of ours. */
export interface BareRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: string;
}

/** Returns the request of a message that a receiver got. */
export function toBareRequest({ id, headers, body }: ReceivedMessage, url: string): BareRequest {
  return {
    url: new URL(url),
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'webhook-id': id,
      ...headers,
    },
    body,
  };
}

/** The sender of this project has the same list, which excludes post-quantum key shares. */
const ECDH_CURVES = 'X25519:P-256:P-384:P-521';

/** Creates the agent of a bare client. Without `keepAlive`, each request has a new connection and a full handshake. */
export function createBareAgent(ca: string, keepAlive: boolean, inFlight: number): Agent {
  return new Agent({
    ca,
    ecdhCurve: ECDH_CURVES,
    keepAlive,
    maxSockets: inFlight,
    ...(keepAlive ? {} : { maxCachedSessions: 0 }),
  });
}

/** Sends one request. Returns the status of the response; null without a response. Never rejects. */
function send({ url, headers, body }: BareRequest, agent: Agent, timeoutMs: number): Promise<number | null> {
  return new Promise((resolve) => {
    const request = startRequest(url, { agent, method: 'POST', headers }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? null));
    });
    request.once('error', () => resolve(null));
    const timer = setTimeout(() => request.destroy(), timeoutMs);
    request.once('close', () => {
      clearTimeout(timer);
      resolve(null);
    });
    request.end(body);
  });
}

/** Sends all requests with at most `inFlight` in flight. Returns the number of responses with status 200. */
export async function sendBare(
  requests: readonly BareRequest[],
  agent: Agent,
  { inFlight, timeoutMs }: { readonly inFlight: number; readonly timeoutMs: number },
): Promise<number> {
  let next = 0;
  let accepted = 0;
  const sendRemaining = async (): Promise<void> => {
    for (let request = requests[next++]; request !== undefined; request = requests[next++]) {
      if ((await send(request, agent, timeoutMs)) === 200) accepted += 1;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, sendRemaining));
  agent.destroy();
  return accepted;
}
