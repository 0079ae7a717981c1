import type { PublicDispute } from '@touchstone/store';
import { ResourceText, Timestamp, toPlainText } from '@touchstone/ui';
import type { ReactNode } from 'react';

const STATES = {
  open: 'Open: the operator has not answered yet',
  upheld: 'Upheld: the verdict was wrong',
  rejected: 'Rejected: the verdict was right',
} as const satisfies Record<PublicDispute['state'], string>;

/** Disputes of verdicts and corrections of the operator. Texts of providers are marked as their words. */
export function DisputeList({
  disputes,
  hasEndpoints = false,
}: {
  readonly disputes: readonly PublicDispute[];
  /** True to name the endpoint of each dispute. */
  readonly hasEndpoints?: boolean;
}) {
  return (
    <ol className="max-w-3xl">
      {disputes.map((dispute) => (
        <li key={dispute.id} id={dispute.id} className="scroll-mt-6 border-line py-3 not-first:border-t">
          <p className="font-semibold">{formatTitle(dispute)}</p>
          {hasEndpoints ? <Endpoint dispute={dispute} /> : null}
          <dl className="mt-1 space-y-1 [overflow-wrap:anywhere]">
            <Entry term="We showed">{dispute.shown}</Entry>
            {dispute.text === null ? null : (
              <Entry term={<Provider dispute={dispute} />}>
                <bdi>{toPlainText(dispute.text)}</bdi>
              </Entry>
            )}
            {dispute.answer === null || dispute.answeredAt === null ? null : (
              <Entry
                term={
                  <>
                    {dispute.proof === 'operator' ? 'Corrected on ' : 'The operator answered on '}
                    <Timestamp iso={dispute.answeredAt} />
                  </>
                }
              >
                {dispute.answer}
              </Entry>
            )}
          </dl>
        </li>
      ))}
    </ol>
  );
}

function formatTitle({ proof, state }: PublicDispute): string {
  return proof === 'operator' ? 'Correction by the operator' : STATES[state];
}

function Endpoint({ dispute: { resource, slug } }: { readonly dispute: PublicDispute }) {
  if (resource === null) return null;
  const text = <ResourceText resource={resource.replace(/^https:\/\//, '')} />;
  return (
    <p className="text-sm">
      {slug === null ? (
        text
      ) : (
        <a href={`/endpoint/${slug}#dispute`} className="inline-block py-0.5">
          {text}
        </a>
      )}
    </p>
  );
}

function Entry({ term, children }: { readonly term: ReactNode; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-ink-soft">{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Sender of a dispute and its proof, before the sender's words. */
function Provider({ dispute: { createdAt, wallet, isFormerWallet } }: { readonly dispute: PublicDispute }) {
  return (
    <>
      Words of the provider, unverified, sent on <Timestamp iso={createdAt} />
      {wallet === null ? (
        ' with a claim of the host'
      ) : (
        <>
          , signed by the {isFormerWallet ? 'former' : 'present'} payTo wallet{' '}
          <span className="whitespace-nowrap">{wallet}</span>
        </>
      )}
    </>
  );
}
