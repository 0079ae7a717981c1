import { formatMinute } from '../format/format-time.ts';

/** Time in UTC to the minute. The text can break only between the day and the time of day. */
export function Timestamp({ iso }: { readonly iso: string }) {
  const [day, ...hour] = formatMinute(iso).split(' ');
  return (
    <time dateTime={iso}>
      <span className="whitespace-nowrap">{day}</span>{' '}
      <span className="whitespace-nowrap">{hour.join(' ')}</span>
    </time>
  );
}
