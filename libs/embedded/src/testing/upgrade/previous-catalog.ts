import { at, toTime } from '../sql-time.ts';
import { toEndpoint, toId, toJson, toObservation } from './previous-rows.ts';

/** Returns the SQL literal of a page with these endpoints. */
const toPage = (names: readonly string[]): string =>
  toJson({ offset: 0, nextOffset: names.length, items: names.length, duplicates: 0, rejected: 0 });

const ALL = ['watched', 'failing', 'held', 'due', 'lost', 'removed', 'delisted'];
/** Endpoints that are never probed. */
const UNSCHEDULED = new Set(['removed', 'delisted']);
const toItems = (names: readonly string[]): string =>
  toJson(names.map((name) => toEndpoint(name, { scheduled: !UNSCHEDULED.has(name) })));

const discover = (seconds: number, names: readonly string[]): string => `
  select * from public.start_discovery('north', ${at(seconds)}) r
    cross join lateral public.record_listings(r.id, ${at(seconds)}, ${toPage(names)}, ${toItems(names)});
  select public.record_tags(r.id, ${toJson(names.map((name) => ({ id: toId(name), tags: ['weather'] })))})
    from public.discovery_runs r where r.finished_at is null;
  select public.finish_discovery(r.id, ${at(seconds + 1)}, 'complete')
    from public.discovery_runs r where r.finished_at is null;`;

/**
 * SQL that lists endpoints, removes one on request, delists one, adopts one, and pauses the run of a second directory. The
 * clock of one machine was set back before.
 */
export const CATALOG = `
  select public.report_time('jumped', ${at(-3600)});
  select public.finish_clock_correction('jumped', ${at(-7200)});
  select public.report_time('machine', ${at(0)});
  select * from public.maintain_observation_partitions('2026-10-31', '2026-11-02');
  ${discover(0, ALL)}
  ${[60, 120].map((seconds) => discover(seconds, ALL.slice(0, -1))).join('')}
  select * from public.start_discovery('south', ${at(200)}) r
    cross join lateral public.record_listings(r.id, ${at(200)}, ${toPage(['watched'])}, ${toItems(['watched'])});
  select public.finish_discovery(r.id, ${at(201)}, 'paused', 'busy', ${at(2500)})
    from public.discovery_runs r where r.finished_at is null;
  update public.endpoints set removed_at = ${at(300)} where id = '${toId('removed')}';
  select * from public.adopt_endpoint(${at(400)}, ${toJson(toEndpoint('adopted'))},
    ${toJson(toObservation('adopted', 400, '10'))}, 5, ${at(4000)});`;

const PROBED = ['watched', 'held', 'due', 'adopted'].map((name) => toObservation(name, 605, '10'));
const FIRST_RESULTS = [...PROBED, toObservation('failing', 605, null)].map((row) => ({
  ...row,
  slotAt: toTime(600),
}));

/**
 * SQL that probes all endpoints. The worker is killed before it records the probe of the endpoint `lost`. The endpoint
 * `failing` also misses its recheck.
 */
export const PROBES = `
  select * from public.claim_due_endpoints('before', ${at(600)}, 20, 300);
  select * from public.record_observations('before', ${at(606)}, ${toJson(FIRST_RESULTS)});
  select public.store_challenges(${at(606)}, ${toJson([
    { hash: 'challenge', version: 2, challenge: '{"x402Version": 2}' },
  ])});
  select * from public.record_observations('before', ${at(662)}, (
    select jsonb_agg(${toJson(toObservation('failing', 661, null))} || jsonb_build_object('slotAt', c.slot_at))
      from public.claim_due_endpoints('before', ${at(660)}, 20, 60, p_rechecks_only => true) c));`;
