import type { Rule } from './rule.ts';
import { BAZAAR_RULES } from './rules-bazaar.ts';
import { EXTENSION_RULES } from './rules-extensions.ts';
import { HTTP_RULES } from './rules-http.ts';
import { LISTING_RULES } from './rules-listing.ts';
import { MIXED_RULES } from './rules-mixed.ts';
import { V1_OPTION_RULES } from './rules-v1-options.ts';
import { V1_RULES } from './rules-v1.ts';
import { V2_ACCEPTS_RULES, V2_HEADER_RULES } from './rules-v2-header.ts';
import { V2_MONEY_RULES } from './rules-v2-money.ts';
import { V2_OFFER_RULES } from './rules-v2-offers.ts';
import { V2_RESOURCE_RULES } from './rules-v2-resource.ts';
import { V2_SIGNING_RULES } from './rules-v2-signing.ts';
import { V2_TERMS_RULES } from './rules-v2-terms.ts';

/** Every compliance rule, in the order of a report. A new rule is a new row in one of these tables. */
export const RULES: readonly Rule[] = [
  ...HTTP_RULES,
  ...V2_HEADER_RULES,
  ...V2_RESOURCE_RULES,
  ...V2_ACCEPTS_RULES,
  ...V2_TERMS_RULES,
  ...V2_MONEY_RULES,
  ...V2_SIGNING_RULES,
  ...V2_OFFER_RULES,
  ...EXTENSION_RULES,
  ...BAZAAR_RULES,
  ...V1_RULES,
  ...V1_OPTION_RULES,
  ...MIXED_RULES,
  ...LISTING_RULES,
];
