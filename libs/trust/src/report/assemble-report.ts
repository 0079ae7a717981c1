import {
  toSchemaUrl,
  TEXT_LIMITS,
  TRUST_SCHEMA_TYPE,
  TRUST_SCHEMA_VERSION,
  type TrustReport,
} from '@touchstone/contract';
import { cleanText } from '@touchstone/x402';
import { toAtomicAmount, toReportOption, type ReportOption } from './report-option.ts';
import { toReportStats } from './report-stats.ts';
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
const MAX_SHARED_ENDPOINTS = 20;

type Advertised = NonNullable<TrustReport['advertised']>;
type Settlement = NonNullable<TrustReport['settlement']>;
type Latency = NonNullable<TrustReport['stats']['latency']>;

/** Advertised payment terms that a report shows but the score does not use. Times are milliseconds since the epoch. */
export interface TermsFacts extends Pick<Advertised, 'amount' | 'asset' | 'decimals' | 'range30d'> {
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
  /** Figures of each wallet if the endpoint advertises several; otherwise empty. Volumes are in US dollars. */
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
    readonly delistedAt: number | null;
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
  readonly compliance: Readonly<NonNullable<TrustReport['compliance']>> | null;
  readonly latency: Pick<Latency, 'p99' | 'mean' | 'vantage'> | null;
}

/**
 * Assembles the unsigned trust report of an endpoint. All API responses with a report use this function, so all reports
 * have the same form. Provider texts are cleaned and limited in length; values that were not measured are null.
 *
 * @throws RangeError if a time is invalid or the verdict lacks a component, which are programming errors
 */
export function assembleReport(facts: ReportFacts): TrustReport {
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
      firstSeen: toIsoTime(inputs.firstSeen),
      delistedAt: toIsoTimeOrNull(endpoint.delistedAt),
    },
    templated: inputs.templated,
    ...toReportVerdict(facts.verdict),
    advertised: toAdvertised(facts),
    settlement: toSettlement(facts),
    compliance: toCompliance(facts),
    stats: toReportStats(inputs, facts.latency),
    signature: null,
  };
}

/**
 * Returns the age of a probe at the creation of the report, in whole seconds. The age is never negative, even if a
 * clock is wrong.
 */
export function computeAgeSeconds(generatedAt: number, probedAt: number | null): number | null {
  return probedAt === null ? null : Math.max(0, Math.floor((generatedAt - probedAt) / 1000));
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
    asset: cleanText(terms?.asset, TEXT_LIMITS.address),
    network: toDisplayText(advertised.network),
    decimals: terms?.decimals ?? null,
    payTo: toDisplayText(advertised.payTo),
    protocolVersion: advertised.protocolVersion,
    networkKnown: advertised.networkKnown,
    falseUsdc: advertised.falseUsdc,
    observedAt: toIsoTimeOrNull(terms?.observedAt ?? null),
    range30d: toPriceRange(terms),
    options: (terms?.options ?? []).slice(0, MAX_OPTIONS).map(toReportOption),
  };
}

function toPriceRange(terms: TermsFacts | null): Advertised['range30d'] {
  const lowUsd = normalizeUsd(terms?.range30d?.lowUsd);
  const highUsd = normalizeUsd(terms?.range30d?.highUsd);
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

function toCompliance({ compliance }: ReportFacts): TrustReport['compliance'] {
  if (compliance === null) return null;
  const { version, payable, checks } = compliance;
  return {
    version,
    payable,
    checks: checks.slice(0, MAX_CHECKS).map(({ id, pass, severity, message, fix, reference }) => ({
      id,
      pass,
      severity,
      message: toDisplayText(message, TEXT_LIMITS.sentence),
      fix: cleanText(fix, TEXT_LIMITS.sentence),
      reference: toDisplayText(reference, TEXT_LIMITS.sentence),
    })),
  };
}
