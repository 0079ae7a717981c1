import { formatCount, formatPercent, formatScore, toConfidenceBand } from '@touchstone/common';
import { MIN_CAUTION_SCORE, MIN_PROCEED_SCORE } from '@touchstone/contract/shared/values';
import type { Snapshot } from '@touchstone/store';

/**
 * Describes the recommendation for an endpoint in one or two sentences, from the free figures of its page. The text
 * counts the flags of the endpoint and names none, because the paid report sells the reasons.
 */
export function describeVerdict(snapshot: Snapshot): string {
  switch (snapshot.recommendation) {
    case 'proceed':
      return describeProceed(snapshot);
    case 'caution':
      return `Check it before you pay. ${describeCaution(snapshot)}`;
    case 'avoid':
      return `Do not pay at present. ${describeAvoid(snapshot)}`;
    case 'parameterize':
      return 'The URL is a template. Replace its placeholders with real values, and check the resulting URL before you pay.';
    case 'unverified':
      return describeUnverified(snapshot);
    case 'free':
      return 'It returns data without payment and has never requested payment, so it has no grade.';
  }
}

function describeProceed({ warningFlags, uptime30d, scoredProbes30d }: Snapshot): string {
  const uptime =
    uptime30d === null
      ? ''
      : ` ${formatPercent(uptime30d / 100)} of ${formatCount(scoredProbes30d, 'scored probe')} in 30 days succeeded.`;
  if (warningFlags === 0) return `No error and no warning applies.${uptime}`;
  const warnings =
    warningFlags === 1 ? 'its warning does not bar' : `none of its ${warningFlags} warnings bars`;
  return `No error applies, and ${warnings} a payment.${uptime}`;
}

function describeCaution({ confidence, score, scoredProbes30d, warningFlags }: Snapshot): string {
  if (toConfidenceBand(confidence) === 'low') {
    return `It has too few measurements yet: ${formatCount(scoredProbes30d, 'scored probe')} in 30 days.`;
  }
  if (score < MIN_PROCEED_SCORE) return `Its score of ${formatScore(score)} is below ${MIN_PROCEED_SCORE}.`;
  if (warningFlags === 1) return 'Its one warning advises care.';
  return `At least one of its ${formatCount(warningFlags, 'warning')} advises care.`;
}

function describeAvoid({ errorFlags, score }: Snapshot): string {
  if (errorFlags === 0) return `Its score of ${formatScore(score)} is below ${MIN_CAUTION_SCORE}.`;
  return `${formatCount(errorFlags, 'error')} ${errorFlags === 1 ? 'decides' : 'decide'} this.`;
}

function describeUnverified({ blockedSince, lastProbedAt, templated, probes30d }: Snapshot): string {
  // The band says next since when and how the probes were blocked.
  if (blockedSince !== null) return 'Nothing could be measured in the last 30 days.';
  if (templated && probes30d === 0)
    return 'The URL is a template without example values, so it cannot be probed.';
  return lastProbedAt === null
    ? 'It has not been probed yet.'
    : 'No probe could be scored in the last 30 days, so nothing is known about it.';
}
