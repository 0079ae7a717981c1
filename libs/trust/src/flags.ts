import type { FlagFacts, FlagRow, FlagRule } from './flag-rule.ts';
import { ERROR_FLAGS } from './flags-error.ts';
import { WARNING_FLAGS } from './flags-warning.ts';
import type { Flag } from './types.ts';

const FLAGS: readonly FlagRule[] = [...ERROR_FLAGS, ...WARNING_FLAGS];
const aboutMoney = new Set(FLAGS.filter(({ money }) => money === true).map(({ slug }) => slug));

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

/** True for a flag about what is paid or to whom. */
export function isAboutMoney({ slug }: Pick<Flag, 'slug'>): boolean {
  return aboutMoney.has(slug);
}
