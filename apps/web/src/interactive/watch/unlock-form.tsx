import { type ComponentProps, type SubmitEvent, useEffect, useId, useRef, useState } from 'react';
import { createWatchClient, toCallError } from '../trpc/client.ts';
import { Button, ErrorMessage, FIELD_CLASS } from './watch-parts.tsx';
import type { OpenedWatch } from './session.tsx';

const NO_MISTAKES: CredentialMistakes = { id: null, secret: null };
const UNAUTHORIZED = 401;

/** Calls the service with the typed credentials. */
async function openWatch({ id: text, secret }: Credentials): Promise<OpenedWatch> {
  const client = createWatchClient(secret.trim());
  const id = findWatchId(text) ?? '';
  return { id, client, watch: await client.read.query({ id }) };
}

function explainFailure(error: unknown): string {
  const { status, text } = toCallError(error);
  if (status !== UNAUTHORIZED) return text;
  return 'No watch has this id and this secret. Check both: the secret belongs to one watch only. A watch is deleted 30 days after its end.';
}

interface UnlockFormProps {
  readonly isLocked: boolean;
  readonly onOpen: (opened: OpenedWatch) => void;
}

/**
 * Form with the id and the secret of a watch. The fields have no names, and the form is never submitted to a URL, so
 * the secret cannot get into the address bar.
 *
 * @param props.isLocked True if the owner locked the page. The form then confirms the lock and has the focus.
 */
export function UnlockForm({ isLocked, onOpen }: UnlockFormProps) {
  const { values, setValues, mistakes, failure, isOpening, idField, secretField, submit } = useUnlock(onOpen);
  useEffect(() => {
    if (isLocked) idField.current?.focus();
  }, [isLocked, idField]);
  const bind = (name: keyof Credentials): ComponentProps<'input'> => ({
    value: values[name],
    onChange: ({ target }) => {
      setValues({ ...values, [name]: target.value });
    },
  });
  return (
    <form
      className="mt-8 max-w-2xl space-y-5"
      autoComplete="off"
      noValidate
      onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault();
        void submit();
      }}
    >
      <p role="status" className={isLocked ? 'border-l-4 border-good bg-panel px-4 py-3' : 'sr-only'}>
        {isLocked ? 'Locked. The secret was removed from this page.' : ''}
      </p>
      <Field
        label="Watch id"
        hint="Begins with w_. You can paste a URL of the watch instead."
        mistake={mistakes.id}
        field={{
          ref: idField,
          type: 'text',
          ...bind('id'),
        }}
      />
      <Field
        label="Secret"
        hint="Begins with wsk_. It was shown once, when the watch was created. This page keeps it only until you lock or close it."
        mistake={mistakes.secret}
        field={{
          ref: secretField,
          type: 'password',
          // With any other value, browsers offer to store the text of a password field.
          autoComplete: 'one-time-code',
          ...bind('secret'),
        }}
      />
      {failure === null ? null : <ErrorMessage>{failure}</ErrorMessage>}
      <Button look="main" type="submit" aria-disabled={isOpening}>
        {isOpening ? 'Opening…' : 'Open the watch'}
      </Button>
    </form>
  );
}

/** State of the form. The first field with a mistake gets the focus. */
function useUnlock(onOpen: UnlockFormProps['onOpen']) {
  const [values, setValues] = useState<Credentials>({ id: '', secret: '' });
  const [mistakes, setMistakes] = useState(NO_MISTAKES);
  const [failure, setFailure] = useState<string | null>(null);
  const [isOpening, setIsOpening] = useState(false);
  const idField = useRef<HTMLInputElement>(null);
  const secretField = useRef<HTMLInputElement>(null);
  const submit = async (): Promise<void> => {
    if (isOpening) return;
    const found = checkCredentials(values);
    setMistakes(found);
    setFailure(null);
    if (found.id !== null || found.secret !== null) {
      (found.id === null ? secretField : idField).current?.focus();
      return;
    }
    setIsOpening(true);
    try {
      onOpen(await openWatch(values));
    } catch (error) {
      setFailure(explainFailure(error));
      setIsOpening(false);
      secretField.current?.focus();
    }
  };
  return { values, setValues, mistakes, failure, isOpening, idField, secretField, submit };
}

/** Text field with its label, hint and mistake. */
function Field({
  label,
  hint,
  mistake,
  field,
}: {
  readonly label: string;
  readonly hint: string;
  readonly mistake: string | null;
  readonly field: ComponentProps<'input'>;
}) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="block font-semibold">
        {label}
      </label>
      <input
        autoComplete="off"
        {...field}
        id={id}
        autoCapitalize="none"
        spellCheck={false}
        aria-invalid={mistake !== null}
        aria-describedby={`${id}-hint ${id}-mistake`}
        className={`mt-2 font-mono ${FIELD_CLASS}`}
      />
      <p id={`${id}-mistake`} className="mt-1 font-semibold text-bad">
        {mistake}
      </p>
      <p id={`${id}-hint`} className="mt-1 text-sm text-ink-soft">
        {hint}
      </p>
    </div>
  );
}

/** Id and secret of a watch, as the owner typed or pasted them. */
interface Credentials {
  readonly id: string;
  readonly secret: string;
}

const SECRET = /^wsk_[A-Za-z0-9_-]{43}$/;

/**
 * Returns the id of a watch in a pasted text, such as the id itself or one of the URLs of the watch; null if the text
 * contains no id.
 */
export function findWatchId(text: string): string | null {
  return /(?<![a-z0-9])w_[a-z2-7]{26}(?![a-z0-9])/.exec(text)?.[0] ?? null;
}

/** Mistakes in the two fields; null for a field without a mistake. */
interface CredentialMistakes {
  readonly id: string | null;
  readonly secret: string | null;
}

/**
 * Checks the format of the credentials, so that an obvious mistake needs no request. The messages do not repeat the
 * secret.
 */
export function checkCredentials({ id, secret }: Credentials): CredentialMistakes {
  return {
    id:
      findWatchId(id) === null
        ? 'The id begins with w_ and has 28 characters. A URL of the watch works too.'
        : null,
    secret: SECRET.test(secret.trim()) ? null : 'The secret begins with wsk_ and has 47 characters.',
  };
}
