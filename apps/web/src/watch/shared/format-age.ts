import { formatDuration } from '@touchstone/ui';

/**
 * Formats the distance between a time and now, such as "5 minutes ago" or "in 12 days". A future time is rounded, so a
 * watch that was bought a minute ago ends "in 30 days".
 */
export function formatDistance(iso: string, now: number): string {
  const ms = Date.parse(iso) - now;
  return ms > 0 ? `in ${formatDuration(ms, Math.round)}` : `${formatDuration(-ms)} ago`;
}
