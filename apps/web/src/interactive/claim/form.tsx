import { type ReactNode, useState } from 'react';
import { Button, ErrorMessage } from '../../page-parts/form-parts.tsx';
import type { CallState } from './use-call.ts';

/**
 * Form of a section, with its result.
 *
 * @param props.button Label of the button.
 * @param props.done Text after a successful call.
 */
export function SectionForm({
  state: { isRunning, failure, isDone },
  button,
  done,
  onSubmit,
  children,
}: {
  readonly state: CallState;
  readonly button: string;
  readonly done: string;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}) {
  return (
    <form
      className="mt-4 max-w-3xl space-y-4"
      autoComplete="off"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      <Button type="submit" aria-disabled={isRunning}>
        {isRunning ? 'One moment…' : button}
      </Button>
      {failure === null ? null : (
        <ErrorMessage>
          <span className="font-semibold">Nothing was changed.</span> {failure}
        </ErrorMessage>
      )}
      <p role="status" className={isDone ? 'font-semibold' : 'sr-only'}>
        {isDone ? done : ''}
      </p>
    </form>
  );
}

/** Keeps what a visitor typed into text fields. `bind` returns the properties of one field. */
export function useDraft<Draft extends Readonly<Record<string, string>>>(empty: Draft) {
  const [draft, setDraft] = useState(empty);
  const bind = (name: keyof Draft) => ({
    value: draft[name],
    onChange: ({ target }: { readonly target: HTMLInputElement }) =>
      setDraft({ ...draft, [name]: target.value }),
  });
  return { draft, bind, clear: () => setDraft(empty) };
}

/** Entry of a list with a button that removes the entry. */
export function RemovableItem({
  label,
  onRemove,
  children,
}: {
  /** Accessible name of the entry. */
  readonly label: string;
  /** Absent for an entry that cannot be removed. */
  readonly onRemove?: (() => void) | undefined;
  readonly children: ReactNode;
}) {
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 border-t border-line py-3 [overflow-wrap:anywhere]">
      <div className="min-w-0">{children}</div>
      {onRemove === undefined ? null : (
        <Button aria-label={`Remove: ${label}`} onClick={onRemove}>
          Remove
        </Button>
      )}
    </li>
  );
}
