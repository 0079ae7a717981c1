import { DAY_MS, formatMinute } from '@touchstone/common';
import { formatChange } from '../cause-texts.ts';
import { computeAgeMs, findRecentChanges, RECENT_PAYTO_DAYS, WINDOW_DAYS } from '../endpoint-state.ts';
import type { TermsChange } from '../types.ts';
import type { FlagDefinition, FlagDetection, FlagInputs } from './flag-rule.ts';

/** Number of days after a payTo change in which the recommendation cannot be `proceed`. */
const CONFIRMATION_DAYS = 14;

/**
 * Describes the latest of the given payTo changes.
 *
 * @param changes latest first
 * @param consequence end of the sentence
 * @returns null without a change
 */
export function describePayToChange(
  { inputs: { advertised } }: FlagInputs,
  [latest, ...earlier]: readonly TermsChange[],
  consequence = '',
): FlagDetection | null {
  if (latest === undefined) return null;
  const { at, before, after } = latest;
  const { asset = null, network = null } = advertised ?? {};
  return {
    since: at,
    evidence: { changes: earlier.length + 1, changedAt: at, before, after, network, asset },
    reason: `The payTo address changed${formatChange(latest)} on ${formatMinute(at)}${consequence}.`,
  };
}

/** Detects a payTo change that is older than the changes of `payto-changed-recently`. */
function detectEarlierPayToChange(facts: FlagInputs): FlagDetection | null {
  const { inputs } = facts;
  const changes = findRecentChanges(inputs, 'payto_change', WINDOW_DAYS);
  const ageDays = computeAgeMs(inputs.now, changes[0]?.at ?? inputs.now) / DAY_MS;
  const preventsProceed = ageDays <= CONFIRMATION_DAYS;
  const detection = describePayToChange(
    facts,
    ageDays > RECENT_PAYTO_DAYS ? changes : [],
    preventsProceed ? '; confirm with the provider that the new address is its own' : '',
  );
  return detection && { ...detection, preventsProceed };
}

/** Warning about a payTo change that is more than seven days old. */
export const PAYTO_CHANGED: FlagDefinition = {
  slug: 'payto-changed',
  explains: ['stability'],
  notForTemplates: true,
  trigger: `The latest change of the payTo address is more than ${String(RECENT_PAYTO_DAYS)} and at most ${String(WINDOW_DAYS)} days old. For ${String(CONFIRMATION_DAYS)} days after the change, the recommendation cannot be “proceed”.`,
  message: `The payTo address changed in the last ${String(WINDOW_DAYS)} days.`,
  fix: 'Keep one payTo address, and announce a change where buyers can verify it.',
  detect: detectEarlierPayToChange,
};
