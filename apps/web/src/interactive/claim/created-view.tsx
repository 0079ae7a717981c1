import type { ClaimCreated } from '@touchstone/contract';
import { useEffect, useRef } from 'react';
import { Button, ErrorMessage } from '../../page-parts/form-parts.tsx';
import { Section } from '../../page-parts/section.tsx';
import { verifyClaim } from './claim-api.ts';
import { CopyLine } from './copy-line.tsx';
import type { OpenedClaim } from './start-forms.tsx';
import { useCall } from './use-call.ts';

/** New claim: its secret, which is shown once, the line to publish with its places, and the button that verifies. */
export function CreatedView({
  created,
  onOpened,
}: {
  readonly created: ClaimCreated;
  readonly onOpened: (opened: OpenedClaim) => void;
}) {
  const { claim_id: id, secret, host, proof } = created;
  const { run, isRunning, failure } = useCall();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="max-w-3xl">
      <h2 ref={heading} tabIndex={-1}>
        Claim of <bdi className="[overflow-wrap:anywhere]">{host}</bdi>
      </h2>
      <Section id="secret" title="1. Store the secret" className="mt-8">
        <p className="mt-2">
          It is shown <strong>only now</strong>, and this service does not store it. With it, you open the
          claim later. Keep it off the host and out of the file.
        </p>
        <CopyLine label="Claim id" text={id} />
        <CopyLine label="Secret" text={secret} />
      </Section>
      <PublishSection proof={proof} />
      <Section id="verify" title="3. Verify" className="mt-8">
        <p className="mt-2 text-ink-soft">
          Touchstone reads the file and the record now, and again each day. DNS records can need some minutes.
        </p>
        <div className="mt-3 space-y-4">
          <Button
            look="main"
            aria-disabled={isRunning}
            onClick={() =>
              void run(async () => {
                const credentials = { id, secret };
                onOpened({ credentials, claim: await verifyClaim(credentials, host) });
              })
            }
          >
            {isRunning ? 'Reading the line…' : 'Verify now'}
          </Button>
          {failure === null ? null : <ErrorMessage>{failure}</ErrorMessage>}
        </div>
      </Section>
    </div>
  );
}

function PublishSection({ proof }: Pick<ClaimCreated, 'proof'>) {
  return (
    <Section id="line" title="2. Publish the line" className="mt-8">
      <CopyLine label="Line" text={proof.line} />
      <p className="mt-3">Put it in one of these places, as a line of its own, and keep it there:</p>
      <dl className="mt-2 space-y-3 border-l-4 border-line pl-4 [overflow-wrap:anywhere]">
        <Place term="A text file" value={proof.file_url} />
        <Place term="Or a DNS record of the type TXT" value={proof.dns_name} />
        <div>
          <dt className="font-semibold">Or the verification file of another trust service</dt>
          <dd>
            <bdi className="font-mono text-sm">{proof.reference_file_url}</bdi>, with this line instead:{' '}
            <bdi className="font-mono text-sm">{proof.reference_line}</bdi>
          </dd>
        </div>
      </dl>
    </Section>
  );
}

function Place({ term, value }: { readonly term: string; readonly value: string }) {
  return (
    <div>
      <dt className="font-semibold">{term}</dt>
      <dd>
        <bdi className="font-mono text-sm">{value}</bdi>
      </dd>
    </div>
  );
}
