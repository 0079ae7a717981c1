import type { Flag } from '../types.ts';
import { ERROR_FLAGS } from './error-flags.ts';
import type { FlagInputs, FlagRule } from './flag-rule.ts';
import { MONEY_FLAGS } from './money-flags.ts';
import { SERVICE_FLAGS } from './service-flags.ts';

/** Published list of all flags, each with trigger, message and fix. */
export const FLAG_CATALOGUE: readonly FlagRule[] = [
  ...ERROR_FLAGS.map((flag) => ({ ...flag, severity: 'error' as const })),
  ...[...MONEY_FLAGS, ...SERVICE_FLAGS].map((flag) => ({ ...flag, severity: 'warning' as const })),
];

/** Detects the flags of an endpoint. The flags have the order of the published list, in which errors come first. */
export function detectFlags(facts: FlagInputs): Flag[] {
  return FLAG_CATALOGUE.flatMap(
    ({ slug, severity, message, notForTemplates, detect, explains = [], ...rule }) => {
      const detection = notForTemplates === true && facts.inputs.templated ? null : detect(facts);
      if (detection === null) return [];
      const { evidence, since = null, reason = message } = detection;
      const preventsProceed = detection.preventsProceed ?? rule.preventsProceed === true;
      return [{ slug, severity, message, evidence, since, reason, preventsProceed, explains }];
    },
  );
}
