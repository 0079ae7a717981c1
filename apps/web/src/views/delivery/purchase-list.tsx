import { formatUsd } from '@touchstone/common';
import type { DeliveryLedger } from '@touchstone/contract/operations/purchase/schemas';
import { formatNetwork, ResourceText, Timestamp } from '@touchstone/ui';
import { toTransactionUrl } from '@touchstone/x402/block-explorers';
import { formatResponse, OUTCOME_TEXTS, toPurchasePath } from '../../page-parts/purchase-text.ts';
import { StateMark } from '../../page-parts/state-mark.tsx';

interface RowProps {
  readonly purchase: DeliveryLedger['purchases'][number];
}

/** Test purchases, each in one row; on a narrow screen in four lines. */
export function PurchaseList({ ledger }: { readonly ledger: DeliveryLedger }) {
  return (
    <ol className="mt-3 border-b border-line">
      {ledger.purchases.map((purchase) => (
        <li
          key={purchase.id}
          id={purchase.id}
          className="grid scroll-mt-6 grid-cols-[1fr_auto] items-baseline gap-x-4 border-t border-line py-2 text-sm lg:grid-cols-[10.5rem_4rem_minmax(0,1fr)_12.5rem_8rem_10rem]"
        >
          <span className="text-ink-soft tabular-nums">
            <Timestamp iso={purchase.at} />
          </span>
          <span className="text-right tabular-nums">{formatUsd(purchase.amountUsd)}</span>
          <Entry purchase={purchase} />
        </li>
      ))}
    </ol>
  );
}

function Entry({ purchase }: RowProps) {
  const { kind, label } = OUTCOME_TEXTS[purchase.outcome];
  return (
    <>
      <span className="max-lg:col-span-full">
        <Resource purchase={purchase} />
      </span>
      <StateMark kind={kind}>{label}</StateMark>
      <span className="text-right whitespace-nowrap tabular-nums lg:text-left">
        {formatResponse(purchase)}
      </span>
      <span className="flex gap-x-4 max-lg:col-span-full">
        <Transaction purchase={purchase} />
        <a href={toPurchasePath(purchase.id)} rel="nofollow" className={LINK_CLASS}>
          Record
        </a>
      </span>
    </>
  );
}

/** Classes of a link in a row. The link is at least 44 pixels high on a phone. */
const LINK_CLASS = 'inline-block max-sm:py-3';

function Resource({ purchase: { resource, endpointPage } }: RowProps) {
  const text = <ResourceText resource={resource.replace(/^https:\/\//, '')} />;
  if (endpointPage === null) return text;
  return (
    <a href={new URL(endpointPage).pathname} className={LINK_CLASS}>
      {text}
    </a>
  );
}

/** Transaction of a charged payment, linked to the block explorer of its network. */
function Transaction({ purchase: { network, transaction } }: RowProps) {
  if (transaction === null) return null;
  const url = toTransactionUrl(network, transaction);
  const title = `Transaction ${transaction} on ${formatNetwork(network)}`;
  if (url === null) return <span title={title}>Transaction</span>;
  return (
    <a href={url} rel="nofollow noopener" title={title} className={LINK_CLASS}>
      Transaction
    </a>
  );
}
