import type { Claim } from '@touchstone/contract';
import { Stat, Timestamp } from '@touchstone/ui';
import { useEffect, useRef } from 'react';
import { Button, ErrorMessage } from '../../page-parts/form-parts.tsx';
import { Section } from '../../page-parts/section.tsx';
import { StateMark } from '../../page-parts/state-mark.tsx';
import { endClaim, verifyClaim } from './claim-api.ts';
import { ContactSection, OptOutSection } from './host-sections.tsx';
import { MaintenanceSection } from './maintenance-section.tsx';
import { NoticeSection } from './notice-section.tsx';
import { PurchaseSection } from './purchase-section.tsx';
import { RecheckSection } from './recheck-section.tsx';
import { useSession } from './session.ts';
import { StatementSection } from './statement-section.tsx';
import { useCall } from './use-call.ts';

/** State of an opened claim, and what it gives, for the provider of the host. */
export function OwnerView({ onLock }: { readonly onLock: () => void }) {
  const { claim } = useSession();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-4">
        <h2 ref={heading} tabIndex={-1} className="min-w-0">
          Claim of <bdi className="[overflow-wrap:anywhere]">{claim.host}</bdi>
        </h2>
        <Button onClick={onLock}>Lock and remove the secret</Button>
      </div>
      <ClaimStatus claim={claim} />
      {claim.status === 'active' ? (
        <>
          <PurchaseSection />
          <RecheckSection />
          <StatementSection />
          <MaintenanceSection />
          <NoticeSection />
          <ContactSection />
          <OptOutSection />
          <EndSection />
        </>
      ) : (
        <VerifyAgain />
      )}
    </>
  );
}

const END_REASONS: Readonly<Record<NonNullable<Claim['end_reason']>, string>> = {
  'ended-by-owner': 'you ended it',
  'proof-removed': 'the line was removed',
  unreadable: 'the line could not be read for three days',
  replaced: 'another claim of the host replaced it',
};

const PLACES: Readonly<Record<Claim['found_in'], string>> = {
  file: 'file',
  dns: 'DNS record',
  'reference-file': 'verification file of another service',
};

/** State of a claim, and the place and time of its proof. */
function ClaimStatus({ claim }: { readonly claim: Claim }) {
  const { status, claim_id: id, host, ended_at: endedAt, end_reason: reason } = claim;
  const { unreadable_since: unreadableSince } = claim;
  return (
    <>
      <dl className="mt-6 grid grid-cols-1 gap-x-8 sm:grid-cols-3">
        <Stat
          label="State"
          value={
            status === 'active' ? (
              <StateMark kind="good">Active</StateMark>
            ) : (
              <StateMark kind="off">Ended</StateMark>
            )
          }
          note={reason === null ? id : END_REASONS[reason]}
        />
        <Stat
          label={endedAt === null ? 'Verified' : 'End'}
          value={<Timestamp iso={endedAt ?? claim.verified_at} />}
        />
        <Stat
          label="Line last checked"
          value={<Timestamp iso={claim.checked_at} />}
          note={`found in the ${PLACES[claim.found_in]}, checked once a day`}
        />
      </dl>
      {unreadableSince === null || status === 'ended' ? null : (
        <div className="mt-4">
          <ErrorMessage>
            The line could not be read since <Timestamp iso={unreadableSince} />. The claim ends three days
            later.
          </ErrorMessage>
        </div>
      )}
      <p className="mt-4">
        <a href={`/provider/${encodeURIComponent(host)}`}>Public page of the host</a>
      </p>
    </>
  );
}

/** Button that verifies an ended claim again. */
function VerifyAgain() {
  const { credentials, claim, showClaim } = useSession();
  const { run, isRunning, failure } = useCall();
  return (
    <div className="mt-6 max-w-3xl space-y-4">
      <p>
        The claim gives nothing any more. Publish the line <code>{claim.proof.line}</code> again, and verify
        it.
      </p>
      <Button
        look="main"
        aria-disabled={isRunning}
        onClick={() => void run(async () => showClaim(await verifyClaim(credentials, claim.host)))}
      >
        Verify now
      </Button>
      {failure === null ? null : <ErrorMessage>{failure}</ErrorMessage>}
    </div>
  );
}

const QUESTION = 'End the claim now? Statements, announced maintenance, contact and opt-out end with it.';

function EndSection() {
  const { credentials, showClaim } = useSession();
  const { run, isRunning, failure } = useCall();
  return (
    <Section id="end" title="End the claim" className="mt-12">
      <p className="mt-2 max-w-3xl text-ink-soft">
        Everything that it gives ends now. It also ends when you remove the line from the host.
      </p>
      <p className="mt-4">
        <Button
          look="danger"
          aria-disabled={isRunning}
          onClick={() => {
            if (confirm(QUESTION)) void run(async () => showClaim(await endClaim(credentials)));
          }}
        >
          End this claim…
        </Button>
      </p>
      {failure === null ? null : <ErrorMessage>{failure}</ErrorMessage>}
    </Section>
  );
}
