import {
  formatCount,
  formatInPeriod,
  formatPercent,
  formatScore,
  toConfidenceBand,
} from '@touchstone/common';
import { MIN_CAUTION_SCORE, MIN_PROCEED_SCORE } from '@touchstone/contract/shared/values';
import type { Snapshot } from '@touchstone/store';

/**
 * Describes the recommendation for an endpoint in one or two sentences, from the free figures of its page. The text
 * counts the flags of the endpoint and names none, because the paid report sells the reasons.
 *
 * @param period Period of the 30-day figures, from `formatPeriod`.
 */
export function describeVerdict(snapshot: Snapshot, period: string): string {
  switch (snapshot.recommendation) {
    case 'proceed':
      return describeProceed(snapshot, period);
    case 'caution':
      return `Check it before you pay. ${describeCaution(snapshot, period)}`;
    case 'avoid':
      return `Do not pay at present. ${describeAvoid(snapshot)}`;
    case 'parameterize':
      return describeTemplate(snapshot);
    case 'unverified':
      return describeUnverified(snapshot);
    case 'free':
      return 'It returns data without payment and has never requested payment, so it has no grade.';
  }
}

function describeProceed({ warningFlags, uptime30d, scoredProbes30d }: Snapshot, period: string): string {
  const uptime =
    uptime30d === null
      ? ''
      : ` ${formatPercent(uptime30d / 100)} of ${formatCount(scoredProbes30d, 'scored probe')} ${formatInPeriod(period)} succeeded.`;
  if (warningFlags === 0) return `No error and no warning applies.${uptime}`;
  const warnings =
    warningFlags === 1 ? 'its warning does not bar' : `none of its ${warningFlags} warnings bars`;
  return `No error applies, and ${warnings} a payment.${uptime}`;
}

function describeCaution(
  { confidence, score, scoredProbes30d, warningFlags }: Snapshot,
  period: string,
): string {
  if (toConfidenceBand(confidence) === 'low') {
    return `It has too few measurements yet: ${formatCount(scoredProbes30d, 'scored probe')} ${formatInPeriod(period)}.`;
  }
  if (score < MIN_PROCEED_SCORE) return `Its score of ${formatScore(score)} is below ${MIN_PROCEED_SCORE}.`;
  if (warningFlags === 1) return 'Its one warning advises care.';
  return `At least one of its ${formatCount(warningFlags, 'warning')} advises care.`;
}

function describeAvoid({ errorFlags, score }: Snapshot): string {
  if (errorFlags === 0) return `Its score of ${formatScore(score)} is below ${MIN_CAUTION_SCORE}.`;
  return `${formatCount(errorFlags, 'error')} ${errorFlags === 1 ? 'decides' : 'decide'} this.`;
}

/** Placeholder of a canonical URL template, with a short name that a sentence can contain. */
const PLACEHOLDER = /\{[\w.-]{1,30}\}|(?<=\/):[A-Za-z_][\w.-]{0,29}(?=[/?]|$)/;

function describeTemplate({ resource }: Snapshot): string {
  const [example] = PLACEHOLDER.exec(resource) ?? [];
  const replaced = example === undefined ? 'each placeholder' : `each placeholder, such as ${example},`;
  return `This is a template for many URLs. Put a real value in place of ${replaced} and check the resulting URL before you pay.`;
}

function describeUnverified({ blockedSince, lastProbedAt, templated, probes30d }: Snapshot): string {
  // The band says next since when and how the probes were blocked.
  if (blockedSince !== null) return 'Nothing could be measured in the last 30 days.';
  if (templated && probes30d === 0)
    return 'The URL is a template without example values, so it cannot be probed.';
  return lastProbedAt === null
    ? 'It has not been probed yet.'
    : 'No probe could be scored in the last 30 days, so it has no grade.';
}
