import type { PaymentTerms } from '../payment-terms.ts';
import type { Summary } from '../statement/summary.ts';
import type { Reason } from './decision.ts';
import { findOption, isCanonicalUsdc } from './offered-token.ts';
import type { Action } from './policy.ts';
import { findStrictest, isTemplate, type RuleFacts, toUnknownAction } from './rule.ts';

export function judgePayTo({ terms, summary, endpoint, policy, isUrlClaimed }: RuleFacts): Reason[] {
  const payTo = summary?.payTo ?? null;
  if (endpoint === null || payTo === null) return [];
  if (payTo.current)
    return judgeChange(terms, payTo, isTemplate(summary, endpoint) ? 'pay' : policy.payToChanged);
  // The policy treats a replaced recipient like an unobserved one if the recipient depends on the URL or the request.
  const exception = isTemplate(summary, endpoint)
    ? policy.templatePayToMismatch
    : payTo.varies
      ? policy.varyingPayToMismatch
      : null;
  // Neither an unobserved recipient nor a recipient that varies confirms the URL that the seller claims.
  const toAction = (action: Action): Action =>
    isUrlClaimed && (payTo.varies || !payTo.observed)
      ? findStrictest([action, policy.unverifiedUrl])
      : action;
  const note = payTo.varies
    ? ' The recipient of this endpoint varies, so this recipient cannot be confirmed.'
    : '';
  if (payTo.observed) {
    const message = `The endpoint replaced the recipient ${terms.payTo} with another one.${note}`;
    return [{ code: 'pay-to-replaced', action: toAction(exception ?? policy.payToReplaced), message }];
  }
  if (endpoint.payOn.length === 0) {
    const message = 'Touchstone has observed no payment options of this endpoint.';
    return [{ code: 'unknown-terms', action: toUnknownAction(policy, isUrlClaimed), message }];
  }
  const message = `The recipient ${terms.payTo} was never observed at this endpoint.${note}`;
  return [{ code: 'pay-to-mismatch', action: toAction(exception ?? policy.payToMismatch), message }];
}

function judgeChange(
  { payTo }: PaymentTerms,
  known: NonNullable<Summary['payTo']>,
  action: Action,
): Reason[] {
  const { changedAt, before } = known;
  if (changedAt === null) return [];
  const change = before === null ? 'was added' : `replaced ${before}`;
  const message = `The recipient ${payTo} ${change} at ${changedAt}. Confirm the change with the seller.`;
  return [{ code: 'pay-to-changed', action, message }];
}

export function judgeAsset({ terms, endpoint, policy }: RuleFacts): Reason[] {
  const { network, asset } = terms;
  const reasons: Reason[] = [];
  if (!isCanonicalUsdc(terms, endpoint)) {
    const message = `The token ${asset} is not known as the canonical USDC of the network ${network}.`;
    reasons.push({ code: 'token-not-usdc', action: policy.tokenNotUsdc, message });
  }
  if (endpoint !== null && endpoint.payOn.length > 0 && findOption(terms, endpoint) === null) {
    const message = `The endpoint does not offer payment in the token ${asset} on the network ${network}.`;
    reasons.push({ code: 'asset-mismatch', action: policy.assetMismatch, message });
  }
  return reasons;
}
