import { at, toTime } from '../sql-time.ts';
import { toEndpoint, toId, toJson } from './previous-rows.ts';

const NETWORK = 'eip155:8453';
const WALLET = `0x${'ab'.repeat(20)}`;
/** Id of the vector space of the embeddings. */
export const MODEL = 'space';

/** Returns a vector as JSON. Vectors of similar numbers are similar. */
export const toVector = (n: number): string =>
  JSON.stringify(Array.from({ length: 384 }, (_, i) => Math.sin(n * i) + 2));

/** Returns a row of save_snapshots without its revision. */
export const toScore = (name: string, score: number, { text = name, alerts = [] as object[] } = {}) => {
  const { resource, host, slug, templated, serviceName, description } = toEndpoint(name);
  const detail = { scoringVersion: '1.3.0', inputs: { everChallenged: true }, facts: { alerts } };
  return {
    snapshot: {
      ...{
        endpoint_id: toId(name),
        public: true,
        resource,
        host,
        slug,
        templated,
        description,
        method: 'GET',
      },
      ...{
        service_name: serviceName,
        protocol_version: 2,
        score,
        score_low: score - 5,
        score_high: score + 5,
      },
      ...{ grade: score > 50 ? 'B' : 'F', recommendation: score > 50 ? 'proceed' : 'avoid', confidence: 0.9 },
      ...{ uptime_30d: score, latency_ms: 120, latency_label: 'fast', probes_30d: 3, probed_per_day: 48 },
      ...{ due_per_day: 48, mean_gap_seconds: 1800, amount_usd: '0.010000', network: NETWORK },
      ...{
        pay_on: [{ network: NETWORK, payTo: WALLET }],
        first_seen: toTime(0),
        last_probed_at: toTime(605),
      },
      ...{ listing_status: name === 'delisted' ? 'delisted' : 'listed', directories: ['north'] },
      ...{ listing_source: name === 'adopted' ? 'adopted' : 'directory', is_compliant: true },
      ...{ failing_since: name === 'failing' ? toTime(605) : null, price_stability: 'stable' },
      ...{ content_hash: `content ${score}`, days_tracked: 1, error_flags: 0, warning_flags: 0 },
      ...{ lowest_price_usd_30d: '0.01', highest_price_usd_30d: '0.03' },
    },
    search: { text_hash: `text ${text}`, text: `Weather ${text}`, described: true },
    detail,
  };
};

/** Returns the SQL of the scoring job that stores rows. */
export const saveScores = (seconds: number, rows: readonly ReturnType<typeof toScore>[]): string => `
  select * from public.save_snapshots(${at(seconds)}, (
    select jsonb_agg(r || jsonb_build_object('revision', s.revision))
      from jsonb_array_elements(${toJson(rows)}) r
      join public.endpoint_states s on s.endpoint_id = r -> 'snapshot' ->> 'endpoint_id'))`;

/** Returns a payment of an endpoint's wallet in a block. */
const toSettlement = (block: number) => ({
  ...{ transaction: `0x${block}`, logIndex: 1, blockNumber: String(block), blockHash: `hash ${block}` },
  ...{ at: toTime(block), payer: `0x${'cd'.repeat(20)}`, payTo: WALLET, asset: '0xusdc', amount: '1000' },
  ...{ kind: 'x402', facilitator: null },
});

/** Returns the SQL of a read step of the chain up to a block, with one payment in this block. */
export const recordSettlement = (block: number): string => `
  select r.* from public.chain_cursors c cross join lateral public.record_settlements(
    c.network, c.wallet_group, c.revision, ${at(block)}, ${toJson({
      cursor: {
        ...{ fromBlock: '0', nextBlock: String(block + 1), span: 9000 },
        anchors: [{ number: block, hash: `hash ${block}` }],
      },
      ...{ throughAt: toTime(block), caughtUp: true, removedFrom: null },
    })}, ${toJson([toSettlement(block)])}) r where c.wallet_group = 0`;

const FIRST_SCORES = [
  ...['watched', 'held', 'due', 'adopted', 'delisted'].map((name, i) => toScore(name, 90 - i)),
  toScore('failing', 40),
];
/** The score of the failing endpoint begins an outage. Its previous text is not used any more. */
const OUTAGE = toScore('failing', 20, { text: 'outage', alerts: [{ kind: 'outage', since: toTime(605) }] });
const EMBEDDED = ['watched', 'held', 'due', 'adopted'].map((name, i) => ({
  textHash: `text ${name}`,
  embedding: JSON.parse(toVector(i + 1)) as unknown,
}));

/** SQL that stores scores, texts, statistics, payments of the chain, counts of rate limits, and changed pages. */
export const SCORES = `
  select * from public.claim_scores(${at(1900)}, 60, 100);
  ${saveScores(1900, FIRST_SCORES)};
  ${saveScores(2000, [OUTAGE])};
  select public.save_embeddings('${MODEL}', ${toJson(EMBEDDED)});
  select public.mark_refused_texts(${at(2010)}, array['text delisted']);
  select * from public.count_alternatives(${at(2020)}, '${MODEL}', 86400, 1, 10, 100);
  select public.record_ecosystem_day(${at(2030)});
  select * from public.assign_wallet_groups('${NETWORK}', ${at(2040)}, 7);
  ${recordSettlement(2050)};
  select * from public.consume_rate_limit('client', 1, 10, 3600, ${at(2060)});
  select public.record_page_expirations(array['endpoint ${toId('watched')}']);`;
