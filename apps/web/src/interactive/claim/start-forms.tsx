import type { Claim, ClaimCreated } from '@touchstone/contract';
import { ClaimCallError, createClaim, readClaim, verifyClaim, type Credentials } from './claim-api.ts';
import { useDraft } from './form.tsx';
import { StartFields } from './start-fields.tsx';
import { useCall } from './use-call.ts';

/** Opened claim with its credentials. */
export interface OpenedClaim {
  readonly credentials: Credentials;
  readonly claim: Claim;
}

interface StartProps {
  /** Host that the fields contain at first. */
  readonly host: string;
  readonly onCreated: (created: ClaimCreated) => void;
  readonly onOpened: (opened: OpenedClaim) => void;
}

/** Forms that create a claim, and that open a claim which was created before. */
export function StartForms({ host, onCreated, onOpened }: StartProps) {
  const { draft: values, bind } = useDraft({ host, openHost: host, id: '', secret: '' });
  const create = useCall();
  const open = useCall();
  return (
    <StartFields
      hostField={bind('host')}
      create={{
        ...create,
        onSubmit: () => void create.run(async () => onCreated(await createClaim(toHost(values.host)))),
      }}
      openFields={{ host: bind('openHost'), id: bind('id'), secret: bind('secret') }}
      open={{
        ...open,
        onSubmit: () =>
          void open.run(async () => {
            const credentials = { id: values.id.trim(), secret: values.secret.trim() };
            onOpened({ credentials, claim: await openClaim(credentials, toHost(values.openHost)) });
          }),
      }}
    />
  );
}

/** Returns the host of a typed host or URL, in lower case. */
export function toHost(text: string): string {
  const url = URL.parse(text.trim());
  return (url !== null && url.hostname !== '' ? url.hostname : text.trim()).toLowerCase();
}

const MISTYPED = 'The id begins with c_ and has 28 characters, and the secret begins with csk_ and has 47.';

/** Reads a claim. If its proof was not found yet, the proof is read now. */
async function openClaim(credentials: Credentials, host: string): Promise<Claim> {
  const { id, secret } = credentials;
  if (!/^c_[a-z2-7]{26}$/.test(id) || !/^csk_[\w-]{43}$/.test(secret))
    throw new ClaimCallError(null, MISTYPED);
  try {
    return await readClaim(credentials);
  } catch (error) {
    const isUnproved = error instanceof ClaimCallError && error.code === 'claim-not-verified';
    if (!isUnproved || host === '') throw error;
    return verifyClaim(credentials, host);
  }
}
