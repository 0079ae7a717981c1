import { parseRetryAfter } from '@touchstone/common';
import type { WatchChannel } from '@touchstone/contract';
import { describeFailure, type FailurePhase, type Probe } from '@touchstone/probe';
import { z } from 'zod';
import { limitPauseMs } from './schedule.ts';

/** Result of one request to a delivery URL. */
export interface Reply {
  /**
   * `delivered`: status 2xx. `gone`: the URL does not exist any more. `failed`: every other response, and no response.
   * `self-failure`: this machine caused the failure.
   */
  readonly kind: 'delivered' | 'gone' | 'failed' | 'self-failure';
  /** Cause of the failure in kebab case, such as `http-404` or `timeout`; null when delivered. Never text of a server. */
  readonly error: string | null;
  /** Phase in which the request failed, `response` for a status; null when delivered. */
  readonly phase: FailurePhase | null;
  /** Pause that the receiver requests, in milliseconds, from 1 second to 1 hour; null without one. */
  readonly pauseMs: number | null;
}

/** Texts with which Slack rejects a message because its webhook, channel or workspace does not exist any more. */
const GONE_TEXTS: ReadonlySet<string> = new Set(['no_service', 'no_team', 'channel_is_archived']);

/** Statuses with which a receiver can request a pause. */
const PAUSE_STATUSES: ReadonlySet<number | null> = new Set([429, 503]);

/** Body with which Discord requests a pause, in seconds. */
const discordPause = z.object({ retry_after: z.number().min(0) });

/** Classifies the response to a message, or the lack of one. */
export function classifyReply(probe: Probe, channel: WatchChannel, now: number): Reply {
  const { httpStatus, outcome, failure } = probe;
  // A receiver that sends status 2xx has the message, also when the rest of its response is missing.
  if (httpStatus !== null && httpStatus >= 200 && httpStatus < 300)
    return { kind: 'delivered', error: null, phase: null, pauseMs: null };
  if (outcome === 'self-failure')
    return { kind: 'self-failure', error: 'self-failure', phase: failure?.phase ?? null, pauseMs: null };
  const described = httpStatus === null ? describeFailure(probe) : null;
  return {
    kind: isGone(probe, channel) ? 'gone' : 'failed',
    error: described?.error ?? `http-${httpStatus ?? 0}`,
    phase: described?.phase ?? 'response',
    pauseMs: readPauseMs(probe, now),
  };
}

function isGone({ httpStatus, body }: Probe, channel: WatchChannel): boolean {
  if (httpStatus === 410) return true;
  if (channel === 'webhook' || httpStatus === null) return false;
  return httpStatus === 404 || GONE_TEXTS.has(body?.trim() ?? '');
}

function readPauseMs({ httpStatus, headers, body }: Probe, now: number): number | null {
  if (!PAUSE_STATUSES.has(httpStatus)) return null;
  const get = (name: string): string | null =>
    headers.find(([field]) => field.toLowerCase() === name)?.[1] ?? null;
  const pauses = [parseRetryAfter({ get }, now), readBodyPauseMs(body)].filter((pause) => pause !== null);
  return pauses.length === 0 ? null : limitPauseMs(Math.max(...pauses));
}

function readBodyPauseMs(body: string | null): number | null {
  try {
    const parsed = discordPause.safeParse(JSON.parse(body ?? ''));
    return parsed.success ? Math.ceil(parsed.data.retry_after * 1_000) : null;
  } catch {
    return null;
  }
}
