/** Pauses of payers, clients or addresses after too many events. */
export interface Pauses {
  /** Returns the number of seconds until the pause of a key ends; null if the key is not paused. */
  readonly getSeconds: (key: string) => number | null;
  /** Records events of a key, such as a failed test of a payer. By default, it records one event. */
  readonly record: (key: string, count?: number) => void;
}

interface PauseOptions {
  /** Number of events within `durationMs` after which a key is paused. */
  readonly maxEvents: number;
  /** Time in which events are counted, and duration of the pause after the last event, in milliseconds. */
  readonly durationMs: number;
  /** Returns the current time in milliseconds since the epoch. */
  readonly now: () => number;
}

/** Maximum number of keys in memory. Above this number, the key with the oldest latest event is deleted. */
const MAX_KEYS = 20_000;

/** Creates pauses in the memory of this process. */
export function createPauses({ maxEvents, durationMs, now }: PauseOptions): Pauses {
  /** Times of the latest events by key, in milliseconds since the epoch. */
  const events = new Map<string, readonly number[]>();
  // A clock that is set back by more than the duration ends all pauses.
  const isRecent = (time: number): boolean => Math.abs(now() - time) < durationMs;
  return {
    getSeconds: (key) => {
      const times = events.get(key) ?? [];
      const latest = times.at(-1);
      if (latest === undefined || times.length < maxEvents || !isRecent(latest)) return null;
      return Math.max(1, Math.ceil((latest + durationMs - now()) / 1_000));
    },
    record: (key, count = 1) => {
      const added = Array.from({ length: count }, now);
      const times = [...(events.get(key) ?? []).filter(isRecent), ...added].slice(-maxEvents);
      events.delete(key);
      events.set(key, times);
      const [oldest] = events.keys();
      if (events.size > MAX_KEYS && oldest !== undefined) events.delete(oldest);
    },
  };
}
