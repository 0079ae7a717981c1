import { at } from '../sql-time.ts';
import { toKeyArguments, toWatchId } from './previous-payments.ts';
import { toId } from './previous-rows.ts';
import { MODEL, toVector } from './previous-scores.ts';

const IDS = `array(select id from public.endpoints)`;
const WATCHED = `'${toId('watched')}'`;
const WATCH = `'${toWatchId(2)}'`;

/** Queries of the previous release that read its data. An upgrade does not change their results. */
export const PREVIOUS_READS: Readonly<Record<string, string>> = {
  ecosystem: 'select public.ecosystem()',
  events: `select public.ecosystem_events('{}', 10)`,
  days: `select public.endpoint_days(${WATCHED})`,
  summary: `select public.endpoint_summary(${WATCHED}, 'watched.example')`,
  scores: `select * from public.bulk_scores(${IDS})`,
  reports: `select * from public.report_sources(${IDS})`,
  ranks: 'select * from public.sample_ranks()',
  history: `select public.endpoint_history(${WATCHED}, ${at(0)}, ${at(2500)}, 10, 10, 1000, false)`,
  inputs: `select * from public.scoring_inputs(${at(2500)}, ${IDS})`,
  explore: `select public.explore('', '{}', 'score', 10)`,
  provider: `select public.provider('watched.example')`,
  suggestions: `select public.suggest('weather')`,
  words: `select public.search_by_words('forecast', 5)`,
  neighbors: `select public.search_by_embedding('${MODEL}', '${toVector(1)}'::extensions.vector, 5)`,
  pendingTexts: `select * from public.pending_search_texts(${at(2500)}, '${MODEL}', 10)`,
  alternatives: `select public.alternatives_to('${MODEL}', '${toId('adopted')}', 'adopted.example', 1, 5)`,
  walletGroups: `select * from public.list_wallet_groups('eip155:8453')`,
  walletDays: `
    select d.* from public.chain_wallets w
    cross join lateral public.wallet_days(w.network, w.pay_to, '2026-10-01', '2026-11-02') d`,
  payments: `select * from public.find_payment(${toKeyArguments('settling')})`,
  watch: `select public.find_watch(${WATCH})`,
  log: `select public.read_watch_log(${WATCH}, 0, 0, 10)`,
  attempts: `select * from public.read_watch_attempts(${WATCH}, 10)`,
  dueSlots: `select public.count_due_slots(${at(2500)}, 60)`,
  sitemap: 'select public.sitemap_providers()',
  pageExpirations: 'select public.read_page_expirations(0)',
};
