import { createRoot } from 'react-dom/client';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { type OpenedWatch, SessionContext } from './session.tsx';
import { OwnerView } from './owner-view.tsx';
import { UnlockForm } from './unlock-form.tsx';

const root = document.getElementById('watch-root');
if (root !== null)
  createRoot(root).render(<WatchPage renewalPriceUsd={root.dataset['renewalPriceUsd'] ?? null} />);

/**
 * Page of the owner of a watch. The secret is only in the memory of this tab. Locking or closing the page removes the
 * secret.
 *
 * @param props.renewalPriceUsd Price of a renewal as a decimal string; null if it is not known.
 */
function WatchPage({ renewalPriceUsd }: { readonly renewalPriceUsd: string | null }) {
  const [queries] = useState(() => new QueryClient());
  const [opened, setOpened] = useState<OpenedWatch | null>(null);
  const [isLocked, setIsLocked] = useState(false);
  if (opened === null) {
    return (
      <UnlockForm
        isLocked={isLocked}
        onOpen={(watch) => {
          setOpened(watch);
        }}
      />
    );
  }
  const lock = () => {
    queries.clear();
    setOpened(null);
    setIsLocked(true);
  };
  return (
    <QueryClientProvider client={queries}>
      <SessionContext value={opened}>
        <OwnerView first={opened.watch} renewalPriceUsd={renewalPriceUsd} onLock={lock} />
      </SessionContext>
    </QueryClientProvider>
  );
}
