import { formatMinute } from './format-time.ts';

/** A time in UTC to the minute; it may break between its day and its hour only. */
export function Timestamp({ iso }: { readonly iso: string }) {
  const [day, ...hour] = formatMinute(iso).split(' ');
  return (
    <time dateTime={iso}>
      <span className="whitespace-nowrap">{day}</span>{' '}
      <span className="whitespace-nowrap">{hour.join(' ')}</span>
    </time>
  );
}
