import type { WatchChannel, WatchEvent } from '@touchstone/contract';
import type { FailurePhase, Sender } from '@touchstone/probe';
import { formatDiscordMessage, formatSlackMessage } from './chat-messages.ts';
import { toDigestMessage, type DeliveryDigest } from '../messages/delivery-digest.ts';
import { signMessage, toWebhookBody } from '../messages/webhook-message.ts';
import {
  classifyReply,
  cleanReply,
  MAX_READ_BYTES,
  NO_RESPONSE,
  UNVERIFIED_PHASES,
  type Reply,
} from './read-reply.ts';
import { computeNextDelayMs, SELF_FAILURE_DELAY_MS } from './schedule.ts';

/** Timeout of one attempt, in milliseconds. */
const ATTEMPT_TIMEOUT_MS = 15_000;
/** Errors of a certificate. The owner of the receiver needs to know them. */
const CERTIFICATE_ERROR = /^tls-(certificate|hostname)-/;

/** One attempt to deliver events to one destination. */
export interface Delivery {
  readonly channel: WatchChannel;
  readonly url: string;
  readonly signingKey: string;
  /** One event, several events about liveness for a chat, which become one message, or no event beside a digest. */
  readonly events: readonly WatchEvent[];
  /** Digest that is sent instead of events. */
  readonly digest?: DeliveryDigest | undefined;
  readonly watchId: string;
  /** Number of this attempt, from 1. */
  readonly attempt: number;
  /** Returns the current time in milliseconds since the epoch. */
  readonly now: () => number;
  /** Returns a number from 0 up to, but not including, 1. */
  readonly random: () => number;
}

/** Result of one attempt. Times are milliseconds since the epoch. */
export interface DeliveryResult {
  /** Start of the attempt. */
  readonly at: number;
  readonly durationMs: number;
  /**
   * Phase in which the attempt failed; `response` if the receiver sent an error status or refused the message; null if
   * the message was delivered, and for the error `no-response`.
   */
  readonly phase: FailurePhase | null;
  readonly httpStatus: number | null;
  /**
   * Beginning of the response as one line of at most 1,000 bytes, without parts of the URL; null if the response has no
   * text.
   */
  readonly reply: string | null;
  /**
   * Cause of the failure in kebab case; `no-response` for every failure before the certificate was verified, unless the
   * certificate is the cause; null when delivered.
   */
  readonly error: string | null;
  /** `exhausted`: the last attempt failed. `gone`: the receiver deleted the URL. */
  readonly outcome: 'delivered' | 'retry' | 'exhausted' | 'gone' | 'self-failure';
  /** Time of the next attempt; null when no attempt follows. */
  readonly nextAttemptAt: number | null;
}

/**
 * Sends events to a destination once. A webhook gets one signed message. In every attempt, the id of the message is the
 * id of the event.
 *
 * @throws TypeError if there is no event, or if there are several events for a webhook
 */
export async function deliver(send: Sender, delivery: Delivery): Promise<DeliveryResult> {
  const { channel, url, now } = delivery;
  const at = now();
  const { headers, body } = createMessage(delivery, at);
  const limits = { timeoutMs: ATTEMPT_TIMEOUT_MS, maxReplyBytes: MAX_READ_BYTES };
  const probe = await send({ url, method: 'POST', headers, body, ...limits });
  const reply = classifyReply(probe, channel, now());
  if (isUnverified(reply))
    return {
      ...{
        at,
        durationMs: ATTEMPT_TIMEOUT_MS,
        phase: null,
        httpStatus: null,
        reply: null,
        error: NO_RESPONSE,
      },
      ...planNext(reply, { ...delivery, now: () => at + ATTEMPT_TIMEOUT_MS }),
    };
  return {
    at,
    durationMs: Math.round(probe.totalMs),
    phase: reply.phase,
    httpStatus: probe.httpStatus,
    reply: cleanReply(probe, url),
    error: reply.error,
    ...planNext(reply, delivery),
  };
}

/**
 * Returns true for a failure that could describe another host, to whose address the name of the receiver points. All of
 * these failures have the same result, also the same duration, so that a watch does not scan the ports of other hosts.
 */
function isUnverified({ kind, phase, error }: Reply): boolean {
  return kind === 'failed' && UNVERIFIED_PHASES.has(phase) && !CERTIFICATE_ERROR.test(error ?? '');
}

function createMessage(
  { channel, events, digest, signingKey, watchId }: Delivery,
  at: number,
): { readonly headers: Readonly<Record<string, string>>; readonly body: string } {
  const content = digest === undefined ? { events, watchId } : { digest };
  if (channel === 'slack') return { headers: {}, body: JSON.stringify(formatSlackMessage(content)) };
  if (channel === 'discord') return { headers: {}, body: JSON.stringify(formatDiscordMessage(content)) };
  if (digest !== undefined) return signDigest(digest, signingKey, at);
  const [event, ...others] = events;
  if (event === undefined || others.length > 0)
    throw new TypeError(`A webhook message has exactly one event; received ${events.length}.`);
  const body = toWebhookBody(event, watchId);
  return { headers: signMessage({ id: event.event_id, body }, signingKey, at), body };
}

/** Returns the signed message of a digest. Its id names the events. */
function signDigest(
  digest: DeliveryDigest,
  signingKey: string,
  at: number,
): ReturnType<typeof createMessage> {
  const { watchId, firstSequence, lastSequence } = digest;
  const id = `digest_${watchId.slice('w_'.length)}_${firstSequence}_${lastSequence}`;
  const body = JSON.stringify(toDigestMessage(digest));
  return { headers: signMessage({ id, body }, signingKey, at), body };
}

function planNext(
  { kind, pauseMs }: Reply,
  { attempt, now, random }: Delivery,
): Pick<DeliveryResult, 'outcome' | 'nextAttemptAt'> {
  if (kind === 'delivered' || kind === 'gone') return { outcome: kind, nextAttemptAt: null };
  if (kind === 'self-failure') return { outcome: kind, nextAttemptAt: now() + SELF_FAILURE_DELAY_MS };
  const delayMs = computeNextDelayMs(attempt, random);
  if (delayMs === null) return { outcome: 'exhausted', nextAttemptAt: null };
  // A requested pause cannot shorten the delay. Otherwise a receiver could use up all attempts within seconds.
  return { outcome: 'retry', nextAttemptAt: now() + Math.max(delayMs, pauseMs ?? 0) };
}
