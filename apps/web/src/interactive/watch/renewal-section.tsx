import { useMutation, useQueryClient } from '@tanstack/react-query';
import { WATCH_DAYS, WATCH_LOG_DAYS, WATCH_RENEWAL_GRACE_DAYS, type Watch } from '@touchstone/contract';
import { formatUsd } from '@touchstone/ui';
import { useEffect, useRef, useState } from 'react';
import { showChangedWatch, useSession } from './session.tsx';
import { toCallError } from '../trpc/client.ts';
import { Button, ErrorMessage, Section } from './shared.tsx';

/** Explains the renewal of the watch. The page itself takes no payment. */
export function RenewalSection({
  watch,
  priceUsd,
}: {
  readonly watch: Watch;
  readonly priceUsd: string | null;
}) {
  const command = `npx touchstone watch renew ${watch.watch_id}`;
  return (
    <Section id="renewal" title="Renew">
      {watch.status === 'cancelled' ? (
        <p className="mt-2 max-w-3xl text-ink-soft">A cancelled watch cannot be renewed. Create a new one.</p>
      ) : (
        <>
          <p className="mt-2 max-w-3xl text-ink-soft">
            A renewal adds {WATCH_DAYS} days{priceUsd === null ? '' : ` for ${formatUsd(priceUsd)}`}, until{' '}
            {WATCH_RENEWAL_GRACE_DAYS} days after the end. The secret stays the same. This page takes no
            payments: use the command line, or send a payment to the renewal URL.
          </p>
          <pre
            tabIndex={0}
            aria-label="Command that renews the watch"
            className="mt-4 max-w-3xl overflow-x-auto border border-line bg-panel p-3 font-mono text-sm"
          >
            {command}
          </pre>
          <p className="mt-2 text-sm [overflow-wrap:anywhere] text-ink-soft">
            POST <bdi className="font-mono">{watch.renew_url}</bdi> (
            <a href="/docs#renewWatch">documentation</a>)
          </p>
        </>
      )}
    </Section>
  );
}

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

/**
 * Question before the cancellation. The button that keeps the watch has the focus. The Escape key also keeps the
 * watch.
 */
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
