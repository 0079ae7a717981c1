import type { ClaimCreated } from '@touchstone/contract';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { CreatedView } from './created-view.tsx';
import { OwnerView } from './owner-view.tsx';
import { SessionContext } from './session.ts';
import { type OpenedClaim, StartForms } from './start-forms.tsx';

const root = document.getElementById('claim-root');
if (root !== null) createRoot(root).render(<ClaimPage />);

/**
 * Page of the owner of a claim. The secret is only in the memory of this tab. Locking or closing the page removes the
 * secret.
 */
function ClaimPage() {
  const [created, setCreated] = useState<ClaimCreated | null>(null);
  const [opened, setOpened] = useState<OpenedClaim | null>(null);
  if (opened !== null) {
    const { credentials, claim } = opened;
    return (
      <SessionContext
        value={{ credentials, claim, showClaim: (changed) => setOpened({ credentials, claim: changed }) }}
      >
        <OwnerView
          onLock={() => {
            setOpened(null);
            setCreated(null);
          }}
        />
      </SessionContext>
    );
  }
  if (created !== null) return <CreatedView created={created} onOpened={setOpened} />;
  const host = new URLSearchParams(location.search).get('host') ?? '';
  return <StartForms host={host.slice(0, 253)} onCreated={setCreated} onOpened={setOpened} />;
}
