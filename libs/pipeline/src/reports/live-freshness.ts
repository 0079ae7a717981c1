import { isDeepStrictEqual } from 'node:util';
import { formatMinute, formatTimestamp } from '@touchstone/common';
import type { ChangeKind } from '@touchstone/contract';
import { describeFailure, getRedirectTarget, type Probe } from '@touchstone/probe';
import type { PaymentTerms, PayOn } from '@touchstone/store';
import {
  formatCause,
  formatChange,
  formatNotPayableReason,
  isPayToVarying,
  type ReportFreshness,
  type ScoredSource,
  type ScoreInputs,
} from '@touchstone/trust';
import { normalizeAddress } from '@touchstone/x402';
import { findDifference, toTokenKey } from '../scoring/scoring-inputs.ts';
import type { LiveObservation } from './live-probe.ts';

/** Stored data with which the result of a live probe is compared. */
interface Stored extends Pick<ScoredSource, 'payOn'> {
  readonly facts: Pick<ScoredSource['facts'], 'termsAt' | 'lowestPriceUsd' | 'highestPriceUsd'>;
  readonly inputs: Pick<ScoreInputs, 'latestCompliance' | 'payToVariation'> & {
    readonly lastChallenge?: Pick<NonNullable<ScoreInputs['lastChallenge']>, 'redirect'>;
  };
  /** True if the endpoint has the flag `price-varies`. */
  readonly isPriceVarying: boolean;
}

/** Stored data of an endpoint before and after its live probe. */
interface Sources {
  /** Null if the endpoint had no score. */
  readonly before: Stored | null;
  readonly after: { readonly inputs: Pick<ScoreInputs, 'lastChallenge'> };
  /** Sentence on the endpoint to which the probe was redirected; null if the catalog lacks this endpoint. */
  readonly target: string | null;
}

/**
 * Returns the freshness of a report after its live probe. The sentences contain no free text of the provider, because
 * agents act on them.
 */
export function toLiveFreshness(live: LiveObservation, sources: Sources): ReportFreshness {
  const { at, tookMs, probe } = live;
  const { outcome, httpStatus } = probe;
  const { confirms, sentences } = compareWithStored(live, sources);
  const { target } = sources;
  return {
    ...{ live: true, probedAt: at, liveProbeMs: tookMs, outcome, httpStatus, confirms },
    detail: [...sentences, ...(target === null ? [] : [target])].join(' '),
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
  const exceptions = listExceptions(before, termsAt, terms.options);
  const changed = listChanges(before, terms);
  const changes = changed.filter(({ kind }) => kind === null || !(kind in exceptions));
  const varying = changed.flatMap(({ kind }) => (kind !== null && exceptions[kind]) || []);
  const except = varying.length === 0 ? '' : `, except for ${varying.join(', and ')}`;
  const sentences = [
    changes.length === 0
      ? `${response} with the stored payment terms${except}.`
      : `${response}. Compared with the payment terms ${since}, ${changes.map(({ text }) => text).join(', and ')}.`,
    ...notPayable,
    ...(isPayable && !wasPayable ? ['The challenge can be paid; the stored one could not be paid.'] : []),
  ];
  return { confirms: changes.length === 0 && isPayable === wasPayable, sentences };
}

/** Returns descriptions of the terms that may change without a difference, by kind of change. */
function listExceptions(
  { inputs, facts, isPriceVarying }: Stored,
  termsAt: number,
  options: Options,
): { readonly [kind in ChangeKind]?: string } {
  return {
    ...(isPriceVarying && isInPriceRange(facts, options) ? { price_change: 'the price, which varies' } : {}),
    ...(isPayToVarying(inputs.payToVariation ?? null, termsAt)
      ? { payto_change: 'the payTo address, which varies by design' }
      : {}),
  };
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

type Options = readonly PayOn[];

/** Returns the differences between the stored payment terms and the terms of a live probe, each with a clause. */
function listChanges(stored: Stored, terms: PaymentTerms): { kind: ChangeKind | null; text: string }[] {
  const { payOn } = stored;
  const { options } = terms;
  const sides: readonly [Options, Options] = [payOn, options];
  const live = new Set(options.map(toTokenKey));
  const shared = new Set(payOn.map(toTokenKey).filter((token) => live.has(token)));
  // Without a shared token, the wallets of all tokens are compared.
  const toWalletKey = shared.size > 0 ? toTokenKey : () => '';
  const price = findChange(sides, toTokenKey, listAmounts) ?? findChange(sides, toSchemeKey, listAmounts);
  const wallets = findChange(sides, toWalletKey, listWallets);
  const isSameTokens = sides.every((side) => side.every((option) => shared.has(toTokenKey(option))));
  const describe = (kind: ChangeKind, name: string, [before, after] = sides) => {
    const difference = findDifference(kind, { options: before }, { options: after });
    return { kind, text: `the ${name} changed${formatChange(difference)}` };
  };
  return [
    ...(isSameTokens ? [] : [describe('asset_network_change', 'network or token')]),
    ...(findChange(sides, toTokenKey, listSchemes) === null
      ? []
      : [{ kind: null, text: 'the payment scheme changed' }]),
    ...(price === null ? [] : [describe('price_change', 'price', price)]),
    ...(wallets === null ? [] : [describe('payto_change', 'payTo address', wallets)]),
    ...(terms.redirect?.target === stored.inputs.lastChallenge?.redirect?.target
      ? []
      : [{ kind: null, text: 'the redirect changed' }]),
  ];
}

/** Returns the stored and the live options of the first shared key whose values differ; null without such a key. */
function findChange(
  sides: readonly [Options, Options],
  toKey: (option: PayOn) => string,
  listValues: (options: Options) => readonly string[],
): readonly [Options, Options] | null {
  for (const key of new Set(sides[0].map(toKey))) {
    const select = (options: Options): Options => options.filter((option) => toKey(option) === key);
    const [before, after] = [select(sides[0]), select(sides[1])];
    if (after.length > 0 && !isDeepStrictEqual(listValues(before), listValues(after))) return [before, after];
  }
  return null;
}

const toSchemeKey = (option: PayOn): string => `${toTokenKey(option)}|${option.scheme}`;

const listSchemes = (options: Options): string[] => [...new Set(options.map(({ scheme }) => scheme))].sort();

/** Returns the amounts in the order of the options, because a client pays with the first option that it supports. */
const listAmounts = (options: Options): string[] => [...new Set(options.map(({ amount }) => amount ?? '?'))];

const listWallets = (options: Options): string[] =>
  [...new Set(options.map(({ network, payTo }) => normalizeAddress(network, payTo)))].sort();

/** Returns true if every price is within the stored prices of the last 30 days. */
function isInPriceRange({ lowestPriceUsd, highestPriceUsd }: Stored['facts'], options: Options): boolean {
  return options.every(
    ({ amountUsd }) =>
      amountUsd !== null &&
      Number(amountUsd) >= Number(lowestPriceUsd ?? Infinity) &&
      Number(amountUsd) <= Number(highestPriceUsd ?? 0),
  );
}
