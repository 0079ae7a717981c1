import type { Rule } from './rule.ts';
import { DUAL_RULES } from './rules-dual.ts';
import { HTTP_RULES } from './rules-http.ts';
import { V1_RULES } from './rules-v1.ts';
import { V2_OPTION_RULES } from './rules-v2-options.ts';
import { V2_RULES } from './rules-v2.ts';

/** Every compliance rule, in the order of a report. A new rule is a new row in one of these tables. */
export const RULES: readonly Rule[] = [
  ...HTTP_RULES,
  ...V2_RULES,
  ...V2_OPTION_RULES,
  ...V1_RULES,
  ...DUAL_RULES,
];
