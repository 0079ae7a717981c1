import { withLastChallenge } from './fixtures.ts';
import { NO_SALES } from './sandbox-sales.ts';
import { AGE_VALUE, repeatForDays, V1, withListing, type Story } from './story.ts';

/** Formal errors in every challenge, and no sales. The challenges can be paid, but a warning leads to `caution`. */
const BROKEN: Story = {
  history: repeatForDays(14, 'errors'),
  sales: NO_SALES,
  values: [1, 0.5, 1, null, AGE_VALUE, 1],
  ...{
    score: 67.4,
    grade: 'B',
    recommendation: 'caution',
    flags: ['envelope-formal-errors', 'no-settlements'],
    caps: [],
  },
};
/** Only unpayable challenges, and no sales. The score of 54.9 is capped at 49. */
export const UNPAYABLE: Story = {
  history: repeatForDays(14, 'unpayable'),
  sales: NO_SALES,
  values: [1, 0, 1, null, AGE_VALUE, 1],
  ...{ score: 49, grade: 'D', recommendation: 'avoid' },
  flags: ['not-payable', 'envelope-noncompliant', 'not-payable-now', 'no-settlements'],
  caps: ['no-payable-challenge'],
};

/** Test stories of sandbox endpoints whose challenges are faulty. `withActivity` fills in the activity values. */
export const FAULTY_CHALLENGES: Readonly<Record<string, Story>> = {
  'oversized-header': UNPAYABLE,
  'amount-number': BROKEN,
  'wrong-eip712-name': UNPAYABLE,
  'v1-no-mime-type': {
    ...BROKEN,
    facts: V1,
    flags: ['envelope-formal-errors', 'no-settlements', 'legacy-version'],
  },
  'no-resource': {
    ...BROKEN,
    facts: withLastChallenge({ resourceInfoMissing: true }),
    flags: ['envelope-formal-errors', 'no-settlements', 'missing-resource-info'],
  },
  ...{ 'bad-base64': UNPAYABLE, base64url: UNPAYABLE, 'truncated-json': UNPAYABLE, 'html-402': UNPAYABLE },
  'no-amount': {
    ...UNPAYABLE,
    history: repeatForDays(14, 'unpayable', { microUsd: null }),
    flags: ['not-payable', 'envelope-noncompliant', 'price-unknown', 'not-payable-now', 'no-settlements'],
  },
  ...{
    'no-pay-to': {
      ...UNPAYABLE,
      sales: null,
      flags: ['not-payable', 'envelope-noncompliant', 'not-payable-now'],
    },
    'no-eip712-domain': UNPAYABLE,
    'no-accepts': UNPAYABLE,
  },
  'v2-body-only': UNPAYABLE,
  'renamed-header': UNPAYABLE,
  'fake-usdc': {
    ...UNPAYABLE,
    history: repeatForDays(14, 'unpayable', { microUsd: null }),
    // Only USDC payments are read, and this token is not USDC.
    sales: null,
    facts: withListing({ falseUsdc: true, falseUsdcAsset: 'fake-usdc' }),
    ...{ score: 20, grade: 'F', caps: ['no-payable-challenge', 'asset-not-usdc'] },
    flags: ['asset-not-usdc', 'not-payable', 'envelope-noncompliant', 'price-unknown', 'not-payable-now'],
  },
};
