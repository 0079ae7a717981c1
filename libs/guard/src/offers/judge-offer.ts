import type { Decision, Reason } from '../decision/decision.ts';
import type { Policy } from '../decision/policy.ts';
import type { OfferState, VerifyOffer } from './offer-query.ts';

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
  const isRequired = policy.offers === 'require';
  switch (result.state) {
    case 'valid':
      return decision;
    case 'invalid':
      return addReason(decision, { code: 'offer-invalid', action: 'abort', message: result.message });
    case 'unverified': {
      const action = isRequired ? 'abort' : 'warn';
      return addReason(decision, { code: 'offer-unverified', action, message: result.message });
    }
    case 'none': {
      const message = 'The seller signed no offer for this payment (policy.offers is "require").';
      return isRequired ? addReason(decision, { code: 'offer-missing', action: 'abort', message }) : decision;
    }
  }
}

/** Adds a reason whose action is at least as strict as that of the decision. */
function addReason(decision: Decision, reason: Reason): Decision {
  return { ...decision, action: reason.action, reasons: [...decision.reasons, reason] };
}
