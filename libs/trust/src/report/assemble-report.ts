import {
  toSchemaUrl,
  TEXT_LIMITS,
  TRUST_SCHEMA_TYPE,
  TRUST_SCHEMA_VERSION,
  type TrustReport,
} from '@touchstone/contract';
import { cleanText } from '@touchstone/x402';
import { isPayableNow } from '../endpoint-state.ts';
import { toAtomicAmount, toReportOption, type ReportOption } from './report-option.ts';
import { toReportStats, type LatencyDetails } from './report-stats.ts';
import {
  formatUsd,
  toIsoTimeOrNull,
  toIsoTime,
  toDisplayResource,
  toDisplayText,
  normalizeUsd,
} from './report-values.ts';
import { toReportVerdict } from './report-verdict.ts';
import type { ScoreInputs, Verdict } from '../types.ts';

const MAX_OPTIONS = 100;
const MAX_CHECKS = 200;
/** Maximum number of causes in a report. There are fewer, unless an endpoint sends many different HTTP statuses. */
const MAX_CAUSES = 20;
const MAX_SHARED_ENDPOINTS = 20;

type Advertised = NonNullable<TrustReport['advertised']>;
type Settlement = NonNullable<TrustReport['settlement']>;
type Compliance = NonNullable<TrustReport['compliance']>;

/** Advertised payment terms that a report shows but the score does not use. Times are milliseconds since the epoch. */
export interface TermsFacts extends Pick<Advertised, 'amount' | 'decimals' | 'amountRange30d'> {
  readonly observedAt: number | null;
  readonly options: readonly ReportOption[];
}

type PaidWallet = Settlement['wallets'][number];

/**
 * Wallets and on-chain figures that a report shows but the score does not use. Figures that were not read from a chain
 * are null.
 */
export interface SettlementFacts extends Pick<
  Settlement,
  'payTo' | 'network' | 'settlements30d' | 'sharedWith' | 'throughBlock'
> {
  readonly lastSettledAt: number | null;
  /** Figures of each advertised wallet. Volumes are in US dollars. */
  readonly wallets: readonly (Omit<PaidWallet, 'volumeUsd30d' | 'lastSettledAt'> & {
    readonly volumeUsd30d: number | null;
    readonly lastSettledAt: number | null;
  })[];
}

/** Facts from which a report is assembled. Times are milliseconds since the epoch; null means not measured. */
export interface ReportFacts {
  /** Base URL of the service that creates the report. */
  readonly baseUrl: string;
  readonly generatedAt: number;
  readonly endpoint: {
    readonly id: string;
    readonly resource: string;
    /** Path of the public page of the endpoint, such as `/endpoint/…`. */
    readonly page: string;
    readonly serviceName: string | null;
    /** `adopted` if a paid report added the endpoint and no directory has ever listed it. */
    readonly source: TrustReport['listing']['source'];
  };
  readonly freshness: Pick<TrustReport['freshness'], 'live' | 'notLiveReason' | 'liveProbeMs'> & {
    readonly probedAt: number | null;
  };
  /** Score inputs in publishable form, as `toPublishableInputs` returns them. */
  readonly inputs: ScoreInputs;
  /** Verdict that was computed from exactly the inputs in `inputs`. */
  readonly verdict: Verdict;
  readonly terms: TermsFacts | null;
  readonly settlement: SettlementFacts | null;
  readonly compliance: ComplianceFacts | null;
  readonly latency: LatencyDetails | null;
  /** Time of the last probe of any outcome. */
  readonly lastProbedAt: number | null;
  /** Number of failed probes in the last 30 days, by cause. */
  readonly causes30d: Readonly<Record<string, number>>;
  /** Endpoint that differs from this one only by its query or by a filled-in template; null if there is none. */
  readonly related: TrustReport['related'];
}

/** Result of the compliance rules on the latest challenge. */
export interface ComplianceFacts extends Pick<Compliance, 'version' | 'failed' | 'passed' | 'skippedCount'> {
  readonly observedAt: number | null;
  /** Passed rules with their requirements; absent in a short report. */
  readonly passedChecks?: NonNullable<Compliance['passedChecks']>;
}

/**
 * Assembles the unsigned trust report of an endpoint. All API responses with a report use this function, so all reports
 * have the same form. Provider texts are cleaned and limited in length; values that were not measured are null.
 *
 * @throws RangeError if a time is invalid or the verdict lacks a component, which are programming errors
 */
export function assembleReport(given: ReportFacts): TrustReport {
  const facts = withLatestProbe(given);
  const { baseUrl, endpoint, inputs, generatedAt } = facts;
  return {
    $schema: toSchemaUrl('x402-trust', baseUrl),
    schemaVersion: TRUST_SCHEMA_VERSION,
    schemaType: TRUST_SCHEMA_TYPE,
    resource: toDisplayResource(endpoint.resource),
    endpointId: endpoint.id,
    endpointPage: new URL(endpoint.page, baseUrl).href,
    serviceName: cleanText(endpoint.serviceName, TEXT_LIMITS.name),
    description: cleanText(inputs.description, TEXT_LIMITS.description),
    generatedAt: toIsoTime(generatedAt),
    freshness: toFreshness(facts),
    listing: {
      status: inputs.listed ? 'listed' : 'delisted',
      source: endpoint.source,
      firstSeen: toIsoTime(inputs.firstSeen),
      delistedAt: toIsoTimeOrNull(inputs.delistedAt),
    },
    templated: inputs.templated,
    ...toReportVerdict(facts.verdict),
    lastFailure: toLastFailure(facts),
    advertised: toAdvertised(facts),
    settlement: toSettlement(facts),
    compliance: toCompliance(facts),
    stats: toReportStats(facts),
    related: facts.related,
    signature: null,
  };
}

/**
 * Returns the facts with one time of the latest probe. The stored probe can be later than the live probe of the report,
 * or earlier, because a live probe without news is not stored.
 */
function withLatestProbe(facts: ReportFacts): ReportFacts {
  const { freshness, lastProbedAt } = facts;
  if (freshness.probedAt === null) return facts;
  const probedAt = Math.max(freshness.probedAt, lastProbedAt ?? freshness.probedAt);
  return { ...facts, freshness: { ...freshness, probedAt }, lastProbedAt: probedAt };
}

/**
 * Returns the age of a probe at the creation of the report, in whole seconds. The age is never negative, even if a
 * clock is wrong.
 */
export function computeAgeSeconds(generatedAt: number, probedAt: number | null): number | null {
  return probedAt === null ? null : Math.max(0, Math.floor((generatedAt - probedAt) / 1000));
}

function toLastFailure({ inputs: { lastFailure }, causes30d }: ReportFacts): TrustReport['lastFailure'] {
  if (lastFailure === null) return null;
  const causes = Object.entries(causes30d).sort(([, one], [, other]) => other - one);
  return {
    at: toIsoTime(lastFailure.at),
    phase: lastFailure.phase,
    httpStatus: lastFailure.httpStatus,
    error: lastFailure.error,
    detail: lastFailure.detail,
    since: toIsoTime(lastFailure.since),
    causes30d: Object.fromEntries(causes.slice(0, MAX_CAUSES)),
  };
}

function toFreshness({ freshness, generatedAt }: ReportFacts): TrustReport['freshness'] {
  const { live, notLiveReason, probedAt, liveProbeMs } = freshness;
  return {
    live,
    notLiveReason,
    probedAt: toIsoTimeOrNull(probedAt),
    ageSeconds: computeAgeSeconds(generatedAt, probedAt),
    liveProbeMs,
  };
}

function toAdvertised({ inputs: { advertised }, terms }: ReportFacts): TrustReport['advertised'] {
  if (advertised === null) return null;
  return {
    amount: toAtomicAmount(terms?.amount),
    amountUsd: advertised.amountUsd,
    asset: advertised.asset,
    network: toDisplayText(advertised.network),
    decimals: terms?.decimals ?? null,
    payTo: advertised.payTo,
    protocolVersion: advertised.protocolVersion,
    networkKnown: advertised.networkKnown,
    falseUsdc: advertised.falseUsdc,
    falseUsdcAsset: advertised.falseUsdcAsset,
    observedAt: toIsoTimeOrNull(terms?.observedAt ?? null),
    amountRange30d: toPriceRange(terms),
    options: (terms?.options ?? []).slice(0, MAX_OPTIONS).map(toReportOption),
  };
}

function toPriceRange(terms: TermsFacts | null): Advertised['amountRange30d'] {
  const lowUsd = normalizeUsd(terms?.amountRange30d?.lowUsd);
  const highUsd = normalizeUsd(terms?.amountRange30d?.highUsd);
  return lowUsd === null || highUsd === null ? null : { lowUsd, highUsd };
}

function toSettlement({ inputs, settlement }: ReportFacts): TrustReport['settlement'] {
  const { advertised, settlement: read } = inputs;
  if (advertised === null && read === null) return null;
  // The report contains on-chain figures only if the chain was read.
  const chainFacts = read === null ? null : settlement;
  return {
    payTo: cleanText(settlement?.payTo ?? advertised?.payTo, TEXT_LIMITS.address),
    network: cleanText(settlement?.network ?? advertised?.network, TEXT_LIMITS.address),
    volumeUsd30d: read && formatUsd(read.volumeUsd30d),
    settlements30d: chainFacts?.settlements30d ?? null,
    payers30d: read && read.payers30d,
    topPayerShare: read && read.topPayerShare,
    lastSettledAt: toIsoTimeOrNull(chainFacts?.lastSettledAt ?? null),
    sharedWith: (settlement?.sharedWith ?? [])
      .slice(0, MAX_SHARED_ENDPOINTS)
      .map((resource) => toDisplayResource(resource)),
    throughBlock: chainFacts?.throughBlock ?? null,
    partial: read && read.partial === true,
    wallets: (settlement?.wallets ?? []).slice(0, MAX_OPTIONS).map(toPaidWallet),
  };
}

function toPaidWallet(wallet: SettlementFacts['wallets'][number]): PaidWallet {
  return {
    payTo: toDisplayText(wallet.payTo),
    network: toDisplayText(wallet.network),
    volumeUsd30d: wallet.volumeUsd30d === null ? null : formatUsd(wallet.volumeUsd30d),
    settlements30d: wallet.settlements30d,
    payers30d: wallet.payers30d,
    topPayerShare: wallet.topPayerShare,
    lastSettledAt: toIsoTimeOrNull(wallet.lastSettledAt),
    throughBlock: wallet.throughBlock,
  };
}

function toCompliance({ compliance, inputs }: ReportFacts): TrustReport['compliance'] {
  if (compliance === null) return null;
  const { version, observedAt, failed, passed, skippedCount, passedChecks } = compliance;
  const cleanSentence = (text: string): string => toDisplayText(text, TEXT_LIMITS.sentence);
  return {
    version,
    payable: isPayableNow(inputs),
    observedAt: toIsoTimeOrNull(observedAt),
    failed: failed.slice(0, MAX_CHECKS).map(({ id, axis, severity, message, fix, reference }) => ({
      id,
      axis,
      severity,
      message: cleanSentence(message),
      fix: cleanSentence(fix),
      reference: cleanSentence(reference),
    })),
    passed: passed.slice(0, MAX_CHECKS),
    skippedCount,
    ...(passedChecks === undefined ? {} : { passedChecks: passedChecks.slice(0, MAX_CHECKS) }),
  };
}
