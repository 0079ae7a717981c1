import type { FlagFacts, FlagRow, FlagRule } from './flag-rule.ts';
import { ERROR_FLAGS } from './error-flags.ts';
import { WARNING_FLAGS } from './service-flags.ts';
import type { Flag } from '../types.ts';

const FLAGS: readonly FlagRule[] = [...ERROR_FLAGS, ...WARNING_FLAGS];
const barring = new Set(FLAGS.filter(({ barsProceed }) => barsProceed === true).map(({ slug }) => slug));

/** Every flag there is: when it is raised, what it tells a payer and what a provider can do about it. */
export const FLAG_CATALOGUE: readonly FlagRow[] = FLAGS;

/** The flags that are raised, errors first, in the order of the catalogue. */
export function flagsOf(facts: FlagFacts): Flag[] {
  return FLAGS.flatMap(({ slug, severity, message, notForTemplates, detect }) => {
    const sighting = notForTemplates === true && facts.inputs.templated ? null : detect(facts);
    return sighting === null
      ? []
      : [{ slug, severity, message, evidence: sighting.evidence, since: sighting.since ?? null }];
  });
}

/** True for a warning that keeps an endpoint from `proceed`. */
export function barsProceed({ slug }: Pick<Flag, 'slug'>): boolean {
  return barring.has(slug);
}
