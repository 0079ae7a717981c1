import { Timestamp, formatDuration } from '@touchstone/ui';
import { createContext, use, useEffect, useState } from 'react';

/** Interval between two updates of the shown ages, in milliseconds. */
const CLOCK_MS = 10_000;

/** Current time in milliseconds since the epoch, which all shown ages use. */
export const NowContext = createContext(0);

/** Returns the current time in milliseconds since the epoch, and updates it every ten seconds. */
export function useClock(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => {
      setNow(Date.now());
    }, CLOCK_MS);
    return () => {
      clearInterval(timer);
    };
  }, []);
  return now;
}

/**
 * Time in UTC with its distance from now.
 *
 * @param props.isPlanned True for a time that may be in the future. Other times are never shown as future, although the
 * clock of the page can be behind them by some seconds.
 */
export function TimeWithAge({
  iso,
  isPlanned = false,
}: {
  readonly iso: string;
  readonly isPlanned?: boolean;
}) {
  const now = use(NowContext);
  const distance = formatDistance(iso, isPlanned ? now : Math.max(now, Date.parse(iso)));
  return (
    <>
      <Timestamp iso={iso} /> <span className="whitespace-nowrap text-ink-soft">({distance})</span>
    </>
  );
}

/**
 * Formats the distance between a time and now, such as "5 minutes ago" or "in 12 days". A future time is rounded, so a
 * watch that was bought a minute ago ends "in 30 days".
 */
export function formatDistance(iso: string, now: number): string {
  const ms = Date.parse(iso) - now;
  return ms > 0 ? `in ${formatDuration(ms, Math.round)}` : `${formatDuration(-ms)} ago`;
}
