import { Timestamp } from '@touchstone/ui';
import { Section } from '../../page-parts/section.tsx';
import { useSession } from './session.ts';

/** Test purchases of the host that are not public yet; nothing without one. */
export function PurchaseSection() {
  const { unpublished_purchases: purchases } = useSession().claim;
  if (purchases.length === 0) return null;
  return (
    <Section id="purchases" title="Test purchases before publication" className="mt-12">
      <p className="mt-2 max-w-3xl">
        Touchstone paid these endpoints as an agent does. You see the result before everybody else. Find the
        transaction in your logs, and repair what failed. You need not tell us: the endpoint is bought again
        about a day later, and a delivery counts at once.
      </p>
      <ul className="mt-4 max-w-3xl space-y-4">
        {purchases.map(({ resource, outcome, purchased_at: at, publish_at: publishAt, transaction }) => (
          <li key={`${resource} ${at}`} className="[overflow-wrap:anywhere]">
            <bdi className="font-mono text-sm">{resource}</bdi>
            <br />
            Bought <Timestamp iso={at} />: <strong>{outcome}</strong>. Public on <Timestamp iso={publishAt} />
            .
            {transaction === null ? null : (
              <>
                <br />
                Transaction <code>{transaction}</code>
              </>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
