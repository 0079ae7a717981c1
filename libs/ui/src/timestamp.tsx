import { formatMinute } from './format-time.ts';

/** A time in UTC to the minute. */
export function Timestamp({ iso }: { readonly iso: string }) {
  return (
    <time dateTime={iso} className="whitespace-nowrap">
      {formatMinute(iso)}
    </time>
  );
}
