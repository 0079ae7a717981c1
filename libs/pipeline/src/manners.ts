import { createPace, type Pace } from './pace.ts';

/** How a host answered, as far as it says when to come back. */
interface HostAnswer {
  /** Null when no answer came. */
  readonly httpStatus: number | null;
  readonly retryAfterSeconds: number | null;
}

export interface MannersOptions {
  /** Probes started a second at one host. */
  readonly perHostPerSecond?: number;
  /** Probes started a second in all. */
  readonly perSecond?: number;
}

/** What this process owes the hosts it asks: not too often, and not at all while they asked for a pause. */
export interface Manners extends Pace {
  /** Probes started a second at one host at most. */
  readonly perHostPerSecond: number;
  /** Until when a host is not to be asked, milliseconds since the epoch; null when it may be asked. */
  readonly heldUntil: (host: string, now: number) => number | null;
  /** Takes notice of an answer; `now` in milliseconds since the epoch. */
  readonly learn: (host: string, answer: HostAnswer, now: number) => void;
}

const TOO_MANY_REQUESTS = 429;
/** The first pause after a 429 that does not say how long, doubled at each further one. */
const FIRST_PAUSE_MS = 60_000;
/** The longest pause that we give ourselves. */
const LONGEST_PAUSE_MS = 60 * 60_000;
/**
 * The longest pause for a `Retry-After` without 429: one interval. A host that is down could else hide its outage by
 * asking not to be looked at.
 */
const LONGEST_ABSENCE_MS = 30 * 60_000;

interface Pause {
  readonly until: number;
  /** Times in a row that the host said 429, each after the pause of the one before. */
  readonly times: number;
}

/** What an answer changes about the pause of its host; null when the host may be asked as before. */
function pauseAfter(before: Pause | undefined, answer: HostAnswer, now: number): Pause | null {
  const askedForMs = (answer.retryAfterSeconds ?? 0) * 1000;
  if (answer.httpStatus === TOO_MANY_REQUESTS) {
    // Those that were under way when the host first said so are no further offence.
    const isFurther = before === undefined || before.until <= now;
    const times = (before?.times ?? 0) + (isFurther ? 1 : 0);
    const ownMs = isFurther ? FIRST_PAUSE_MS * 2 ** Math.min(times - 1, 10) : 0;
    const pauseMs = Math.max(askedForMs, Math.min(ownMs, LONGEST_PAUSE_MS));
    return { until: Math.max(now + pauseMs, before?.until ?? 0), times };
  }
  const refuses = answer.httpStatus !== null && answer.httpStatus >= 400 && answer.httpStatus !== 402;
  if (refuses && askedForMs > 0) {
    const until = now + Math.min(askedForMs, LONGEST_ABSENCE_MS);
    return { until: Math.max(until, before?.until ?? 0), times: before?.times ?? 0 };
  }
  // Silence says nothing about manners; an answer that asks for nothing ends what was asked before.
  if (before === undefined || answer.httpStatus === null || before.until > now) return before ?? null;
  return null;
}

/**
 * Remembers, for one process, how often each host was asked and which asked for a pause. The pace of a host over all
 * processes is kept by the claim; a pause is learned by each process for itself, by being told once: to share it would
 * cost a write for each refusal, and save a probe for each process.
 *
 * @param options - Two starts a second at one host and any number in all, unless given. A start is one probe, which asks
 * again by another method only where the first was not understood.
 */
export function createManners({ perHostPerSecond = 2, perSecond = Infinity }: MannersOptions = {}): Manners {
  const pauses = new Map<string, Pause>();
  return {
    ...createPace({ perHostPerSecond, perSecond }),
    perHostPerSecond,
    heldUntil: (host, now) => {
      const pause = pauses.get(host);
      return pause !== undefined && pause.until > now ? pause.until : null;
    },
    learn: (host, answer, now) => {
      const pause = pauseAfter(pauses.get(host), answer, now);
      if (pause === null) pauses.delete(host);
      else pauses.set(host, pause);
    },
  };
}

/** What all batches of this process share where nothing else is said. */
export const mannersOfThisProcess: Manners = createManners();
