import type { ReactNode } from 'react';

/**
 * One measured figure for a description list: what it is, its value, and the window, unit or vantage it holds for.
 * A value that was never measured is given as null; it says so in words, and its note is left out.
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
