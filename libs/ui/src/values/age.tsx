import { formatMinute } from '../format/format-time.ts';
import { formatDuration } from '../format/format-duration.ts';

/**
 * Age of a time. Pages are cached, so the server writes the age together with the time of rendering, such as "5 minutes
 * old at 08:20 UTC". The script `age.js` replaces the text with the age by the clock of the browser, such as "12 minutes
 * ago".
 *
 * @param props.renderedAt Time of rendering, in milliseconds since the epoch.
 */
export function Age({
  iso,
  className = '',
  renderedAt = Date.now(),
}: {
  readonly iso: string;
  readonly className?: string;
  readonly renderedAt?: number;
}) {
  return (
    <span data-age-of={iso} className={className} suppressHydrationWarning>
      {formatAge(iso, renderedAt)}
    </span>
  );
}

/** Formats the age of a time together with the time of day at which it has this age. An invalid time has no text. */
function formatAge(iso: string, now: number): string {
  const ageMs = Math.max(0, now - Date.parse(iso));
  if (Number.isNaN(ageMs)) return '';
  const [, timeOfDay = ''] = formatMinute(new Date(now).toISOString()).split(/ (.*)/);
  return `${formatDuration(ageMs)} old at ${timeOfDay}`;
}
