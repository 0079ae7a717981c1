import type { Decision, Reason } from '../decision/decision.ts';
import type { Policy } from '../decision/policy.ts';
import type { OfferState, VerifyOffer } from './offers.ts';

interface OfferSettings {
  readonly verifyOffer: VerifyOffer | undefined;
  readonly policy: Policy;
  readonly fetch: typeof globalThis.fetch;
  readonly now: () => number;
}

/**
 * Verifies the signed offer of a challenge, unless the payment is refused anyway.
 *
 * @param challenge null if it is not known; undefined for a URL that redirected, because the offer is for the URL that
 *   responded
 */
export async function addOffer(
  decision: Decision,
  challenge: object | null | undefined,
  { verifyOffer, policy, fetch, now }: OfferSettings,
): Promise<Decision> {
  const isIgnored = verifyOffer === undefined || policy.offers === 'ignore' || challenge === undefined;
  if (isIgnored || decision.action === 'abort') return decision;
  const { payment } = decision;
  const query = { terms: { ...payment, scheme: payment.scheme ?? '' }, fetch, now: now() };
  const result: OfferState =
    challenge === null ? { state: 'none' } : await verifyOffer({ ...query, challenge });
  const refuse = (code: Reason['code'], message: string): Decision => ({
    ...{ ...decision, action: 'abort' },
    reasons: [...decision.reasons, { code, action: 'abort', message }],
  });
  if (result.state === 'invalid') return refuse('offer-invalid', result.message);
  if (result.state === 'none' && policy.offers === 'require') {
    return refuse(
      'offer-missing',
      'The seller signed no offer for this payment (policy.offers is "require").',
    );
  }
  return decision;
}
