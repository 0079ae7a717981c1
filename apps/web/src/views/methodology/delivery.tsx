import { WINDOW_DAYS } from '@touchstone/trust';

const RULES: readonly (readonly [term: string, rule: string])[] = [
  [
    'Test purchases',
    'If its operator pays for it, this service buys from listed endpoints with a wallet of its own and a small budget. It sends only calls that are safe: GET with the declared example or without input, POST with a declared example, and never a call that sends, posts, orders or deletes something. The chain decides whether a payment was charged.',
  ],
  [
    'Error paid-not-delivered',
    'The newest charged purchases delivered nothing, on at least two days (UTC): no response of status 2xx, another payment challenge, or an empty body. The next purchase that delivers anything removes the error.',
  ],
  [
    'Warning delivery-mixed',
    `Purchases on at least two days of the last ${String(WINDOW_DAYS)} were charged and delivered nothing, only after 20 seconds, or another body than declared. It prevents “proceed”.`,
  ],
  [
    'Fairness',
    'A single purchase raises no flag. After a purchase without a good delivery, this service buys again on another day, and publishes the result 24 hours after it is known: a provider who claimed the host sees it before. Outcomes that this service cannot tell, and purchases that were not charged, count neither for nor against.',
  ],
  [
    'Outcomes of buyers',
    'Payers report what they got, signed with the wallet that paid. A report counts if the chain shows that somebody else than the payer settled the payment to the endpoint, once for each payment, and not for wallets that the seller funded. What was delivered cannot be verified. Three payers whose latest report is a failure therefore raise only a warning, buyers-report-failures. It excludes the recommendation proceed if no more payers report a delivery. Praise raises nothing.',
  ],
];

/** Section on what endpoints deliver for money, which is no part of the score. */
export function Delivery() {
  return (
    <>
      <p className="mt-4 max-w-3xl">
        The score shows how well an endpoint asks for money, and not what it returns for the money. That is an
        axis of its own: it raises <a href="#flags">flags</a> and is never part of the score. The{' '}
        <a href="/delivery">ledger of test purchases</a> lists every purchase with its transaction.
      </p>
      <dl className="mt-4 max-w-4xl border-b border-line">
        {RULES.map(([term, rule]) => (
          <div key={term} className="grid gap-x-6 border-t border-line py-3 sm:grid-cols-[12rem_1fr]">
            <dt className="font-semibold">{term}</dt>
            <dd>{rule}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
