import type { Claim } from '@touchstone/contract';
import type { ClaimEdited } from '@touchstone/contract/operations/claim/operation';
import type { ClaimEditRequest } from '@touchstone/contract/operations/claim/settings';
import { createContext, use } from 'react';
import { editClaim, type Credentials } from './claim-api.ts';
import { useCall } from './use-call.ts';

/** Opened claim, and a function that shows its new state. */
export interface Session {
  readonly credentials: Credentials;
  readonly claim: Claim;
  readonly showClaim: (claim: Claim) => void;
}

export const SessionContext = createContext<Session | null>(null);

/** Returns the session of the page. @throws Error outside of an opened claim. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (session === null) throw new Error('No claim is open');
  return session;
}

/** Returns the root URL of the host of a claim, as the beginning of a URL to type. */
export function getRootUrl({ proof }: Claim): string {
  return URL.parse('/', proof.file_url)?.href ?? '';
}

/** Returns the state of edits of the opened claim, and a function that sends an edit. */
export function useEdit() {
  const { credentials, showClaim } = useSession();
  const { run, ...state } = useCall();
  const edit = (body: ClaimEditRequest, onSaved: (edited: ClaimEdited) => void = () => {}): void => {
    void run(async () => {
      const edited = await editClaim(credentials, body);
      showClaim(edited);
      onSaved(edited);
    });
  };
  return { ...state, edit };
}
