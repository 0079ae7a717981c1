import type { RuleTable } from './compliance-document.ts';
import type { Rule } from './rule.ts';
import { BAZAAR_RULES } from './extensions/bazaar-rules.ts';
import { EXTENSION_RULES } from './extensions/extension-rules.ts';
import { HTTP_RULES } from './http/http-rules.ts';
import { LISTING_RULES } from './listing/listing-rules.ts';
import { MIXED_RULES } from './mixed/mixed-rules.ts';
import { V1_OPTION_RULES } from './v1/v1-option-rules.ts';
import { V1_RULES } from './v1/v1-rules.ts';
import { V2_ACCEPTS_RULES, V2_HEADER_RULES } from './v2/header-rules.ts';
import { V2_ASSET_PAYEE_RULES } from './v2/asset-payee-rules.ts';
import { V2_OPTION_LIST_RULES } from './v2/option-list-rules.ts';
import { V2_RESOURCE_RULES } from './v2/resource-rules.ts';
import { V2_SIGNING_RULES } from './v2/signing-rules.ts';
import { V2_OPTION_RULES } from './v2/option-rules.ts';

/** All compliance rules in report order, grouped into tables. A new rule is a new row in one of these tables. */
export const RULE_TABLES: readonly RuleTable[] = [
  { title: 'HTTP response', rules: HTTP_RULES },
  { title: 'PAYMENT-REQUIRED header', rules: V2_HEADER_RULES },
  { title: 'Version 2: resource', rules: V2_RESOURCE_RULES },
  {
    title: 'Version 2: payment options',
    rules: [
      ...V2_ACCEPTS_RULES,
      ...V2_OPTION_RULES,
      ...V2_ASSET_PAYEE_RULES,
      ...V2_SIGNING_RULES,
      ...V2_OPTION_LIST_RULES,
    ],
  },
  { title: 'Extensions', rules: EXTENSION_RULES },
  { title: 'Discovery extension (bazaar)', rules: BAZAAR_RULES },
  { title: 'Version 1: body', rules: [...V1_RULES, ...V1_OPTION_RULES] },
  { title: 'Both versions, and other payment protocols', rules: MIXED_RULES },
  { title: 'Response and directory listing', rules: LISTING_RULES },
];

export const RULES: readonly Rule[] = RULE_TABLES.flatMap(({ rules }) => rules);
