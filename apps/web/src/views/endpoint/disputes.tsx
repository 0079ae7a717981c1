import type { PublicDispute, Snapshot } from '@touchstone/store';
import { formatCount } from '@touchstone/common';
import { DisputeList } from '../../page-parts/dispute-list.tsx';
import { ClosedSection, Section } from './section.tsx';

/** Id of the section about disputes, for links. */
const DISPUTES_SECTION = 'dispute';

interface DisputesProps {
  /** Disputes of the verdict on the endpoint, newest first. */
  readonly disputes: readonly PublicDispute[];
  readonly snapshot: Pick<Snapshot, 'resource' | 'recommendation'>;
}

/** Recommendations to pay, which no provider disputes. */
const GOOD: readonly Snapshot['recommendation'][] = ['proceed', 'parameterize'];

/** Disputes of the verdict with their answers, and how a provider disputes. Closed while nothing is disputed. */
export function Disputes({ disputes, snapshot: { resource, recommendation } }: DisputesProps) {
  const how = <HowToDispute resource={resource} />;
  if (disputes.length === 0 && GOOD.includes(recommendation)) return null;
  if (disputes.length === 0) {
    return (
      <ClosedSection
        id={DISPUTES_SECTION}
        title="This verdict is wrong"
        gist="How its provider disputes it, in public"
      >
        {how}
      </ClosedSection>
    );
  }
  return (
    <Section id={DISPUTES_SECTION} title="Disputes of this verdict">
      <DisputeList disputes={disputes} />
      {how}
    </Section>
  );
}

function HowToDispute({ resource }: Pick<Snapshot, 'resource'>) {
  const query = new URLSearchParams({ resource }).toString();
  return (
    <p className="max-w-3xl text-sm">
      The provider of this endpoint can{' '}
      <a href={`/dispute?${query}`} rel="nofollow">
        dispute the verdict
      </a>
      : the recommendation, a flag or a failed rule. It needs a signature of a payTo wallet, or a claim of the
      host. The dispute and the answer of the operator are public here and in the{' '}
      <a href="/corrections">corrections</a>. A dispute changes no score by itself.
    </p>
  );
}

/** Number of open disputes beside the verdict, with a link to them; nothing without an open dispute. */
export function OpenDisputes({ disputes }: Pick<DisputesProps, 'disputes'>) {
  const open = disputes.filter(({ state }) => state === 'open').length;
  if (open === 0) return null;
  return (
    <p className="mt-1 text-sm">
      <a href={`#${DISPUTES_SECTION}`} className="inline-block py-1 max-sm:py-2.5">
        {formatCount(open, 'open dispute')} of this verdict
      </a>
    </p>
  );
}
