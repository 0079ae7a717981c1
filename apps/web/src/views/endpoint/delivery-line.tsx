import { formatDay } from '@touchstone/common';
import type { Snapshot } from '@touchstone/store';
import { hasFailedBuyers } from '@touchstone/trust';
import {
  describeBuyers,
  describePurchase,
  OUTCOME_TEXTS,
  toPurchasePath,
} from '../../page-parts/purchase-text.ts';
import { type MarkKind, StateMark } from '../../page-parts/state-mark.tsx';
import type { EndpointProps } from './section.tsx';

type Delivery = NonNullable<Snapshot['delivery']>;

/** Latest test purchase and the outcomes that buyers report. Shows nothing if nothing was bought. */
export function DeliveryLine({ snapshot: { delivery } }: EndpointProps) {
  if (delivery === null) return null;
  const buyers = describeBuyers(delivery.buyers);
  return (
    <p className="-mt-1 text-sm">
      {delivery.last === null ? null : <LastPurchase {...delivery} last={delivery.last} />}
      {buyers === null ? null : `${buyers}.`}
    </p>
  );
}

function LastPurchase({ state, last, buyers }: Delivery & { readonly last: NonNullable<Delivery['last']> }) {
  const { kind, label } = OUTCOME_TEXTS[last.outcome];
  const note = describeState({ state, buyers }, kind);
  return (
    <>
      <StateMark kind={kind}>{label}</StateMark>{' '}
      <a href={toPurchasePath(last.id)}>Bought by Touchstone on {formatDay(last.at)}</a>
      {`: ${describePurchase(last)}. `}
      {note === null ? null : `${note} `}
    </>
  );
}

/** Describes what the other purchases of the last 30 days mean; null if the latest purchase says everything. */
function describeState({ state, buyers }: Pick<Delivery, 'state' | 'buyers'>, kind: MarkKind): string | null {
  if (state === 'failed') return 'The purchases of at least two days were charged without delivery.';
  if (state === 'mixed' && hasFailedBuyers(buyers))
    return 'Several buyers report failures, which this service cannot verify.';
  if (state === 'mixed')
    return 'In the last 30 days, purchases of at least two days were charged and not delivered as declared and in time.';
  return kind === 'bad' || kind === 'warn' ? 'One such purchase alone raises no flag.' : null;
}
