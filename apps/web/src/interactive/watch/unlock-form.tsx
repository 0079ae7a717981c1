import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { createWatchClient, toCallError } from '../trpc/client.ts';
import type { OpenedWatch } from './session.tsx';
import { type CredentialMistakes, NO_MISTAKES, UnlockFields } from './unlock-fields.tsx';

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
 * Form with the id and the secret of a watch.
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
    <UnlockFields
      status={isLocked ? 'Locked. The secret was removed from this page.' : ''}
      idField={{ ref: idField, ...bind('id') }}
      secretField={{ ref: secretField, ...bind('secret') }}
      mistakes={mistakes}
      failure={failure}
      isOpening={isOpening}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    />
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
