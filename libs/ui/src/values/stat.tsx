import type { ReactNode } from 'react';

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
