import { formatDuration, formatMinute } from '@touchstone/common';
import { Fragment, type ReactNode } from 'react';

/**
 * Measured value in a description list, with a label and a note such as the unit or the measured period. If the value
 * is null, the `missing` text is shown without the note.
 */
export function Stat({
  label,
  value,
  note,
  missing = 'not measured',
}: {
  readonly label: string;
  readonly value: ReactNode;
  readonly note?: ReactNode;
  readonly missing?: string;
}) {
  return (
    <div className="flex flex-col border-t border-line py-3">
      <dt className="text-sm text-ink-soft">{label}</dt>
      {value === null ? (
        <dd className="text-lg text-ink-soft italic">{missing}</dd>
      ) : (
        <dd className="text-xl font-semibold break-words">{value}</dd>
      )}
      {note && value !== null ? <dd className="text-sm text-ink-soft">{note}</dd> : null}
    </div>
  );
}

/**
 * Time in UTC to the minute. The text can break only between the day and the time of day. The script `times.js` makes
 * the time focusable, and shows the local time of the reader on hover and on focus.
 */
export function Timestamp({ iso }: { readonly iso: string }) {
  const [day, ...hour] = formatMinute(iso).split(' ');
  return (
    <time dateTime={iso} suppressHydrationWarning>
      <span className="whitespace-nowrap">{day}</span>{' '}
      <span className="whitespace-nowrap">{hour.join(' ')}</span>
    </time>
  );
}

/**
 * Age of a time. Pages are cached, so the server writes the age together with the time of rendering, such as "5 minutes
 * old at 08:20 UTC". The script `times.js` replaces the text with the age according to the clock of the browser, such as
 * "12 minutes ago".
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

/**
 * Formats the age of a time, together with the time of day at which the age was computed. Returns an empty text for an
 * invalid time.
 */
function formatAge(iso: string, now: number): string {
  const ageMs = Math.max(0, now - Date.parse(iso));
  if (Number.isNaN(ageMs)) return '';
  const [, timeOfDay = ''] = formatMinute(now).split(/ (.*)/);
  return `${formatDuration(ageMs)} old at ${timeOfDay}`;
}

/**
 * Resource URL with possible line breaks after its separators. The URL is isolated, so that its text direction cannot
 * affect the surrounding text.
 */
export function ResourceText({
  resource,
  className = '',
}: {
  readonly resource: string;
  readonly className?: string;
}) {
  const pieces = resource.split(/(?<=[/?&=_-])(?![/?&=_-])/);
  return (
    <bdi className={`font-mono [overflow-wrap:anywhere] ${className}`}>
      {pieces.map((piece, index) => (
        <Fragment key={index}>
          {index > 0 ? <wbr /> : null}
          {piece}
        </Fragment>
      ))}
    </bdi>
  );
}
