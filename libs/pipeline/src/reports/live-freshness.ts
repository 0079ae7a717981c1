import { isDeepStrictEqual } from 'node:util';
import { formatMinute, formatTimestamp } from '@touchstone/common';
import type { ChangeKind } from '@touchstone/contract';
import { describeFailure, getRedirectTarget, type Probe } from '@touchstone/probe';
import {
  formatCause,
  formatChange,
  formatNotPayableReason,
  isPayToVarying,
  type ReportFreshness,
  type ScoredSource,
  type ScoreInputs,
} from '@touchstone/trust';
import { groupByToken } from '../payment-terms.ts';
import { findDifference } from '../scoring/scoring-inputs.ts';
import type { LiveObservation } from './live-probe.ts';

/** Stored data with which the result of a live probe is compared. */
interface Stored extends Pick<ScoredSource, 'payOn'> {
  readonly facts: Pick<ScoredSource['facts'], 'termsAt'>;
  readonly inputs: Pick<ScoreInputs, 'latestCompliance' | 'payToVariation'>;
}

/** Stored data of an endpoint before and after its live probe. */
interface Sources {
  /** Null if the endpoint had no score. */
  readonly before: Stored | null;
  readonly after: { readonly inputs: Pick<ScoreInputs, 'lastChallenge'> };
  /** URL of the page of the endpoint to which the probe was redirected; null if the catalog lacks this endpoint. */
  readonly targetPage: string | null;
}

/**
 * Returns the freshness of a report after its live probe. The sentences contain no free text of the provider, because
 * agents act on them.
 */
export function toLiveFreshness(live: LiveObservation, sources: Sources): ReportFreshness {
  const { at, tookMs, probe } = live;
  const { outcome, httpStatus } = probe;
  const { confirms, sentences } = compareWithStored(live, sources);
  const { targetPage } = sources;
  const target =
    targetPage === null ? [] : [`The catalog contains the target of the redirect: ${targetPage}`];
  return {
    ...{ live: true, probedAt: at, liveProbeMs: tookMs, outcome, httpStatus, confirms },
    detail: [...sentences, ...target].join(' '),
  };
}

interface Comparison {
  readonly confirms: boolean | null;
  readonly sentences: readonly string[];
}

/** Compares the result of a live probe with the payment terms that were stored before. */
function compareWithStored({ probe, observed }: LiveObservation, { before, after }: Sources): Comparison {
  const response = describeResponse(probe);
  const { terms, compliance } = observed.observation;
  const isPayable = compliance !== 'unpayable';
  const notPayable = isPayable
    ? []
    : [
        `The challenge cannot be paid${formatNotPayableReason({ ...after.inputs, latestCompliance: 'unpayable' })}`,
      ];
  const termsAt = before?.facts.termsAt ?? null;
  if (before === null || termsAt === null)
    return { confirms: null, sentences: [`${response}.`, ...notPayable] };
  const since = `of ${formatMinute(formatTimestamp(termsAt))}`;
  if (terms === null) {
    const sentences = [`${response}.`, ...notPayable, `The report contains the payment terms ${since}.`];
    return { confirms: false, sentences };
  }
  const wasPayable = before.inputs.latestCompliance !== 'unpayable';
  const changed = listChanges(before, terms.options);
  const isVarying = isPayToVarying(before.inputs.payToVariation ?? null, termsAt);
  const changes = changed.filter(({ kind }) => kind !== 'payto_change' || !isVarying);
  const varying =
    changes.length < changed.length ? ', except for the payTo address, which varies by design' : '';
  const sentences = [
    changes.length === 0
      ? `${response} with the stored payment terms${varying}.`
      : `${response}. Compared with the payment terms ${since}, ${changes.map(({ text }) => text).join(', and ')}.`,
    ...notPayable,
    ...(isPayable && !wasPayable ? ['The challenge can be paid; the stored one could not be paid.'] : []),
  ];
  return { confirms: changes.length === 0 && isPayable === wasPayable, sentences };
}

/** Describes the response to a live probe as a clause. */
function describeResponse(probe: Probe): string {
  const { outcome, httpStatus } = probe;
  const status = `HTTP ${String(httpStatus)}`;
  const url = getRedirectTarget(probe);
  const redirect = url === null ? '' : `, after a redirect to ${new URL(url).origin}`;
  if (outcome === 'challenged') return `The endpoint sent a payment challenge (${status}${redirect})`;
  if (outcome === 'free')
    return `The endpoint returned data without a payment challenge (${status}${redirect})`;
  const failure = describeFailure(probe);
  if (failure === null) return `The endpoint requires another authorization than x402 (${status}${redirect})`;
  const cause = formatCause(failure);
  return cause.startsWith('HTTP') ? `The endpoint sent no payment challenge: ${cause}` : cause;
}

type Options = Parameters<typeof groupByToken>[0];

/** Returns the differences between the stored payment options and the options of a live probe, each with a clause. */
function listChanges({ payOn }: Stored, options: Options): { kind: ChangeKind; text: string }[] {
  const [stored, live] = [groupByToken(payOn), groupByToken(options)];
  const tokens = Object.keys(stored.prices);
  const shared = tokens.filter((token) => token in live.prices);
  const isSameTokens = shared.length === tokens.length && shared.length === Object.keys(live.prices).length;
  const isSamePrice = shared.every((token) => stored.prices[token] === live.prices[token]);
  // Without a shared token, the wallets of all tokens are compared.
  const listWallets = ({ payTo }: typeof stored) =>
    shared.length > 0 ? shared.map((token) => payTo[token]) : Object.values(payTo);
  const isSamePayTo = isDeepStrictEqual(listWallets(stored), listWallets(live));
  const describe = (kind: ChangeKind, name: string) => {
    const difference = findDifference(kind, { options: payOn }, { options });
    return { kind, text: `the ${name} changed${formatChange(difference)}` };
  };
  return [
    ...(isSameTokens ? [] : [describe('asset_network_change', 'network or token')]),
    ...(isSamePrice ? [] : [describe('price_change', 'price')]),
    ...(isSamePayTo ? [] : [describe('payto_change', 'payTo address')]),
  ];
}
