import { NOT_IN_CATALOG, SCHEMAS, TRUST_REPORT_EXAMPLE, type Bulk, type History } from '@touchstone/contract';
import { FLAG_CATALOGUE } from '@touchstone/trust';
import { repeat, type Row } from './call-with-body.ts';

export const RESOURCE = 'https://api.example.com/v1/weather';
export const OWNER = { watch_id: `w_${'a'.repeat(26)}`, secret: `wsk_${'A'.repeat(43)}` };
const DAY_MS = 86_400_000;
const START = Date.parse('2026-03-01T00:00:00.000Z');

export const toTime = (at: number): string => new Date(START + at).toISOString();
const getExample = (name: keyof typeof SCHEMAS) => structuredClone(SCHEMAS[name].example);

export const ERROR_FLAGS = FLAG_CATALOGUE.filter(({ severity }) => severity === 'error').map(
  ({ slug }) => slug,
);

/** Letters of all error flags in the lines of bulk scores. */
export const LETTERS = 'abcdefghijklmnopqrstuvwxyz'.slice(0, ERROR_FLAGS.length);

/** Bulk scores of 500 endpoints, each of which has all error flags. */
export const BULK: Bulk = {
  ...SCHEMAS['x402-trust-bulk'].schema.parse(getExample('x402-trust-bulk')),
  ...{ count: 500, found: 498 },
  results: repeat(500, (at) => ({
    resource: `${RESOURCE}/${String(at)}`,
    ...(at >= 498
      ? { ...NOT_IN_CATALOG, schemeVariant: at === 498 ? 'http://api.example.com/v1/weather/498' : null }
      : {
          ...{ found: true, schemeVariant: null },
          ...{ score: 34.9, grade: 'F' as const, recommendation: 'avoid' as const },
          ...{ confidence: 0.97, error_flags: ERROR_FLAGS, delivery: 'failed' as const },
          ...{ probed_at: toTime(at), computed_at: toTime(at), endpointPage: `${RESOURCE}/${String(at)}` },
        }),
  })),
};

const EVENT = SCHEMAS['x402-history'].schema.parse(getExample('x402-history')).snapshots[0];

const PURCHASE = SCHEMAS['x402-history'].schema.shape.purchases.element.parse(
  TRUST_REPORT_EXAMPLE.delivery?.purchases[0],
);

/** History of 90 days with all probes, one every 30 minutes. The endpoint fails in every eleventh probe. */
export const HISTORY: History = {
  ...SCHEMAS['x402-history'].schema.parse(getExample('x402-history')),
  days: 90,
  snapshots: EVENT === undefined ? [] : repeat(200, (at) => ({ ...EVENT, at: toTime(at * DAY_MS) })),
  purchases: repeat(50, (at) => ({ ...PURCHASE, at: toTime(at * DAY_MS) })),
  probes: repeat(90 * 48, (at) => ({
    ...{ at: toTime((at * DAY_MS) / 48), amountUsd: '0.010000' },
    ...(at % 11 === 10
      ? { outcome: 'server-error', httpStatus: 502, error: 'http-502', latencyMs: null, compliant: null }
      : { outcome: 'challenged', httpStatus: 402, error: null, latencyMs: 200 + (at % 11), compliant: true }),
  })),
  daily: repeat(91, (at) => ({
    ...{ day: toTime(at * DAY_MS).slice(0, 10), probes: 48, scored: 48, up: 44 },
    ...{ latencyMsP50: 211.4, latencyMsP95: 590.9, score: 71.7 },
  })),
};

/** Largest history with the resolution `daily`. */
export const DAILY_HISTORY: History = {
  ...HISTORY,
  snapshots: HISTORY.snapshots.slice(0, 9),
  purchases: HISTORY.purchases.slice(0, 10),
  probes: [],
};

/** Report with all flags, and with the requirements of all passed rules. */
export const SICK_REPORT = {
  ...TRUST_REPORT_EXAMPLE,
  compliance: {
    ...TRUST_REPORT_EXAMPLE.compliance,
    passedChecks: repeat(60, (at) => ({
      ...{ id: `rule-${String(at)}`, axis: 'payable' },
      ...{ message: 'A requirement of the specification. '.repeat(2), reference: 'x402, section 5' },
    })),
  },
  flags: Object.fromEntries(
    FLAG_CATALOGUE.map(({ slug, severity, message }) => [
      slug,
      { severity, message, evidence: { failures: 1_340, of: 1_440 }, since: toTime(0) },
    ]),
  ),
};

/** Preview with the report of a healthy endpoint, and with two reports of endpoints with all flags. */
const PREVIEW = {
  ...getExample('x402-trust-preview'),
  samples: ['best', 'median', 'worst'].map((role, at) => ({
    ...{ role, populationRank: at + 1 },
    report: role === 'best' ? TRUST_REPORT_EXAMPLE : SICK_REPORT,
  })),
};

export const [MATCH] = SCHEMAS['semantic-search'].schema.parse(getExample('semantic-search')).matches;
export const DESCRIPTION = 'Température et vent pour chaque ville 🌦'.repeat(20).slice(0, 499);
const LONG_URL = `${RESOURCE}?q=${'x'.repeat(1_900)}`;
const createMatches = (create: () => object) => ({
  ...{ query: 'a', count: 25 },
  matches: repeat(25, () => ({ ...MATCH, ...create() })),
});

const similar = SCHEMAS.similar.schema.parse(getExample('similar'));
const SIMILAR = { ...similar, count: 25, alternatives: repeat(25, () => similar.alternatives[0]) };
const leaderboard = SCHEMAS.leaderboard.schema.parse(getExample('leaderboard'));
const LEADERBOARD = { ...leaderboard, count: 25, endpoints: repeat(25, () => leaderboard.endpoints[0]) };

const page = SCHEMAS['watch-events'].schema.parse(getExample('watch-events'));
const repeatEvents = <Event>(event: Event) =>
  repeat(100, (at) => ({ ...event, event_id: `evt_${'a'.repeat(26)}_${String(at + 1)}` }));
export const EVENTS = {
  ...page,
  events: repeatEvents(page.events[0]),
  watch_events: repeatEvents(page.watch_events[0]),
};

const check = SCHEMAS['x402-check'].schema.parse(getExample('x402-check'));
/** Check with many faults, and with long quotations from the response. */
const CHECK = {
  ...check,
  faults: repeat(40, () => ({ ...check.faults[0], message: 'm'.repeat(300) })),
  response: { ...check.response, terms: 't'.repeat(3_000), body: 'b'.repeat(1_000) },
};

/** Largest real bodies that a tool can return, with arguments of the call. */
export const LARGEST: readonly Row[] = [
  ['x402_trust_bulk', { resources: BULK.results.map(({ resource }) => resource) }, BULK],
  ['x402_endpoint_history', { resource: RESOURCE, days: 90 }, DAILY_HISTORY],
  ['x402_endpoint_history', { resource: RESOURCE, days: 90, resolution: 'all' }, HISTORY],
  ['x402_trust_score', { resource: RESOURCE, detail: 'full' }, SICK_REPORT],
  ['x402_trust_preview', {}, PREVIEW],
  ['x402_check', { resource: RESOURCE }, CHECK],
  ['x402_semantic_search', { query: 'a' }, createMatches(() => ({ description: DESCRIPTION }))],
  ['x402_semantic_search', { query: 'a' }, createMatches(() => ({ resource: LONG_URL }))],
  ['x402_find_alternatives', { resource: RESOURCE, limit: 25 }, SIMILAR],
  ['x402_trust_leaderboard', {}, LEADERBOARD],
  ['x402_watch_events', OWNER, EVENTS],
];

/** Responses of the other tools, which have no long lists. */
export const EXAMPLES: readonly Row[] = [
  [
    'x402_payment_status',
    { network: 'eip155:8453', transaction: `0x${'ab'.repeat(32)}` },
    getExample('payment-status'),
  ],
  ['x402_summary', { resource: RESOURCE }, getExample('endpoint-summary')],
  ['x402_ecosystem_stats', {}, getExample('stats')],
  ['x402_watch_create', { endpoint: RESOURCE }, getExample('watch-created')],
  ['x402_watch_show', OWNER, getExample('watch')],
  ['x402_watch_edit', { ...OWNER, liveness_sensitivity_n: 5 }, getExample('watch')],
  ['x402_watch_cancel', OWNER, getExample('watch')],
  ['x402_watch_renew', { watch_id: OWNER.watch_id }, getExample('watch-renewed')],
];

/** Returns the largest body of a tool, and the arguments of the call. */
export const findLargest = (name: string, at = 0): Row => {
  const row = LARGEST.filter((each) => each[0] === name)[at];
  if (row === undefined) throw new Error(`no body of ${name}`);
  return row;
};
