import {
  schemaUrl,
  TEXT_LIMITS,
  TRUST_SCHEMA_TYPE,
  TRUST_SCHEMA_VERSION,
  type TrustReport,
} from '@touchstone/contract';
import { cleanText } from '@touchstone/x402';
import { atomicAmount, reportedOption, type ReportedOption } from './report-option.ts';
import { reportedStats } from './report-stats.ts';
import { dollars, maybeMoment, moment, shownResource, shownText, sixDecimals } from './report-values.ts';
import { reportedVerdict } from './report-verdict.ts';
import type { ScoreInputs, Verdict } from '../types.ts';

const MOST_OPTIONS = 100;
const MOST_CHECKS = 200;
const MOST_SHARERS = 20;

type Advertised = NonNullable<TrustReport['advertised']>;
type Settlement = NonNullable<TrustReport['settlement']>;
type Latency = NonNullable<TrustReport['stats']['latency']>;

/** What is advertised beyond what the formula reads; times are milliseconds since the epoch. */
export interface TermsFacts extends Pick<Advertised, 'amount' | 'asset' | 'decimals' | 'range30d'> {
  readonly observedAt: number | null;
  readonly options: readonly ReportedOption[];
}

type PaidWallet = Settlement['wallets'][number];

/** Who is paid, and what was read of it from the chain, beyond what the formula reads; null is what was not read. */
export interface SettlementFacts extends Pick<
  Settlement,
  'payTo' | 'network' | 'settlements30d' | 'sharedWith' | 'throughBlock'
> {
  readonly lastSettledAt: number | null;
  /** Every wallet, where there is more than one; volumes in US dollars. */
  readonly wallets: readonly (Omit<PaidWallet, 'volumeUsd30d' | 'lastSettledAt'> & {
    readonly volumeUsd30d: number | null;
    readonly lastSettledAt: number | null;
  })[];
}

/** Everything a report is made of. Times are milliseconds since the epoch; null is what was not measured. */
export interface ReportFacts {
  /** Address of the service that makes the report. */
  readonly baseUrl: string;
  readonly generatedAt: number;
  readonly endpoint: {
    readonly id: string;
    readonly resource: string;
    /** Path of its public page, such as `/endpoint/…`. */
    readonly page: string;
    readonly serviceName: string | null;
    readonly delistedAt: number | null;
  };
  readonly freshness: Pick<TrustReport['freshness'], 'live' | 'notLiveReason' | 'liveProbeMs'> & {
    readonly probedAt: number | null;
  };
  /** What was scored, as `publishable` makes it. */
  readonly inputs: ScoreInputs;
  /** The verdict on just these inputs. */
  readonly verdict: Verdict;
  readonly terms: TermsFacts | null;
  readonly settlement: SettlementFacts | null;
  readonly compliance: Readonly<NonNullable<TrustReport['compliance']>> | null;
  readonly latency: Pick<Latency, 'p99' | 'mean' | 'vantage'> | null;
}

/**
 * The trust report on an endpoint, not signed yet. Every answer that shows a report takes it from here. Texts of
 * providers become plain text of bounded length; what was not measured is null.
 *
 * @throws RangeError when a time is no time or the verdict lacks a component, which are errors of the caller
 */
export function assembleReport(facts: ReportFacts): TrustReport {
  const { baseUrl, endpoint, inputs, generatedAt } = facts;
  return {
    $schema: schemaUrl('x402-trust', baseUrl),
    schemaVersion: TRUST_SCHEMA_VERSION,
    schemaType: TRUST_SCHEMA_TYPE,
    resource: shownResource(endpoint.resource),
    endpointId: endpoint.id,
    endpointPage: new URL(endpoint.page, baseUrl).href,
    serviceName: cleanText(endpoint.serviceName, TEXT_LIMITS.name),
    description: cleanText(inputs.description, TEXT_LIMITS.description),
    generatedAt: moment(generatedAt),
    freshness: freshnessOf(facts),
    listing: {
      status: inputs.listed ? 'listed' : 'delisted',
      firstSeen: moment(inputs.firstSeen),
      delistedAt: maybeMoment(endpoint.delistedAt),
    },
    templated: inputs.templated,
    ...reportedVerdict(facts.verdict),
    advertised: advertisedOf(facts),
    settlement: settlementOf(facts),
    compliance: complianceOf(facts),
    stats: reportedStats(inputs, facts.latency),
    signature: null,
  };
}

/** Whole seconds from a probe to the report; never negative, whatever the clocks say. */
export function ageSeconds(generatedAt: number, probedAt: number | null): number | null {
  return probedAt === null ? null : Math.max(0, Math.floor((generatedAt - probedAt) / 1000));
}

function freshnessOf({ freshness, generatedAt }: ReportFacts): TrustReport['freshness'] {
  const { live, notLiveReason, probedAt, liveProbeMs } = freshness;
  return {
    live,
    notLiveReason,
    probedAt: maybeMoment(probedAt),
    ageSeconds: ageSeconds(generatedAt, probedAt),
    liveProbeMs,
  };
}

function advertisedOf({ inputs: { advertised }, terms }: ReportFacts): TrustReport['advertised'] {
  if (advertised === null) return null;
  return {
    amount: atomicAmount(terms?.amount),
    amountUsd: advertised.amountUsd,
    asset: cleanText(terms?.asset, TEXT_LIMITS.address),
    network: shownText(advertised.network),
    decimals: terms?.decimals ?? null,
    payTo: shownText(advertised.payTo),
    protocolVersion: advertised.protocolVersion,
    networkKnown: advertised.networkKnown,
    falseUsdc: advertised.falseUsdc,
    observedAt: maybeMoment(terms?.observedAt ?? null),
    range30d: rangeOf(terms),
    options: (terms?.options ?? []).slice(0, MOST_OPTIONS).map(reportedOption),
  };
}

function rangeOf(terms: TermsFacts | null): Advertised['range30d'] {
  const lowUsd = sixDecimals(terms?.range30d?.lowUsd);
  const highUsd = sixDecimals(terms?.range30d?.highUsd);
  return lowUsd === null || highUsd === null ? null : { lowUsd, highUsd };
}

function settlementOf({ inputs, settlement }: ReportFacts): TrustReport['settlement'] {
  const { advertised, settlement: read } = inputs;
  if (advertised === null && read === null) return null;
  // What is said of the chain is said only where it was read.
  const chain = read === null ? null : settlement;
  return {
    payTo: cleanText(settlement?.payTo ?? advertised?.payTo, TEXT_LIMITS.address),
    network: cleanText(settlement?.network ?? advertised?.network, TEXT_LIMITS.address),
    volumeUsd30d: read && dollars(read.volumeUsd30d),
    settlements30d: chain?.settlements30d ?? null,
    payers30d: read && read.payers30d,
    topPayerShare: read && read.topPayerShare,
    lastSettledAt: maybeMoment(chain?.lastSettledAt ?? null),
    sharedWith: (settlement?.sharedWith ?? [])
      .slice(0, MOST_SHARERS)
      .map((resource) => shownResource(resource)),
    throughBlock: chain?.throughBlock ?? null,
    partial: read && read.partial === true,
    wallets: (settlement?.wallets ?? []).slice(0, MOST_OPTIONS).map(paidWallet),
  };
}

function paidWallet(wallet: SettlementFacts['wallets'][number]): PaidWallet {
  return {
    payTo: shownText(wallet.payTo),
    network: shownText(wallet.network),
    volumeUsd30d: wallet.volumeUsd30d === null ? null : dollars(wallet.volumeUsd30d),
    settlements30d: wallet.settlements30d,
    payers30d: wallet.payers30d,
    topPayerShare: wallet.topPayerShare,
    lastSettledAt: maybeMoment(wallet.lastSettledAt),
    throughBlock: wallet.throughBlock,
  };
}

function complianceOf({ compliance }: ReportFacts): TrustReport['compliance'] {
  if (compliance === null) return null;
  const { version, payable, checks } = compliance;
  return {
    version,
    payable,
    checks: checks.slice(0, MOST_CHECKS).map(({ id, pass, severity, message, fix, reference }) => ({
      id,
      pass,
      severity,
      message: shownText(message, TEXT_LIMITS.sentence),
      fix: cleanText(fix, TEXT_LIMITS.sentence),
      reference: shownText(reference, TEXT_LIMITS.sentence),
    })),
  };
}
