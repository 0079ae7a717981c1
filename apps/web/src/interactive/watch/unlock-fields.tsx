import type { ComponentProps, ReactNode } from 'react';
import { Button, ErrorMessage, TextField } from '../../page-parts/form-parts.tsx';

/** Mistakes in the two fields; null for a field without a mistake. */
export interface CredentialMistakes {
  readonly id: string | null;
  readonly secret: string | null;
}

export const NO_MISTAKES: CredentialMistakes = { id: null, secret: null };

interface UnlockFieldsProps {
  /** Message for screen readers and the owner; an empty text shows nothing. */
  readonly status?: string;
  readonly idField?: ComponentProps<'input'>;
  readonly secretField?: ComponentProps<'input'>;
  readonly mistakes?: CredentialMistakes;
  readonly failure?: string | null;
  readonly isOpening?: boolean;
  /** Without a handler, the form is pale and cannot be used: no text can be typed, and nothing has the focus. */
  readonly onSubmit?: ComponentProps<'form'>['onSubmit'];
}

/**
 * Fields of the form that opens a watch. The server renders the same fields without a handler, so the content of the
 * page does not move when the page script replaces them. Without scripts, the fields are hidden. The fields have no
 * names, and the form is never submitted to a URL, so the secret cannot get into the address bar.
 */
export function UnlockFields({
  status = '',
  idField,
  secretField,
  mistakes = NO_MISTAKES,
  failure = null,
  isOpening = false,
  onSubmit,
}: UnlockFieldsProps): ReactNode {
  // The footer leaves the screen at the click, and not when the watch appears after a slow response.
  const height = isOpening || failure !== null ? 'min-h-screen' : '';
  return (
    <form
      className={`mt-8 max-w-2xl space-y-5 inert:opacity-50 noscript:hidden ${height}`}
      autoComplete="off"
      noValidate
      inert={onSubmit === undefined}
      onSubmit={onSubmit}
    >
      <p role="status" className={status === '' ? 'sr-only' : 'border-l-4 border-good bg-panel px-4 py-3'}>
        {status}
      </p>
      <TextField
        label="Watch id"
        hint="Begins with w_. You can paste a URL of the watch instead."
        mistake={mistakes.id}
        field={{ type: 'text', ...idField }}
      />
      <TextField
        label="Secret"
        hint="Begins with wsk_. It was shown once, when the watch was created. This page keeps it only until you lock or close it."
        mistake={mistakes.secret}
        // With any other value, browsers offer to store the text of a password field.
        field={{ type: 'password', autoComplete: 'one-time-code', ...secretField }}
      />
      {failure === null ? null : <ErrorMessage>{failure}</ErrorMessage>}
      <Button look="main" type="submit" aria-disabled={isOpening}>
        {isOpening ? 'Opening…' : 'Open the watch'}
      </Button>
    </form>
  );
}
