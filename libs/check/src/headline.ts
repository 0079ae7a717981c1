import { formatCount, formatUsd } from '@touchstone/common';
import {
  shortenAddress,
  type Challenge,
  type Check,
  type ClientSetting,
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
  /** What the seller should do first; null when there is nothing to do. */
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
    return { outcome: 'unknown', text, step: result.hint };
  }
  const { payable, settles, neededSettings } = challenge;
  if (!payable.v1 && !payable.v2) return describeRefusal(result, status);
  if (!settles.v1 && !settles.v2) return describeLoss(challenge);
  const [setting] = neededSettings;
  return setting === undefined ? describePayment(challenge) : describeSetting(challenge, setting.kind);
}

/** Describes terms that clients pay only after a change of their settings, which the clients of the check name. */
function describeSetting({ options }: Challenge, kind: ClientSetting['kind']): Headline {
  const [option] = options;
  const terms = option === undefined ? '' : ` ${formatPrice(option)}`;
  const { reason, step } = SETTINGS[kind];
  return { outcome: 'setting', text: `Agents with default settings do not pay${terms}: ${reason}.`, step };
}

/** Reason why clients with default settings do not pay, and what a seller can do about it. */
const SETTINGS: Readonly<Record<ClientSetting['kind'], { readonly reason: string; readonly step: string }>> =
  {
    amount: {
      reason: 'it is over the limit of their clients for one payment, which buyers can raise',
      step: 'Offer a price below the default limit of the clients, which is $1 in version 2 and $0.10 in version 1, or tell buyers which limit they must set.',
    },
    token: {
      reason:
        'their clients pay in USDC and a few other dollar tokens, and buyers must allow any other token',
      step: 'Offer USDC as well, which the clients pay in by default.',
    },
    scheme: {
      reason: 'their clients pay by the scheme exact, and buyers must add the client of any other scheme',
      step: 'Offer the scheme exact as well, which the clients pay by default.',
    },
  };

function formatRequest({ method }: CheckResult): string {
  return method ?? 'The request';
}

function describeRefusal(result: CheckResult, status: number): Headline {
  const { challenge } = result;
  if (challenge.version === null) {
    const other = describeOtherStatus(formatRequest(result), status);
    if (other !== null) return { ...other, step: other.step ?? findStep(challenge) };
  }
  const { version, refusals } = challenge;
  const reason = version === 1 ? (refusals.v1 ?? refusals.v2) : (refusals.v2 ?? refusals.v1);
  const cause = reason ?? 'The response has no payment terms that a client reads.';
  const text = `No agent pays this endpoint. ${cause}${formatErrorCount(challenge)}`;
  return { outcome: 'refused', text, step: findStep(challenge) };
}

/** Describes a response without payment terms by its status; null for a status that needs no description of its own. */
function describeOtherStatus(request: string, status: number): Headline | null {
  if (status >= 200 && status < 300)
    return {
      outcome: 'free',
      text: `${request} returned ${status} without payment terms, so agents use it for free.`,
      step: 'If the endpoint should cost money, respond to requests without a payment with status 402 and payment terms.',
    };
  if (status === 404 || status === 410)
    return {
      outcome: 'refused',
      text: `${request} returned ${status}: nothing is sold at this URL, or not with this method.`,
      step: 'Check the URL, and choose the method that you sell. If both are right, the route of your server is missing.',
    };
  if (status === 405 || status === 501)
    return {
      outcome: 'refused',
      text: `${request} returned ${status}: this URL does not support this method, so agents find nothing to pay.`,
      step: 'Choose the method that you sell. If it is this one, add it to the route of your server.',
    };
  if (status >= 500)
    return {
      outcome: 'refused',
      text: `The server failed with status ${status} before it asked for a payment, so no agent pays.`,
      step: null,
    };
  return null;
}

function describeLoss(challenge: Challenge): Headline {
  const { v1, v2 } = challenge.settlementFailures;
  const cause = `Agents would sign a payment, but you would not get the money. ${v2 ?? v1 ?? ''}`.trimEnd();
  return { outcome: 'lost', text: `${cause}${formatErrorCount(challenge)}`, step: findStep(challenge) };
}

/** Returns a sentence with the number of errors that concern payments; empty for one error, which the cause names. */
function formatErrorCount(challenge: Challenge): string {
  const count = countPaymentErrors(challenge);
  return count > 1 ? ` In total, ${count} errors concern payments.` : '';
}

function countPaymentErrors({ checks }: Challenge): number {
  return checks.filter(
    ({ result, axis, severity }) => result === 'fail' && axis === 'payable' && severity === 'error',
  ).length;
}

function describePayment(challenge: Challenge): Headline {
  const { settles, options } = challenge;
  const [option] = options;
  const terms = option === undefined ? '' : `: ${formatTerms(option)}`;
  const more = options.length > 1 ? `, or ${formatCount(options.length - 1, 'other option')}` : '';
  const isForBoth = settles.v1 && settles.v2;
  const missing = isForBoth ? '' : ` Clients of version ${settles.v1 ? 2 : 1} do not.`;
  const errors = countPaymentErrors(challenge);
  const doubt =
    errors === 0
      ? ''
      : ` Because of ${formatCount(errors, 'error')}, some clients or facilitators may refuse.`;
  return {
    outcome: 'pays',
    text: `Agents pay this endpoint${terms}${more}.${missing}${doubt}`,
    step: findStep(challenge) ?? findListingStep(challenge),
  };
}

function formatTerms(option: PaymentOption): string {
  return `${formatPrice(option)} to ${shortenAddress(option.payTo)}`;
}

function formatPrice({ amountUsd, amount, assetSymbol, asset, network }: PaymentOption): string {
  const price =
    amountUsd === null ? `${String(amount ?? 'an unknown number of')} units` : formatUsd(amountUsd);
  const place = getNetworkName(network) ?? network;
  return `${price} in ${assetSymbol ?? shortenAddress(asset)} on ${place}`;
}

const SEVERITIES: readonly Check['severity'][] = ['error', 'warning'];

/**
 * Rules whose faults hide the payment terms from clients, in the order in which clients meet them. Without these repairs,
 * a change of the terms has no effect.
 */
const TRANSPORT_RULES: readonly string[] = [
  ...['http-reachable', 'http-not-5xx', 'http-no-redirect', 'http-status-402', 'http-body-complete'],
  ...['http-challenge-size', 'v2-header-name', 'v2-header-single', 'v2-base64-standard', 'v2-json-strict'],
  ...['v2-json', 'mixed-v1-in-header', 'mixed-v2-in-body-only', 'v1-body-json', 'envelope-present'],
];

/** Returns the fix of the most serious failed check that concerns payments; null without such a check. */
function findStep({ checks }: Challenge): string | null {
  const failed = checks.filter(({ result, axis }) => result === 'fail' && axis !== 'discoverable');
  const rank = ({ id }: Check): number =>
    TRANSPORT_RULES.includes(id) ? TRANSPORT_RULES.indexOf(id) : TRANSPORT_RULES.length;
  const ranked = SEVERITIES.flatMap((severity) => [
    ...failed
      .filter((check) => check.severity === severity && check.axis === 'payable')
      .toSorted((one, other) => rank(one) - rank(other)),
    ...failed.filter((check) => check.severity === severity && check.axis !== 'payable'),
  ]);
  return ranked[0]?.fix ?? null;
}

/** Returns what keeps directories from listing an endpoint that clients pay; null without such a fault. */
function findListingStep({ checks }: Challenge): string | null {
  const failed = checks.filter(({ result, axis }) => result === 'fail' && axis === 'discoverable');
  const first = SEVERITIES.map((severity) => failed.find((check) => check.severity === severity)).find(
    (check) => check !== undefined,
  );
  return first === undefined ? null : `So that directories list the endpoint: ${first.fix}`;
}
