import { Timestamp } from '@touchstone/ui';
import { formatResponse, OUTCOME_TEXTS } from '../../page-parts/purchase-text.ts';
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
        {purchases.map((purchase) => (
          <li key={`${purchase.resource} ${purchase.purchased_at}`} className="[overflow-wrap:anywhere]">
            <Purchase {...purchase} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

type PurchaseProps = ReturnType<typeof useSession>['claim']['unpublished_purchases'][number];

function Purchase({ outcome, transaction, schema_findings: findings, ...purchase }: PurchaseProps) {
  const { http_status: httpStatus, body_bytes: bytes, total_ms: totalMs, failure } = purchase;
  const { label, meaning } = OUTCOME_TEXTS[outcome];
  return (
    <>
      <bdi className="font-mono text-sm">{purchase.requested_url}</bdi>
      <br />
      Bought <Timestamp iso={purchase.purchased_at} />: <strong>{label}</strong>. {meaning} Response:{' '}
      {formatResponse({ httpStatus, totalMs })}
      {bytes === null ? null : `, ${String(bytes)} bytes`}
      {failure === null ? null : `, ${failure}`}. Public on <Timestamp iso={purchase.publish_at} />.
      {(findings ?? []).map((finding) => (
        <span key={finding} className="block">
          The body differs from your schema: {finding}
        </span>
      ))}
      {transaction === null ? null : (
        <span className="block">
          Transaction <code>{transaction}</code>
        </span>
      )}
    </>
  );
}
