import { formatCount, formatDecimal, formatUsd, parseDecimal, toUnits } from '@touchstone/common';
import { MAX_LEDGER_PURCHASES, type DeliveryLedger } from '@touchstone/contract/operations/purchase/schemas';
import { PURCHASE_OUTCOMES } from '@touchstone/contract/shared/values';
import { PageFrame, Stat } from '@touchstone/ui';
import type { ReactNode } from 'react';
import { EmptyState } from '../../page-parts/list-parts.tsx';
import { OUTCOME_TEXTS } from '../../page-parts/purchase-text.ts';
import { Section } from '../../page-parts/section.tsx';
import { StateMark } from '../../page-parts/state-mark.tsx';
import { PurchaseMethod } from './purchase-method.tsx';
import { PurchaseList } from './purchase-list.tsx';

interface Props {
  readonly ledger: DeliveryLedger;
  /** True if the endpoints and the payments are those of the sandbox. */
  readonly isSimulated: boolean;
}

/** Public ledger of the test purchases of this service: budget, outcomes, method and newest purchases. */
export function Delivery({ ledger, isSimulated }: Props) {
  return (
    <PageFrame>
      <h1>Test purchases</h1>
      <p className="mt-3 max-w-2xl text-lg text-ink-soft">
        Scores are measured without paying, so they end where an endpoint asks for money. Here Touchstone pays
        like any buyer, with its own wallet, and publishes{' '}
        {isSimulated ? 'each simulated payment' : 'each payment'} and what the endpoint delivered for it.
        Programs get the same as <a href="/delivery.json">JSON</a>.
      </p>
      <Budget ledger={ledger} />
      <Outcomes ledger={ledger} />
      <PurchaseMethod />
      <Section id="purchases" title="Newest purchases" className="mt-12">
        <Purchases ledger={ledger} />
      </Section>
    </PageFrame>
  );
}

/** Sums of all purchases, limits of the operator, and the wallets that pay. */
function Budget({ ledger: { budget, spent, wallets } }: Pick<Props, 'ledger'>) {
  return (
    <>
      {budget === null ? (
        <p className="mt-6 max-w-2xl border-l-4 border-edge pl-3">
          <strong>Test purchases are off.</strong> The operator of this installation has set no wallet and no
          budget for them.
        </p>
      ) : null}
      <dl className="mt-4 grid grid-cols-2 gap-x-6 sm:gap-x-8 lg:grid-cols-4">
        <Stat
          label="Spent in total"
          value={formatUsd(spent.totalUsd)}
          note={budget === null ? null : formatLeft(spent.totalUsd, budget.totalUsd)}
        />
        <Stat
          label="Spent today (UTC)"
          value={formatUsd(spent.todayUsd)}
          note={budget === null ? null : formatLeft(spent.todayUsd, budget.perDayUsd)}
        />
        <Stat
          label="Purchases"
          value={formatCount(spent.purchases)}
          note={`${formatCount(spent.charged)} charged, as the chains show`}
        />
        <Stat
          label="Limit of one purchase"
          value={budget === null ? null : formatUsd(budget.perPurchaseUsd)}
          note={
            budget === null ? null : `and ${formatUsd(budget.perEndpointWeekUsd)} per endpoint in seven days`
          }
          missing="no budget"
        />
      </dl>
      {wallets.length === 0 ? null : (
        <p className="mt-2 text-sm text-ink-soft">
          {wallets.length === 1 ? 'Wallet' : 'Wallets'} of these purchases, whose payments are left out of all
          figures about payers: <span className="font-mono wrap-anywhere text-ink">{wallets.join(', ')}</span>
        </p>
      )}
    </>
  );
}

/** Number of decimals in which amounts of US dollars are subtracted: those of USDC. */
const USD_DECIMALS = 6;

/** Formats a limit and what is left of it: `of $25.00; $21.59 left`. */
function formatLeft(spentUsd: string, limitUsd: string): string {
  const [spent, limit] = [parseDecimal(spentUsd), parseDecimal(limitUsd)];
  if (spent === null || limit === null) return `of ${formatUsd(limitUsd)}`;
  const left = toUnits(limit, USD_DECIMALS) - toUnits(spent, USD_DECIMALS);
  // An operator can set a limit below what was already spent.
  const leftUsd = formatDecimal({ digits: left < 0n ? 0n : left, scale: USD_DECIMALS });
  return `of ${formatUsd(limitUsd)}; ${formatUsd(leftUsd)} left`;
}

/** Number of published purchases by outcome, with the rule of each outcome. */
function Outcomes({ ledger: { outcomes, spent } }: Pick<Props, 'ledger'>) {
  const published = PURCHASE_OUTCOMES.reduce((total, outcome) => total + outcomes[outcome], 0);
  return (
    <Section id="outcomes" title="Outcomes" className="mt-12">
      <p className="mt-2 max-w-2xl text-ink-soft">
        {published === 0
          ? 'No outcome is published yet.'
          : `Outcomes of ${formatCount(published, 'published purchase')}.`}{' '}
        {describeUnpublished(spent)}The chain decides what was charged, never the word of the endpoint.
      </p>
      <dl className="mt-3 border-b border-line">
        {PURCHASE_OUTCOMES.map((outcome) => (
          <div
            key={outcome}
            className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 border-t border-line py-2 lg:grid-cols-[14rem_1fr_8rem]"
          >
            <dt>
              <StateMark kind={OUTCOME_TEXTS[outcome].kind}>{OUTCOME_TEXTS[outcome].label}</StateMark>
            </dt>
            <dd className="text-right tabular-nums lg:order-last">{formatCount(outcomes[outcome])}</dd>
            <dd className="text-sm text-ink-soft max-lg:col-span-2">{OUTCOME_TEXTS[outcome].meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-3">
        <a href="/explore?property=delivered" className="inline-block max-sm:py-2.5">
          Endpoints with a verified delivery
        </a>
      </p>
    </Section>
  );
}

/** Describes the purchases that are missing among the published ones. All withheld purchases were charged in vain. */
function describeUnpublished({ withheld, undecided }: DeliveryLedger['spent']): ReactNode {
  return (
    <>
      {withheld === 0 ? null : (
        <>
          {formatCount(withheld, 'more purchase')} did not deliver as declared and in time; the endpoints are{' '}
          <a href="#published">named a day later</a>.{' '}
        </>
      )}
      {undecided === 0
        ? null
        : `${formatCount(undecided, 'outcome')} ${undecided === 1 ? 'is' : 'are'} not known yet. `}
    </>
  );
}

function Purchases({ ledger }: Pick<Props, 'ledger'>) {
  const { purchases, budget, spent } = ledger;
  if (purchases.length === 0)
    return (
      <div className="mt-3">
        <EmptyState
          title={spent.purchases === 0 ? 'Nothing has been bought yet' : 'No purchase is published yet'}
        >
          {budget === null
            ? 'Purchases appear here after the operator has set a wallet and a budget.'
            : 'A delivered purchase appears here within minutes, any other a day after its outcome is known.'}
        </EmptyState>
      </div>
    );
  return (
    <>
      <PurchaseList ledger={ledger} />
      {purchases.length < MAX_LEDGER_PURCHASES ? null : (
        <p className="mt-2 text-sm text-ink-soft">
          The page shows the newest {MAX_LEDGER_PURCHASES} purchases.
        </p>
      )}
    </>
  );
}
