import { formatTimestamp, formatTimestampOrNull } from '@touchstone/common';
import {
  toSchemaUrl,
  TEXT_LIMITS,
  TRUST_SCHEMA_TYPE,
  TRUST_SCHEMA_VERSION,
  type TrustReport,
} from '@touchstone/contract';
import { cleanText, describeReference, RULES } from '@touchstone/x402';
import { isLatestChallengePayable } from '../endpoint-state.ts';
import { score } from '../score.ts';
import { toReportDelivery } from './report-delivery.ts';
import { toReportStats } from './report-inputs.ts';
import {
  formatUsd,
  toAtomicAmount,
  toDisplayResource,
  toDisplayText,
  normalizeUsd,
} from '../report-values.ts';
import { toReportVerdict } from './report-verdict.ts';
import { selectMainOption, toReportOption, type ReportFigures, type ScoredSource } from './scored-source.ts';

/** Maximum number of payment options in a report, and maximum number of wallets. */
export const MAX_OPTIONS = 100;
const MAX_CHECKS = 200;
/** Maximum number of causes in a report. Only an endpoint with many different HTTP statuses has more causes. */
const MAX_CAUSES = 20;
const MAX_SHARED_ENDPOINTS = 20;

type Advertised = NonNullable<TrustReport['advertised']>;
type Settlement = NonNullable<TrustReport['settlement']>;
type Compliance = NonNullable<TrustReport['compliance']>;
type PaidWallet = Settlement['wallets'][number];

/** Result of the live probe, and time of the latest probe in milliseconds since the epoch. */
export type ReportFreshness = Omit<TrustReport['freshness'], 'ageSeconds' | 'probedAt'> & {
  readonly probedAt: number | null;
};

export interface ReportOptions {
  /** Base URL of the service that makes the report. */
  readonly baseUrl: string;
  /** Location from which latency is measured. */
  readonly vantage: string;
  /** Time of the report, in milliseconds since the epoch. */
  readonly generatedAt: number;
  /** URL in the spelling of the request; by default the URL in the catalog. */
  readonly resource?: string;
  /** Freshness after a live probe. By default, the report states that it was made from stored data. */
  readonly freshness?: ReportFreshness;
  /**
   * Endpoint whose URL differs only in its query or in the parameters of a URL template; null or absent if there is no
   * such endpoint.
   */
  readonly related?: TrustReport['related'];
  /** A `full` report also lists the compliance checks that passed; default `short`. */
  readonly detail?: 'short' | 'full';
}

/**
 * Assembles the unsigned trust report of an endpoint from its score inputs and other stored data. All API responses
 * with a report use this function, so all reports have the same form. The report has the figures of the endpoint's
 * latest score. The page of the endpoint shows the same figures. Provider texts are cleaned and limited in length;
 * values that were not measured are null.
 *
 * @param source score inputs in publishable form, as `toPublishableInputs` returns them, and other stored data
 * @throws RangeError if a time is invalid, which is a programming error
 */
export function assembleReport(source: ScoredSource, options: ReportOptions): TrustReport {
  const { endpoint, inputs, facts } = source;
  const { baseUrl, vantage, generatedAt, resource = endpoint.resource, detail, related = null } = options;
  const given = options.freshness ?? toStoredFreshness(source, 'No live probe was requested.');
  const lastProbedAt = findLatest(facts.lastProbedAt, given.probedAt);
  const probedAt = given.probedAt === null ? null : lastProbedAt;
  const { firstByteMsP50: p50, firstByteMsP95: p95 } = facts;
  const advertised = toAdvertised(source);
  return {
    $schema: toSchemaUrl('x402-trust', baseUrl),
    schemaVersion: TRUST_SCHEMA_VERSION,
    schemaType: TRUST_SCHEMA_TYPE,
    resource: toDisplayResource(resource),
    endpointId: endpoint.id,
    endpointPage: new URL(`/endpoint/${endpoint.slug}`, baseUrl).href,
    serviceName: cleanText(endpoint.serviceName, TEXT_LIMITS.name),
    description: cleanText(inputs.description, TEXT_LIMITS.description),
    generatedAt: formatTimestamp(generatedAt),
    freshness: {
      ...given,
      probedAt: formatTimestampOrNull(probedAt),
      ageSeconds: computeAgeSeconds(generatedAt, probedAt),
    },
    listing: {
      status: inputs.listed ? 'listed' : 'delisted',
      source: endpoint.source,
      firstSeen: formatTimestamp(inputs.firstSeen),
      delistedAt: formatTimestampOrNull(inputs.delistedAt),
    },
    templated: inputs.templated,
    ...toReportVerdict(score(inputs)),
    lastFailure: toLastFailure(source),
    advertised,
    settlement: toSettlement(source),
    compliance: toCompliance(source, detail === 'full'),
    delivery: toReportDelivery(inputs, `${new URL('/v1/purchases', baseUrl).href}/{id}`),
    stats: toReportStats(inputs, {
      avgLatencyMs: facts.responseMsMean,
      p99: facts.responseMsP99,
      firstByte: p50 === null || p95 === null ? null : { p50, p95 },
      latencyVantage: vantage,
      lastProbedAt,
      termsAt: advertised?.observedAt ?? null,
      payToDistinct30d: facts.payToDistinct30d,
    }),
    related,
    signature: null,
  };
}

/**
 * Returns the freshness of a report from stored data, with the time of the last probe.
 *
 * @param reason sentence on why there is no result of a live probe
 */
export function toStoredFreshness({ facts }: Pick<ScoredSource, 'facts'>, reason: string): ReportFreshness {
  const none = { liveProbeMs: null, outcome: null, httpStatus: null, confirms: null };
  const detail = `${reason} The report uses stored data.`;
  return { live: false, probedAt: facts.lastProbedAt, ...none, detail };
}

/**
 * Returns the later time. The stored probe can be later than the live probe of the report, or earlier, because a live
 * probe with an unchanged result is not stored.
 */
function findLatest(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}

/**
 * Returns the age of a probe at the creation of the report, in whole seconds. The age is never negative, even if a
 * clock is wrong.
 */
export function computeAgeSeconds(generatedAt: number, probedAt: number | null): number | null {
  return probedAt === null ? null : Math.max(0, Math.floor((generatedAt - probedAt) / 1000));
}

function toLastFailure({ inputs: { lastFailure }, facts }: ScoredSource): TrustReport['lastFailure'] {
  if (lastFailure === null) return null;
  const { at, since, phase, httpStatus, error, detail } = lastFailure;
  const causes = Object.entries(facts.causes30d).sort(([, one], [, other]) => other - one);
  return {
    ...{ at: formatTimestamp(at), phase, httpStatus, error, detail, since: formatTimestamp(since) },
    causes30d: Object.fromEntries(causes.slice(0, MAX_CAUSES)),
  };
}

function toAdvertised({ inputs: { advertised }, payOn, facts }: ScoredSource): TrustReport['advertised'] {
  if (advertised === null) return null;
  const { amountUsd, asset, payTo, protocolVersion, networkKnown, falseUsdc, falseUsdcAsset } = advertised;
  const main = selectMainOption(payOn);
  return {
    amount: toAtomicAmount(main?.amount),
    amountUsd,
    asset,
    network: toDisplayText(advertised.network),
    decimals: main?.decimals ?? null,
    ...{ payTo, protocolVersion, networkKnown, falseUsdc, falseUsdcAsset },
    observedAt: main && formatTimestampOrNull(facts.termsAt),
    amountRange30d: main && toPriceRange(facts),
    options: payOn.slice(0, MAX_OPTIONS).map(toReportOption),
  };
}

function toPriceRange({ lowestPriceUsd, highestPriceUsd }: ReportFigures): Advertised['amountRange30d'] {
  const lowUsd = normalizeUsd(lowestPriceUsd);
  const highUsd = normalizeUsd(highestPriceUsd);
  return lowUsd === null || highUsd === null ? null : { lowUsd, highUsd };
}

function toSettlement({ inputs, facts, sharedWith }: ScoredSource): TrustReport['settlement'] {
  const { advertised, settlement: read } = inputs;
  if (advertised === null && read === null) return null;
  const { settlement } = facts;
  // The report contains on-chain figures only if the chain was read.
  const chainFacts = read === null ? null : settlement;
  return {
    payTo: cleanText(settlement?.payTo ?? advertised?.payTo, TEXT_LIMITS.address),
    network: cleanText(settlement?.network ?? advertised?.network, TEXT_LIMITS.address),
    volumeUsd30d: read && formatUsd(read.volumeUsd30d),
    returnedUsd30d: read && formatUsd(read.returnedUsd30d ?? 0),
    returnedBy: (read?.returnedBy ?? []).map(({ isFunded, ...wallet }) => ({
      ...{ ...wallet, funded: isFunded, returnedUsd30d: formatUsd(wallet.returnedUsd30d) },
    })),
    settlements30d: chainFacts?.settlements30d ?? null,
    payers30d: read && read.payers30d,
    repeatPayers30d: chainFacts?.repeatPayers30d ?? null,
    topPayerShare: read && read.topPayerShare,
    lastSettledAt: formatTimestampOrNull(chainFacts?.lastSettledAt ?? null),
    sharedWith: settlement === null ? [] : sharedWith.slice(0, MAX_SHARED_ENDPOINTS).map(toDisplayResource),
    throughBlock: chainFacts?.throughBlock ?? null,
    partial: read && read.partial === true,
    wallets: (settlement?.wallets ?? []).slice(0, MAX_OPTIONS).map(toPaidWallet),
  };
}

type StoredWallet = NonNullable<ReportFigures['settlement']>['wallets'][number];

function toPaidWallet({ payTo, network, volumeUsd30d, ...wallet }: StoredWallet): PaidWallet {
  const { settlements30d, payers30d, topPayerShare, lastSettledAt, throughBlock } = wallet;
  return {
    payTo: toDisplayText(payTo),
    network: toDisplayText(network),
    volumeUsd30d: volumeUsd30d === null ? null : formatUsd(volumeUsd30d),
    ...{ settlements30d, payers30d, topPayerShare },
    lastSettledAt: formatTimestampOrNull(lastSettledAt),
    throughBlock,
  };
}

/**
 * Returns the results of the compliance rules on the latest challenge, in the order of the rule table. Rules that were
 * removed from the table are left out. Returns null if the result of the latest challenge is unknown, so that no result
 * of an earlier challenge is mixed with its rules.
 */
function toCompliance({ challenge, facts, inputs }: ScoredSource, isFull: boolean): Compliance | null {
  const { complianceAt, termsAt } = facts;
  if (challenge === null || complianceAt === null || complianceAt < (termsAt ?? 0)) return null;
  const passedIds = new Set(challenge.passed);
  const findings = new Map(challenge.failed.map((finding) => [finding.id, finding]));
  const failed = RULES.flatMap((rule): Compliance['failed'] => {
    const finding = findings.get(rule.id);
    if (finding === undefined) return [];
    const { id, axis, severity } = finding;
    const message = cleanSentence(finding.message);
    const fix = cleanSentence(rule.fix);
    return [
      { id, axis, severity, message, fix, reference: cleanSentence(describeReference(rule.reference)) },
    ];
  });
  const passed = RULES.filter(({ id }) => passedIds.has(id));
  return {
    version: challenge.version,
    payable: isLatestChallengePayable(inputs),
    observedAt: formatTimestamp(complianceAt),
    failed: failed.slice(0, MAX_CHECKS),
    passed: passed.slice(0, MAX_CHECKS).map(({ id }) => id),
    skippedCount: RULES.length - failed.length - passed.length,
    ...(isFull ? { passedChecks: passed.slice(0, MAX_CHECKS).map(toPassedCheck) } : {}),
  };
}

function cleanSentence(text: string): string {
  return toDisplayText(text, TEXT_LIMITS.sentence);
}

type PassedCheck = NonNullable<Compliance['passedChecks']>[number];

function toPassedCheck({ id, level, requirement, reference }: (typeof RULES)[number]): PassedCheck {
  return { id, axis: level[0], message: requirement, reference: describeReference(reference) };
}
