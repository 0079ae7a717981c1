import type { TrustReport } from '@touchstone/contract';
import type { ReportSource } from '@touchstone/store';
import { assembleReport, publishable, score, type ReportFacts, type TermsFacts } from '@touchstone/trust';
import { describeReference, RULES } from '@touchstone/x402';
import { mainOption } from './terms.ts';

/** Where latency is measured from. */
const VANTAGE = 'EU';

type Compliance = NonNullable<ReportFacts['compliance']>;

export interface ReportOptions {
  /** Address of the service that makes the report. */
  readonly baseUrl: string;
  /** When it is made, milliseconds since the epoch. */
  readonly generatedAt: number;
  /** The URL as it was asked for; as the catalog has it unless given. */
  readonly resource?: string;
  /** How the endpoint was asked for this report; not at all unless given. */
  readonly freshness?: ReportFacts['freshness'];
}

/**
 * The report on an endpoint from what is stored of it: the figures of its latest score, as its page shows them.
 * Not signed.
 */
export function toReport(source: ReportSource, options: ReportOptions): TrustReport {
  const { endpoint, facts } = source;
  const { baseUrl, generatedAt, resource = endpoint.resource } = options;
  const inputs = publishable(source.inputs);
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
    freshness: options.freshness ?? notLive(source, endpoint.templated ? 'template' : 'stored'),
    inputs,
    verdict: score(inputs),
    terms: termsOf(source),
    settlement: source.facts.settlement && { ...source.facts.settlement, sharedWith: source.sharedWith },
    compliance: complianceOf(source.challenge),
    latency: { p99: facts.latencyMsP99, mean: facts.latencyMsMean, vantage: VANTAGE },
  });
}

/** What is said of a report from stored data: why nobody was asked for it, and when somebody was last. */
export function notLive(
  { facts }: ReportSource,
  notLiveReason: ReportFacts['freshness']['notLiveReason'],
): ReportFacts['freshness'] {
  return { live: false, notLiveReason, probedAt: facts.lastProbedAt, liveProbeMs: null };
}

function termsOf({ payOn, facts }: ReportSource): TermsFacts | null {
  const main = mainOption(payOn);
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

/** Every rule that applied to the latest challenge, in the order of the table; one that is known no more is left out. */
function complianceOf(challenge: ReportSource['challenge']): Compliance | null {
  if (challenge === null) return null;
  const { version, payable, passed, failed } = challenge;
  const didPass = new Set(passed);
  const findings = new Map(failed.map((finding) => [finding.id, finding]));
  const checks = RULES.flatMap((rule): Compliance['checks'] => {
    const { id, severity, holds, fix } = rule;
    const reference = describeReference(rule.reference);
    const finding = findings.get(id);
    if (finding !== undefined) return [{ ...finding, pass: false, fix, reference }];
    return didPass.has(id) ? [{ id, pass: true, severity, message: holds, fix: null, reference }] : [];
  });
  return { version, payable: payable.v1 || payable.v2, checks };
}
