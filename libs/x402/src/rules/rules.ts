import type { RuleTable } from './compliance-document.ts';
import type { Rule } from './rule.ts';
import { BAZAAR_RULES } from './bazaar.ts';
import { EXTENSION_RULES } from './extensions.ts';
import { HTTP_RULES } from './http.ts';
import { LISTING_RULES } from './listing.ts';
import { MIXED_RULES } from './mixed.ts';
import { V1_OPTION_RULES } from './v1-options.ts';
import { V1_RULES } from './v1.ts';
import { V2_ACCEPTS_RULES, V2_HEADER_RULES } from './v2-header.ts';
import { V2_MONEY_RULES } from './v2-money.ts';
import { V2_OFFER_RULES } from './v2-offers.ts';
import { V2_RESOURCE_RULES } from './v2-resource.ts';
import { V2_SIGNING_RULES } from './v2-signing.ts';
import { V2_TERMS_RULES } from './v2-terms.ts';

/** Every compliance rule, in the order of a report. A new rule is a new row in one of these tables. */
export const RULE_TABLES: readonly RuleTable[] = [
  { title: 'The HTTP answer', rules: HTTP_RULES },
  { title: 'The PAYMENT-REQUIRED header', rules: V2_HEADER_RULES },
  { title: 'The resource of version 2', rules: V2_RESOURCE_RULES },
  {
    title: 'Each way to pay of version 2',
    rules: [
      ...V2_ACCEPTS_RULES,
      ...V2_TERMS_RULES,
      ...V2_MONEY_RULES,
      ...V2_SIGNING_RULES,
      ...V2_OFFER_RULES,
    ],
  },
  { title: 'Extensions', rules: EXTENSION_RULES },
  { title: 'The discovery extension', rules: BAZAAR_RULES },
  { title: 'The body of version 1', rules: [...V1_RULES, ...V1_OPTION_RULES] },
  { title: 'Both versions, and other ways to ask for payment', rules: MIXED_RULES },
  { title: 'The answer against its listing', rules: LISTING_RULES },
];

export const RULES: readonly Rule[] = RULE_TABLES.flatMap(({ rules }) => rules);
