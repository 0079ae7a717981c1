import type { ScoreInputs } from '../types.ts';
import { withLastChallenge } from './fixtures.ts';
import { createSales, NO_SALES } from './sandbox-sales.ts';
import { AGE_VALUE, repeatForDays, withListing, type Story } from './story.ts';

/** Setting that a buyer needs. The text of the setting is not compared. */
function withSetting(kind: 'amount' | 'token' | 'scheme'): Pick<ScoreInputs, 'lastChallenge'> {
  return withLastChallenge({ neededSettings: [{ kind, setting: `the ${kind}` }] });
}

/**
 * Creates the test stories of sandbox endpoints that clients with default settings refuse.
 *
 * @param healthy story of a healthy endpoint with unmeasured activity
 */
export function createSettingsStories(healthy: Story): Readonly<Record<string, Story>> {
  return {
    // The price of $25 is over the default limit of clients. Every buyer can raise this limit.
    'over-client-limit': {
      ...healthy,
      sales: createSales(3, 0.6, [14, 25]),
      facts: withSetting('amount'),
      ...{ score: 84.2, flags: ['needs-client-settings'] },
    },
    // A change seven days ago to a token that clients must be told to allow: the stability value is 1 − 0.3·23/30. The
    // first probe is half an hour after the start of the simulation, so 335 of 671 challenges pass. Payments in the new
    // token are not read, so activity is unmeasured.
    'asset-change': {
      ...healthy,
      history: [
        ...repeatForDays(7 - 1 / 48, 'pass'),
        ...repeatForDays(7, 'warnings', { network: 'eip155:8453/eurc', microUsd: null }),
      ],
      facts: withSetting('token'),
      values: [1, (335 + 336 * 0.9) / 671, 0.77, null, AGE_VALUE, 1],
      ...{ score: 88.5, recommendation: 'caution' },
      flags: ['price-unknown', 'needs-client-settings', 'network-changed-recently'],
    },
    // A token on a network that no service can read. Clients must be told to allow the token.
    'unlisted-token': {
      ...healthy,
      history: repeatForDays(14, 'warnings', { microUsd: null }),
      facts: { ...withListing({ networkKnown: false }), ...withSetting('token') },
      values: [1, 0.9, 1, null, AGE_VALUE, 1],
      ...{ score: 91.1, recommendation: 'caution' },
      flags: ['price-unknown', 'needs-client-settings', 'network-unknown'],
    },
    // The only option has the scheme upto, whose client the buyer must register.
    'upto-scheme': {
      ...healthy,
      history: repeatForDays(14, 'warnings'),
      sales: NO_SALES,
      facts: withSetting('scheme'),
      values: [1, 0.9, 1, null, AGE_VALUE, 1],
      ...{ score: 77.4, grade: 'B', recommendation: 'caution' },
      flags: ['needs-client-settings', 'no-settlements'],
    },
  };
}
