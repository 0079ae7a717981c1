import { formatUsd } from '@touchstone/common';
import {
  readScoringInputs,
  readSettlementFigures,
  type Db,
  type SetWallet,
  type StoredScoringInput,
} from '@touchstone/store';
import { computePercentile, isPayToVarying, selectMainOption, type ScoreInputs } from '@touchstone/trust';
import { isKnownNetwork, normalizeAddress } from '@touchstone/x402';
import { listWallets, toEndpointSettlement, type EndpointSettlement } from './settlement-figures.ts';

/** Stored data from which an endpoint is scored. */
export interface ScorableEndpoint extends StoredScoringInput {
  readonly settlement: EndpointSettlement;
}

type Unreadable = Awaited<ReturnType<typeof readScoringInputs>>['unreadable'];

/**
 * Reads the data from which endpoints are scored, with the payments to the wallets that these endpoints advertise now.
 * One address can belong to a hundred hosts, so endpoints with the same set of wallets share one sum.
 */
export async function readScorableEndpoints(
  db: Db,
  query: { readonly now: number; readonly endpointIds: readonly string[] },
): Promise<{ readonly inputs: readonly ScorableEndpoint[]; readonly unreadable: Unreadable }> {
  const { inputs, unreadable } = await readScoringInputs(db, query);
  const sets = new Map<string, readonly SetWallet[]>();
  const advertised = inputs.map((stored) => {
    const options = getAdvertisedOptions(stored);
    const wallets = isPayToVarying(stored.payToVariation, stored.state.termsAt) ? [] : listWallets(options);
    const key = JSON.stringify(wallets);
    if (wallets.some(({ isCounted }) => isCounted)) sets.set(key, wallets);
    return { stored, options, key };
  });
  const figures = sets.size === 0 ? [] : await readSettlementFigures(db, [...sets.values()], query.now);
  const figuresByKey = new Map([...sets.keys()].map((key, index) => [key, figures[index]]));
  return {
    inputs: advertised.map(({ stored, options, key }) => ({
      ...stored,
      settlement: toEndpointSettlement(options, figuresByKey.get(key) ?? { wallets: [], total: null }),
    })),
    unreadable,
  };
}

/**
 * Returns the payment options of the latest challenge of an endpoint. Before the first challenge, returns the options
 * in its directory listing.
 */
export function getAdvertisedOptions({
  state,
  endpoint,
}: StoredScoringInput): StoredScoringInput['endpoint']['listedOptions'] {
  return state.terms?.options ?? endpoint.listedOptions;
}

/** Converts the stored data of an endpoint to the inputs of the score formula. */
export function toScoreInputs(stored: ScorableEndpoint, now: number): ScoreInputs {
  const { endpoint, state, sums, settlement, payToVariation: variation } = stored;
  return {
    now,
    firstSeen: endpoint.firstSeenAt,
    listed: endpoint.listingStatus === 'listed',
    delistedAt: endpoint.delistedAt,
    templated: endpoint.templated,
    description: endpoint.description ?? state.terms?.description ?? null,
    probes: sums?.probes ?? { total: 0, scored: 0, up: 0, excluded: 0, blocked: 0, redirected: 0 },
    envelopes: sums?.envelopes ?? { pass: 0, warnings: 0, errors: 0, unpayable: 0 },
    last24h: stored.last24h,
    last7d: sums?.last7d ?? { scored: 0, up: 0 },
    latency: toLatency(sums),
    changes: listTermsChanges(stored),
    ...(variation && { payToVariation: toVariation(variation) }),
    everChallenged: state.lastChallengedAt !== null,
    answeredFree: (sums?.free ?? 0) > 0,
    downSince: state.downSince,
    lastFailure: state.lastFailure,
    lastUpAt: state.lastUpAt,
    lastChallengedAt: state.lastChallengedAt,
    lastPayableAt: state.lastPayableAt,
    advertised: toAdvertised(stored),
    medianPriceUsd30d: sums?.medianPriceUsd ?? null,
    settlement: settlement.inputs,
    networksRead: settlement.networksRead,
    lastScoredAt: state.lastCountedAt,
    latestCompliance: state.compliance,
    watchedSince: state.watchedSince,
    payToSharedWith: state.payToSharedWith,
    payToSharedOnHost: state.payToSharedOnHost,
    ...toLastChallenge(state),
    ...(stored.delivery && { delivery: stored.delivery }),
  };
}

function toLatency(sums: StoredScoringInput['sums']): ScoreInputs['latency'] {
  if (!sums?.responseHistogram) return null;
  const p50 = computePercentile(sums.responseHistogram, 0.5);
  const p95 = computePercentile(sums.responseHistogram, 0.95);
  return p50 === null || p95 === null ? null : { p50, p95, n: sums.responseN };
}

function toLastChallenge({
  terms,
  compliance,
  faultyChallenge,
}: StoredScoringInput['state']): Pick<ScoreInputs, 'lastChallenge'> {
  if (terms === null && faultyChallenge === null) return {};
  return {
    lastChallenge: {
      resourceInfoMissing: terms?.resourceInfoMissing ?? false,
      headerBodyMismatch: terms?.headerBodyMismatch ?? false,
      redirect: terms?.redirect ?? null,
      neededSettings: terms?.neededSettings ?? [],
      failedRules: faultyChallenge?.failedRules ?? [],
      notPayableReason:
        compliance === 'unpayable' && faultyChallenge !== null
          ? selectNotPayableReason(faultyChallenge)
          : null,
    },
  };
}

function toAdvertised(stored: StoredScoringInput): ScoreInputs['advertised'] {
  const { endpoint, state } = stored;
  const options = getAdvertisedOptions(stored);
  const option = selectMainOption(options);
  const falseUsdc = options.find((advertised) => advertised.falseUsdc === true);
  return (
    option && {
      amountUsd: option.amountUsd,
      network: option.network,
      asset: option.asset,
      payTo: option.payTo,
      falseUsdc: falseUsdc !== undefined,
      falseUsdcAsset: falseUsdc?.asset ?? null,
      networkKnown: isKnownNetwork(option.network),
      protocolVersion: state.terms?.version ?? endpoint.protocolVersion,
    }
  );
}

type FaultyChallenge = Pick<
  NonNullable<StoredScoringInput['state']['faultyChallenge']>,
  'version' | 'refusals' | 'settlementFailures'
>;

/**
 * Returns one reason why a challenge cannot be paid, as a sentence. Reasons for which a signed payment would fail come
 * first, because such a payment costs the payer more than a payment that cannot be signed. Within each kind, the reason
 * of the challenge's own protocol version comes first.
 */
export function selectNotPayableReason({
  version,
  refusals,
  settlementFailures,
}: FaultyChallenge): string | null {
  const versions = version === 1 ? (['v1', 'v2'] as const) : (['v2', 'v1'] as const);
  const reasons = [settlementFailures, refusals].flatMap((byVersion) =>
    versions.map((name) => byVersion?.[name] ?? null),
  );
  return reasons.find((reason) => reason !== null) ?? null;
}

type StoredChange = StoredScoringInput['changes'][number];
type Terms = NonNullable<StoredChange['before']>;
type Option = Terms['options'][number];
type Options = { readonly options: readonly Option[] };
type TermsChange = ScoreInputs['changes'][number];

/**
 * Converts a stored change of payment terms for the score formula. `before` and `after` are values of the first payment
 * option that differs, because a change can affect many options.
 */
export function toTermsChange({ kind, at, before, after }: StoredChange): TermsChange {
  if (before === null || after === null) return { kind, at, before: null, after: null };
  return { kind, at, ...findDifference(kind, before, after) };
}

type Variation = NonNullable<StoredScoringInput['payToVariation']>;

function toVariation(variation: Variation): NonNullable<ScoreInputs['payToVariation']> {
  const { changes, since, lastChangedAt: at } = variation;
  const { before, after } = toTermsChange({ ...variation, kind: 'payto_change', at });
  return { changes, since, lastChangedAt: at, before, after };
}

type VariationState = Pick<StoredScoringInput, 'changes' | 'payToVariation'> & {
  readonly state: Pick<StoredScoringInput['state'], 'termsAt'>;
};

/**
 * Returns the changes in order of time. A payTo that varied can end as another payTo than before and stay the same for a
 * day. The last change of that variation is then one of the returned changes, so that a short variation hides no takeover.
 */
export function listTermsChanges({
  state: { termsAt },
  payToVariation: variation,
  ...stored
}: VariationState): readonly TermsChange[] {
  const changes = [...stored.changes];
  if (variation?.hasMoved && !isPayToVarying(variation, termsAt))
    changes.push({ ...variation, kind: 'payto_change', at: variation.lastChangedAt });
  return changes.toSorted((one, other) => one.at - other.at).map(toTermsChange);
}

/** Returns the values of one kind, such as prices, of the first payment option that differs. */
export function findDifference(
  kind: StoredChange['kind'],
  before: Options,
  after: Options,
): Pick<TermsChange, 'before' | 'after'> {
  if (kind === 'asset_network_change') return findTokenDifference(before, after);
  const toValue = kind === 'price_change' ? formatPrice : getPayTo;
  for (const token of new Set(before.options.map(toTokenKey))) {
    const sides = [before, after].map(({ options }) => options.filter((one) => toTokenKey(one) === token));
    // Clients pay the price of the first option of a token, and the wallet of any option.
    const [old = [], next = []] = kind === 'price_change' ? sides.map((side) => side.slice(0, 1)) : sides;
    const [removed, added] = [findOther(old, next, toValue), findOther(next, old, toValue)];
    if (next.length > 0 && (removed !== null || added !== null)) return { before: removed, after: added };
  }
  // No token has a different value, so the wallets moved to other networks or tokens.
  const [first] = before.options;
  const [next] = after.options;
  return {
    before: first === undefined ? null : toValue(first),
    after: next === undefined ? null : toValue(next),
  };
}

/** Returns the first value of payment options that other options lack; null without such a value. */
function findOther(
  options: readonly Option[],
  others: readonly Option[],
  toValue: (option: Option) => string,
): string | null {
  const toKey = (option: Option): string => normalizeAddress(option.network, toValue(option));
  const known = new Set(others.map(toKey));
  const found = options.find((option) => !known.has(toKey(option)));
  return found === undefined ? null : toValue(found);
}

/** Returns the first removed token as `before` and the first added token as `after`; null without such a token. */
function findTokenDifference(before: Options, after: Options): Pick<TermsChange, 'before' | 'after'> {
  const findMissing = (options: readonly Option[], others: readonly Option[]): string | null => {
    const known = new Set(others.map(toTokenKey));
    const missing = options.find((option) => !known.has(toTokenKey(option)));
    return missing === undefined ? null : `${missing.network} ${missing.assetSymbol ?? missing.asset}`;
  };
  return {
    before: findMissing(before.options, after.options),
    after: findMissing(after.options, before.options),
  };
}

/** Returns the key of the network and token of an option, as in the stored payment terms. */
export function toTokenKey({ network, asset }: Pick<Option, 'network' | 'asset'>): string {
  return `${network}|${normalizeAddress(network, asset)}`;
}

/** Formats the price in US dollars, or in atomic units if the dollar price is unknown. */
function formatPrice({ amountUsd, amount, asset }: Option): string {
  return amountUsd === null ? `${amount ?? '?'} units of ${asset}` : formatUsd(amountUsd);
}

function getPayTo({ payTo }: Option): string {
  return payTo;
}
