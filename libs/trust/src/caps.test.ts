import { expect, test } from 'vitest';
import { capsOf, lower } from './caps.ts';
import { advertising, daysAgo, healthy, probed } from './testing/fixtures.ts';
import type { ScoreInputs } from './types.ts';

test.each<[string, Partial<ScoreInputs>, string[]]>([
  ['nothing amiss', {}, []],
  ['an outage of a day', { downSince: daysAgo(1) }, ['down-now']],
  ['an outage of less', { downSince: daysAgo(0.99) }, []],
  [
    'a new payTo of seven days',
    { changes: [{ kind: 'payto_change', at: daysAgo(7) }] },
    ['payto-changed-recently'],
  ],
  ['a new payTo of eight days', { changes: [{ kind: 'payto_change', at: daysAgo(8) }] }, []],
  [
    'a new payTo of a clock that runs ahead',
    { changes: [{ kind: 'payto_change', at: daysAgo(-1) }] },
    ['payto-changed-recently'],
  ],
  ['a new price', { changes: [{ kind: 'price_change', at: daysAgo(1) }] }, []],
  ['no payable envelope for more than a day', { lastPayableAt: daysAgo(1.01) }, ['not-payable']],
  [
    'no payable envelope ever, of one that advertises',
    { lastPayableAt: null, everChallenged: false },
    ['not-payable'],
  ],
  ['no payable envelope, and no probe to find one', { lastPayableAt: null, ...probed(0, 0) }, []],
  ['a miss, and nobody looked for three days', { downSince: daysAgo(3), lastProbedAt: daysAgo(3) }, []],
  [
    'an outage of a day, and nobody looked for two more',
    { downSince: daysAgo(3), lastProbedAt: daysAgo(2) },
    ['down-now'],
  ],
  [
    'a payable envelope of the day before the last probe',
    { lastPayableAt: daysAgo(4), lastProbedAt: daysAgo(3) },
    [],
  ],
  [
    'no payable envelope in the day before the last probe',
    { lastPayableAt: daysAgo(4.01), lastProbedAt: daysAgo(3) },
    ['not-payable'],
  ],
  [
    'an outage and no payable envelope, of unknown last probe',
    { downSince: daysAgo(3), lastPayableAt: null, lastProbedAt: null },
    [],
  ],
  [
    'no payable envelope, of one that never meant to charge',
    { lastPayableAt: null, everChallenged: false, advertised: null },
    [],
  ],
  [
    'data for free, whatever is advertised',
    { lastPayableAt: null, everChallenged: false, answeredFree: true },
    [],
  ],
  ['data for free after having charged', { lastPayableAt: daysAgo(9), answeredFree: true }, ['not-payable']],
  ['false USDC', advertising({ falseUsdc: true }), ['asset-not-usdc']],
])('%s', (_, change, expected) => {
  expect(capsOf(healthy(change)).map(({ rule }) => rule)).toEqual(expected);
});

test('the smallest cap decides, and a cap raises nothing', () => {
  const caps = capsOf(healthy({ downSince: daysAgo(3), ...advertising({ falseUsdc: true }) }));
  expect(caps.map(({ limit }) => limit)).toEqual([34, 20]);
  expect([lower(90, caps), lower(10, caps), lower(90, [])]).toEqual([20, 10, 90]);
});
