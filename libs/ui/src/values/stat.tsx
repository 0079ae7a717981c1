import type { ReactNode } from 'react';

/**
 * Measured value in a description list, with its label and a note such as window, unit or vantage. For null, it shows
 * the `missing` text and no note.
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
