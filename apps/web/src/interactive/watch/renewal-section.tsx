import { formatUsd } from '@touchstone/common';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { WATCH_DAYS, WATCH_LOG_DAYS, WATCH_RENEWAL_GRACE_DAYS, type Watch } from '@touchstone/contract';
import { formatCliCommand } from '../../operations/documents/cli-command.ts';
import { showChangedWatch, useSession } from './session.tsx';
import { toCallError } from '../trpc/client.ts';
import { Button, ErrorMessage } from '../../page-parts/form-parts.tsx';
import { Section } from './watch-parts.tsx';

/** Explains the renewal of the watch. The page itself takes no payment. */
export function RenewalSection({
  watch,
  priceUsd,
}: {
  readonly watch: Watch;
  readonly priceUsd: string | null;
}) {
  const command = formatCliCommand(new URL(watch.renew_url).origin, ['watch', 'renew', watch.watch_id]);
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

const QUESTION = 'Cancel the watch now? It cannot be continued or renewed.';

/** Button that cancels the watch after a confirmation. */
export function CancelSection({ isExpired, onCancelled }: CancelSectionProps) {
  const { id, client } = useSession();
  const queries = useQueryClient();
  const cancel = useMutation({
    mutationFn: (): Promise<Watch> => client.cancel.mutate({ id }),
    onSuccess: (watch) => {
      showChangedWatch(queries, watch);
      onCancelled();
    },
  });
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
          look="danger"
          aria-disabled={cancel.isPending}
          onClick={() => {
            if (!cancel.isPending && confirm(QUESTION)) cancel.mutate();
          }}
        >
          {cancel.isPending ? 'Cancelling…' : 'Cancel this watch…'}
        </Button>
      </p>
      {cancel.error === null ? null : (
        <div className="mt-4">
          <ErrorMessage>The watch was not cancelled: {toCallError(cancel.error).text}</ErrorMessage>
        </div>
      )}
    </Section>
  );
}
