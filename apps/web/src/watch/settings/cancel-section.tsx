import { WATCH_LOG_DAYS, type Watch } from '@touchstone/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { toCallError } from '../api/call-error.ts';
import { showChangedWatch, useSession } from '../api/session.tsx';
import { Button, ErrorMessage, Section } from '../shared/controls.tsx';

interface CancelSectionProps {
  readonly isExpired: boolean;
  readonly onCancelled: () => void;
}

/** Button that cancels the watch after a confirmation. */
export function CancelSection({ isExpired, onCancelled }: CancelSectionProps) {
  const { id, client } = useSession();
  const queries = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const cancel = useMutation({
    mutationFn: (): Promise<Watch> => client.cancel.mutate({ id }),
    onSuccess: (watch) => {
      showChangedWatch(queries, watch);
      onCancelled();
    },
  });
  const keep = () => {
    setIsAsking(false);
    cancel.reset();
    opener.current?.focus();
  };
  return (
    <Section id="cancel" title="Cancel">
      <p className="mt-2 max-w-3xl text-ink-soft">
        {isExpired
          ? 'The watch has expired. After a cancellation, it cannot be renewed. '
          : 'Cancelling ends the watch now. Nothing is refunded. '}
        Its events stay readable for {WATCH_LOG_DAYS} days.
      </p>
      <p className="mt-4">
        <Button
          ref={opener}
          look="danger"
          aria-expanded={isAsking}
          onClick={() => {
            setIsAsking(true);
          }}
        >
          Cancel this watch…
        </Button>
      </p>
      {isAsking ? (
        <Confirmation
          isPending={cancel.isPending}
          onConfirm={() => {
            if (!cancel.isPending) cancel.mutate();
          }}
          onKeep={keep}
        />
      ) : null}
      {cancel.error === null ? null : (
        <div className="mt-4">
          <ErrorMessage>The watch was not cancelled: {toCallError(cancel.error).text}</ErrorMessage>
        </div>
      )}
    </Section>
  );
}

interface ConfirmationProps {
  readonly isPending: boolean;
  readonly onConfirm: () => void;
  readonly onKeep: () => void;
}

/** Question before the cancellation. The button that changes nothing has the focus, and Escape does the same. */
function Confirmation({ isPending, onConfirm, onKeep }: ConfirmationProps) {
  const keepButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    keepButton.current?.focus();
  }, []);
  return (
    <div
      role="group"
      aria-labelledby="cancel-question"
      className="mt-4 max-w-3xl border-l-4 border-bad bg-panel px-4 py-3"
      onKeyDown={({ key }) => {
        if (key === 'Escape') onKeep();
      }}
    >
      <p id="cancel-question" className="font-semibold">
        Cancel the watch now? It cannot be continued or renewed.
      </p>
      <p className="mt-3 flex flex-wrap gap-3">
        <Button ref={keepButton} onClick={onKeep}>
          Keep the watch
        </Button>
        <Button look="danger" aria-disabled={isPending} onClick={onConfirm}>
          {isPending ? 'Cancelling…' : 'Cancel the watch now'}
        </Button>
      </p>
    </div>
  );
}
