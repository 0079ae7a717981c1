import { formatEventId } from '@touchstone/contract';
import { readWatchAttempts, type StoredAttempt } from '@touchstone/store';
import { authorize } from './authorize.ts';
import { formatTime } from './to-watch.ts';
import type { WatchContext, WatchCredentials, WatchResult } from './watch-context.ts';

/** Maximum number of attempts in one response. */
const MAX_ATTEMPTS = 100;

/** Attempt to deliver an event, as the owner of the watch sees it. */
export interface WatchAttempt {
  /** Start of the attempt, as an ISO 8601 time. */
  readonly at: string;
  readonly channel: StoredAttempt['channel'];
  /** Shortened URL of the destination. */
  readonly url: string;
  readonly event_id: string;
  readonly type: StoredAttempt['type'];
  readonly duration_ms: number;
  /** Phase in which the request failed; null for a complete response. */
  readonly phase: string | null;
  readonly http_status: number | null;
  /** Beginning of the response body, at most 1 kB. The receiver chose this text. */
  readonly reply: string | null;
  readonly error: string | null;
  readonly ok: boolean;
  /** Time of the next attempt; null if there is none. */
  readonly next_attempt_at: string | null;
}

/** Reads the latest delivery attempts of a watch, newest first. */
export async function readAttempts(
  context: Pick<WatchContext, 'db'>,
  credentials: WatchCredentials,
): Promise<WatchResult<{ readonly attempts: readonly WatchAttempt[] }>> {
  const owned = await authorize(context, credentials);
  if (owned.kind === 'problem') return owned;
  const { id } = credentials;
  const stored = await readWatchAttempts(context.db, { watchId: id, limit: MAX_ATTEMPTS });
  return { kind: 'result', body: { attempts: stored.map((attempt) => toAttempt(id, attempt)) } };
}

function toAttempt(watchId: string, attempt: StoredAttempt): WatchAttempt {
  const { channel, type, phase, reply, error, nextAttemptAt } = attempt;
  return {
    at: formatTime(attempt.at),
    channel,
    url: attempt.label,
    event_id: formatEventId(watchId, attempt.sequence),
    type,
    duration_ms: attempt.durationMs,
    phase,
    http_status: attempt.httpStatus,
    reply,
    error,
    ok: attempt.outcome === 'delivered',
    next_attempt_at: nextAttemptAt === null ? null : formatTime(nextAttemptAt),
  };
}
