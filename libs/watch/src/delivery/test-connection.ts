import type { WatchChannel } from '@touchstone/contract';
import { CONNECTION_LIMIT_CODE, type Sender, type SendRequest } from '@touchstone/probe';
import { formatDiscordTest, formatSlackTest } from './chat-messages.ts';
import { signMessage, toTestBody } from '../messages/webhook-message.ts';
import { classifyReply, MAX_READ_BYTES, NO_RESPONSE, UNVERIFIED_PHASES, type Reply } from './read-reply.ts';

/** Maximum number of messages that a test sends. */
export const MAX_TRIES = 3;
/** Timeout of one try, in milliseconds. */
const TRY_TIMEOUT_MS = 5_000;
/** Minimum pause between two tries, in milliseconds. */
const PAUSE_MS = 1_000;
/** Time from the beginning of a test until its last try ends, in milliseconds. */
const TOTAL_MS = 11_000;
/**
 * Duration of a test without an HTTP response, in milliseconds, whatever the cause is. Otherwise the duration would show
 * whether a port of another host is open.
 */
const UNANSWERED_MS = 12_000;
/** Minimum timeout of a try, in milliseconds. A shorter timeout could itself cause the failure. */
const MIN_TRY_MS = 1_000;

/** Errors that would be the same in the next try. Such an error ends the test. */
const FINAL_ERRORS = /^(http-(3|4(?!08$|25$|29$))|invalid-url$|address-not-public$)/;

/** Error of a URL with a port to which no request is sent. */
export const INVALID_URL = 'invalid-url';

/** Error of a test that ended because its sender does not allow a further connection to the address now. */
export const TOO_MANY_CONNECTIONS = 'too-many-connections';

/** End of the path of a URL at which Discord shows only events of GitHub. */
const GITHUB_PATH = /\/github\/?$/;

export interface ConnectionTestRequest {
  readonly channel: WatchChannel;
  readonly url: string;
  readonly signingKey: string;
  readonly watchId: string;
  /** URL of the watched endpoint, as shown to people. */
  readonly resource: string;
  /** Base URL of this service, for the links in the message. */
  readonly baseUrl: string;
  /** Returns the current time in milliseconds since the epoch. */
  readonly now: () => number;
  /** Time when the test began, such as with the request for a file of the host. */
  readonly startedAt: number;
  readonly sleep: (ms: number) => Promise<unknown>;
}

export interface ConnectionTestResult {
  /** True when the URL responded with status 2xx in time, and a chat accepted the message. */
  readonly ok: boolean;
  /** HTTP status of the last try; null if no response arrived. */
  readonly status: number | null;
  /** Duration of the last try, in whole milliseconds; 0 without an HTTP response. */
  readonly ms: number;
  /** Cause of the failure in kebab case, such as `http-404` or `no-response`; null when the test succeeded. */
  readonly error: string | null;
  /** Number of tries, 0 to 3. */
  readonly tries: number;
  /** Number of tries that may have reached the server, because the server proved its name by its certificate. */
  readonly messages: number;
}

/**
 * Sends a test message to a new delivery URL: at most 3 tries of 5 seconds each, until 11 seconds after its beginning.
 * A webhook gets a signed message of the type `connection_test`, with the same id in every try; a chat gets a short
 * text. A response that would be the same in the next try, such as 404, ends the test. A URL at which Discord shows
 * only events of GitHub fails without a try. A test without an HTTP response ends 12 seconds after its beginning.
 */
export async function testConnection(
  send: Sender,
  request: ConnectionTestRequest,
): Promise<ConnectionTestResult> {
  const { channel, now, startedAt, sleep } = request;
  if (channel === 'discord' && GITHUB_PATH.test(new URL(request.url).pathname))
    return { ...WITHOUT_STATUS, error: 'github-only-url', tries: 0, messages: 0 };
  const createRequest = prepareRequest(request);
  let messages = 0;
  for (let tries = 1; ; tries += 1) {
    const leftMs = Math.max(MIN_TRY_MS, startedAt + TOTAL_MS - now());
    const probe = await send({ ...createRequest(now()), timeoutMs: Math.min(TRY_TIMEOUT_MS, leftMs) });
    if (probe.failure?.code === CONNECTION_LIMIT_CODE)
      return { ...WITHOUT_STATUS, error: TOO_MANY_CONNECTIONS, tries, messages };
    if (!UNVERIFIED_PHASES.has(probe.failure?.phase ?? null)) messages += 1;
    const reply = classifyReply(probe, channel, now());
    const pauseMs = Math.max(PAUSE_MS, reply.pauseMs ?? 0);
    const isTooLate = now() + pauseMs + MIN_TRY_MS > startedAt + TOTAL_MS;
    if (tries >= MAX_TRIES || isTooLate || isFinal(reply)) {
      const { httpStatus: status } = probe;
      if (status !== null)
        return {
          ok: reply.kind === 'delivered',
          ...{ status, ms: Math.round(probe.totalMs), error: reply.error, tries, messages },
        };
      if (reply.error === INVALID_URL) return { ...WITHOUT_STATUS, error: INVALID_URL, tries, messages };
      await sleep(Math.max(0, startedAt + UNANSWERED_MS - now()));
      return { ...WITHOUT_STATUS, error: NO_RESPONSE, tries, messages };
    }
    await sleep(pauseMs);
  }
}

const WITHOUT_STATUS = { ok: false, status: null, ms: 0 } as const;

function isFinal({ kind, error }: Reply): boolean {
  return kind === 'delivered' || kind === 'gone' || FINAL_ERRORS.test(error ?? '');
}

type PreparedRequest = Omit<SendRequest, 'timeoutMs'>;

/** Returns a function that creates the request for a try at a given time. */
function prepareRequest(request: ConnectionTestRequest): (at: number) => PreparedRequest {
  const { channel, url, signingKey, watchId, resource, baseUrl, startedAt } = request;
  const shared = { url, method: 'POST', maxReplyBytes: MAX_READ_BYTES } as const;
  if (channel !== 'webhook') {
    const test = { watchId, resource, baseUrl };
    const message = channel === 'slack' ? formatSlackTest(test) : formatDiscordTest(test);
    const body = JSON.stringify(message);
    return () => ({ ...shared, headers: {}, body });
  }
  const id = `test_${watchId.slice('w_'.length)}_${startedAt}`;
  const body = toTestBody({ watchId, resource, baseUrl, at: startedAt });
  return (at) => ({ ...shared, headers: signMessage({ id, body }, signingKey, at), body });
}
