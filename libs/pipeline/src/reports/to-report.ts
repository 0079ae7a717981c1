import type { TrustReport } from '@touchstone/contract';
import type { ReportSource } from '@touchstone/store';
import {
  assembleReport,
  toPublishableInputs,
  score,
  type ReportFacts,
  type TermsFacts,
} from '@touchstone/trust';
import { describeReference, RULES } from '@touchstone/x402';
import { selectMainOption } from '../payment-terms.ts';

type Compliance = NonNullable<ReportFacts['compliance']>;

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
}

/**
 * Creates the unsigned report on an endpoint from its stored data. The report has the figures of the endpoint's latest
 * score, which are also on its page.
 */
export function toReport(source: ReportSource, options: ReportOptions): TrustReport {
  const { endpoint, facts } = source;
  const { baseUrl, vantage, generatedAt, resource = endpoint.resource } = options;
  const inputs = toPublishableInputs(source.inputs);
  return assembleReport({
    baseUrl,
    generatedAt,
    endpoint: {
      id: endpoint.id,
      resource,
      page: `/endpoint/${endpoint.slug}`,
      serviceName: endpoint.serviceName,
      delistedAt: endpoint.delistedAt,
    },
    freshness: options.freshness ?? toStoredFreshness(source, endpoint.templated ? 'template' : 'stored'),
    inputs,
    verdict: score(inputs),
    terms: toTermsFacts(source),
    settlement: source.facts.settlement && { ...source.facts.settlement, sharedWith: source.sharedWith },
    compliance: toCompliance(source.challenge),
    latency: { p99: facts.latencyMsP99, mean: facts.latencyMsMean, vantage },
  });
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
    asset: main.asset,
    decimals: main.decimals,
    range30d: lowUsd === null || highUsd === null ? null : { lowUsd, highUsd },
    observedAt: facts.termsAt,
    options: payOn.map((option) => ({ ...option, falseUsdc: option.falseUsdc === true })),
  };
}

/**
 * Lists every compliance rule that applied to the latest challenge, in the order of the rule table. Rules that were
 * removed from the table are left out.
 */
function toCompliance(challenge: ReportSource['challenge']): Compliance | null {
  if (challenge === null) return null;
  const { version, payable, passed, failed } = challenge;
  const passedIds = new Set(passed);
  const findings = new Map(failed.map((finding) => [finding.id, finding]));
  const checks = RULES.flatMap((rule): Compliance['checks'] => {
    const { id, severity, requirement, fix } = rule;
    const reference = describeReference(rule.reference);
    const finding = findings.get(id);
    if (finding !== undefined) return [{ ...finding, pass: false, fix, reference }];
    return passedIds.has(id)
      ? [{ id, pass: true, severity, message: requirement, fix: null, reference }]
      : [];
  });
  return { version, payable: payable.v1 || payable.v2, checks };
}
