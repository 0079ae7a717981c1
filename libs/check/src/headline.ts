import { formatCount, formatUsd } from '@touchstone/common';
import {
  joinSettings,
  shortenAddress,
  type Challenge,
  type Check,
  type PaymentOption,
} from '@touchstone/x402';
import { getNetworkName } from '@touchstone/x402/networks';
import type { CheckResult } from './check-endpoint.ts';

/**
 * What the clients of agents do at an endpoint. `pays`: they pay with default settings and the money arrives. `setting`:
 * they pay after a change of a setting. `lost`: they sign a payment that fails or does not reach the seller. `refused`:
 * they sign no payment. `free`: the endpoint requires none. `unreachable`: no response. `unknown`: the response does not
 * show the terms.
 */
export type ClientOutcome = 'pays' | 'setting' | 'lost' | 'refused' | 'free' | 'unreachable' | 'unknown';

/** First lines of a check, for the seller. */
export interface Headline {
  readonly outcome: ClientOutcome;
  /** What agents do, in one or two sentences. */
  readonly text: string;
  /** What the seller should do first; null when there is nothing to do, or when only the notes can say it. */
  readonly step: string | null;
}

/** Says what the clients of agents do at an endpoint, and what its seller should do first. */
export function createHeadline(result: CheckResult): Headline {
  const { challenge, failureReason, status } = result;
  if (failureReason !== null || status === null) {
    const reason = failureReason ?? 'no response';
    return {
      outcome: 'unreachable',
      text: `Agents cannot reach this endpoint: ${reason}.`,
      step: findStep(challenge),
    };
  }
  if (challenge.verdict === 'undetermined') {
    const text = `${formatRequest(result)} returned ${status}, which does not show what agents would pay.`;
    return { outcome: 'unknown', text, step: null };
  }
  const { payable, settles, neededSettings } = challenge;
  if (!payable.v1 && !payable.v2) return describeRefusal(result, status);
  if (!settles.v1 && !settles.v2) return describeLoss(challenge);
  if (neededSettings.length > 0) {
    const text = `Agents pay this endpoint only after a change of their settings: ${joinSettings(neededSettings)}.`;
    return { outcome: 'setting', text, step: SETTING_STEPS[neededSettings[0]?.kind ?? 'scheme'] };
  }
  return describePayment(challenge);
}

/** What a seller can do about a setting that buyers must change. */
const SETTING_STEPS = {
  amount: 'Offer a price below the default limit of the clients, or tell buyers which limit they must set.',
  token: 'Offer USDC as well, which the clients pay in by default.',
  scheme: 'Offer the scheme exact as well, which the clients pay by default.',
} as const;

function formatRequest({ method }: CheckResult): string {
  return method ?? 'The request';
}

function describeRefusal(result: CheckResult, status: number): Headline {
  const { challenge } = result;
  if (challenge.version === null && status >= 200 && status < 300) {
    const text = `${formatRequest(result)} returned ${status} without payment terms, so agents use it for free.`;
    return {
      outcome: 'free',
      text,
      step: 'If the endpoint should cost money, respond to requests without a payment with status 402 and payment terms.',
    };
  }
  const { version, refusals } = challenge;
  const reason = version === 1 ? (refusals.v1 ?? refusals.v2) : (refusals.v2 ?? refusals.v1);
  const text = `No agent pays this endpoint. ${reason ?? 'The response has no payment terms that a client reads.'}`;
  return { outcome: 'refused', text, step: findStep(challenge) };
}

function describeLoss(challenge: Challenge): Headline {
  const { v1, v2 } = challenge.settlementFailures;
  const text = `Agents would sign a payment, but you would not get the money. ${v2 ?? v1 ?? ''}`.trimEnd();
  return { outcome: 'lost', text, step: findStep(challenge) };
}

function describePayment(challenge: Challenge): Headline {
  const { settles, options, refusals, settlementFailures } = challenge;
  const [option] = options;
  const terms = option === undefined ? '' : `: ${formatTerms(option)}`;
  const more = options.length > 1 ? `, or ${formatCount(options.length - 1, 'other option')}` : '';
  const other = settles.v1 ? 2 : 1;
  const reason = settles.v1 ? (refusals.v2 ?? settlementFailures.v2) : (refusals.v1 ?? settlementFailures.v1);
  const missing =
    settles.v1 && settles.v2
      ? ''
      : ` Clients of version ${other} do not${reason === null ? '.' : `: ${reason}`}`;
  return {
    outcome: 'pays',
    text: `Agents pay this endpoint${terms}${more}.${missing}`,
    step: findStep(challenge),
  };
}

function formatTerms({ amountUsd, amount, assetSymbol, asset, network, payTo }: PaymentOption): string {
  const price = amountUsd === null ? `${String(amount)} units` : formatUsd(amountUsd);
  const place = getNetworkName(network) ?? network;
  return `${price} in ${assetSymbol ?? shortenAddress(asset)} on ${place} to ${shortenAddress(payTo)}`;
}

const SEVERITIES: readonly Check['severity'][] = ['error', 'warning'];

/** Returns the fix of the most serious failed check that concerns payments; null without such a check. */
function findStep({ checks }: Challenge): string | null {
  const failed = checks.filter(({ result, axis }) => result === 'fail' && axis !== 'discoverable');
  const ranked = SEVERITIES.flatMap((severity) => [
    ...failed.filter((check) => check.severity === severity && check.axis === 'payable'),
    ...failed.filter((check) => check.severity === severity && check.axis !== 'payable'),
  ]);
  return ranked[0]?.fix ?? null;
}
