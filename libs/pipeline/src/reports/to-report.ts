import type { TrustReport } from '@touchstone/contract';
import {
  assembleReport,
  toPublishableInputs,
  score,
  type ComplianceFacts,
  type ReportFacts,
  type TermsFacts,
} from '@touchstone/trust';
import { describeReference, RULES } from '@touchstone/x402';
import { selectMainOption } from '../payment-terms.ts';
import type { ReportSource } from '@touchstone/store';

type PassedCheck = NonNullable<ComplianceFacts['passedChecks']>[number];

export interface ReportOptions {
  /** Base URL of the service that makes the report. */
  readonly baseUrl: string;
  /** Location from which latency is measured. */
  readonly vantage: string;
  /** Time of the report, in milliseconds since the epoch. */
  readonly generatedAt: number;
  /** URL in the spelling of the request; by default the URL in the catalog. */
  readonly resource?: string;
  /** Freshness after a live probe. Without it, the report states that it was made from stored data. */
  readonly freshness?: ReportFacts['freshness'];
  readonly related?: ReportFacts['related'];
  /** A `full` report also lists the compliance checks that passed; default `short`. */
  readonly detail?: 'short' | 'full';
}

/**
 * Creates the unsigned report on an endpoint from its stored data. The report has the figures of the endpoint's latest
 * score, which are also on its page.
 */
export function toReport(source: ReportSource, options: ReportOptions): TrustReport {
  const { endpoint, facts } = source;
  const { baseUrl, vantage, generatedAt, resource = endpoint.resource } = options;
  const inputs = toPublishableInputs(source.inputs);
  const freshness =
    options.freshness ?? toStoredFreshness(source, endpoint.templated ? 'template' : 'stored');
  return assembleReport({
    baseUrl,
    generatedAt,
    endpoint: {
      id: endpoint.id,
      resource,
      page: `/endpoint/${endpoint.slug}`,
      serviceName: endpoint.serviceName,
      source: endpoint.source,
    },
    freshness,
    inputs,
    verdict: score(inputs),
    terms: toTermsFacts(source),
    settlement: source.facts.settlement && { ...source.facts.settlement, sharedWith: source.sharedWith },
    compliance: toCompliance(source, options.detail === 'full'),
    latency: {
      p99: facts.responseMsP99,
      mean: facts.responseMsMean,
      firstByte:
        facts.firstByteMsP50 === null || facts.firstByteMsP95 === null
          ? null
          : { p50: facts.firstByteMsP50, p95: facts.firstByteMsP95 },
      vantage,
    },
    lastProbedAt: findLatest(facts.lastProbedAt, freshness.probedAt),
    causes30d: facts.causes30d,
    related: options.related ?? null,
  });
}

/** Returns the later time. A live probe without news is not stored, so it can be later than the latest stored probe. */
function findLatest(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}

/**
 * Returns the freshness of a report from stored data: the reason why there was no live probe, and the time of the last
 * probe.
 */
export function toStoredFreshness(
  { facts }: ReportSource,
  notLiveReason: ReportFacts['freshness']['notLiveReason'],
): ReportFacts['freshness'] {
  return { live: false, notLiveReason, probedAt: facts.lastProbedAt, liveProbeMs: null };
}

function toTermsFacts({ payOn, facts }: ReportSource): TermsFacts | null {
  const main = selectMainOption(payOn);
  if (main === null) return null;
  const { lowestPriceUsd: lowUsd, highestPriceUsd: highUsd } = facts;
  return {
    amount: main.amount,
    decimals: main.decimals,
    amountRange30d: lowUsd === null || highUsd === null ? null : { lowUsd, highUsd },
    observedAt: facts.termsAt,
    options: payOn.map((option) => ({ ...option, falseUsdc: option.falseUsdc === true })),
  };
}

/**
 * Returns the results of the compliance rules on the latest challenge, in the order of the rule table. Rules that were
 * removed from the table are left out.
 */
function toCompliance({ challenge, facts }: ReportSource, isFull: boolean): ComplianceFacts | null {
  if (challenge === null) return null;
  const { version } = challenge;
  const passedIds = new Set(challenge.passed);
  const findings = new Map(challenge.failed.map((finding) => [finding.id, finding]));
  const failed = RULES.flatMap(({ id, fix, reference }) => {
    const finding = findings.get(id);
    return finding === undefined ? [] : [{ ...finding, fix, reference: describeReference(reference) }];
  });
  const passed = RULES.filter(({ id }) => passedIds.has(id));
  return {
    version,
    observedAt: facts.complianceAt,
    failed,
    passed: passed.map(({ id }) => id),
    skippedCount: RULES.length - failed.length - passed.length,
    ...(isFull ? { passedChecks: passed.map(toPassedCheck) } : {}),
  };
}

function toPassedCheck({ id, axis, requirement, reference }: (typeof RULES)[number]): PassedCheck {
  return { id, axis, message: requirement, reference: describeReference(reference) };
}
