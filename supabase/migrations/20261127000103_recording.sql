-- Recording: observations, challenges, changes and the latest state of each endpoint. Every transaction that writes
-- `endpoint_states` first locks its rows in the order of their ids, which prevents deadlocks; then it locks watches.

-- Latest observed state of each endpoint. The columns that every probe updates are adjacent and have no index, and each
-- page keeps free space (fillfactor). So an updated row stays on its page, and the WAL contains only the changed bytes.
create table public.endpoint_states (
  endpoint_id text collate "C" primary key references public.endpoints (id) on delete cascade,
  last_probed_at timestamptz,
  -- Time of the last probe that found the endpoint up or down.
  last_counted_at timestamptz,
  -- Time of the last probe that was not a self-inflicted failure. The time after that probe counts as not monitored.
  last_observed_at timestamptz,
  -- Time when monitoring resumed after a gap, if the endpoint was payable before the gap; otherwise null. The flag
  -- `not-payable` requires 24 hours without a payable challenge. These hours begin at this time at the earliest,
  -- because challenges during the gap are unknown.
  watched_since timestamptz,
  -- Time of the last successful probe; null if no probe has ever succeeded.
  last_up_at timestamptz,
  last_challenged_at timestamptz,
  last_payable_at timestamptz,
  terms_at timestamptz,
  compliance_at timestamptz,
  -- Time of the first of the current consecutive misses; `misses` is their number. Misses before a monitoring gap do
  -- not count.
  down_since timestamptz,
  -- Raised with each change of the data that the score reads. If the revision changes while a score is computed, the
  -- endpoint is scored again. Times are not compared, because clocks can differ.
  revision bigint not null default 1,
  misses integer not null default 0,
  -- An endpoint is down from its second consecutive miss on. The second miss is normally the recheck.
  liveness text check (liveness in ('up', 'down')),
  -- HTTP method of the last challenge. Before the first challenge: method of the first probe.
  method text,
  compliance text,
  -- Hash of the last challenge. The challenge itself may not be stored yet.
  challenge_hash text,
  -- Payment terms of the last readable challenge: { version, options, prices, payTo }.
  terms jsonb,
  -- Time of the first of the current consecutive observations in which the endpoint was not up. Self-inflicted failures
  -- do not count, and a monitoring gap does not interrupt the series of observations. Null if the latest observation
  -- was up.
  failing_since timestamptz,
  -- Latest failed probe: { at, since, phase, httpStatus, error, detail }. It stays after a recovery. `since` is the
  -- value of `failing_since` at that time.
  last_failure jsonb
) with (fillfactor = 60);

-- Observations of today and yesterday, one row for each probe. Each day has a partition. Older days are packed into the
-- table `packed_observations`; see pack_observations.
create table public.observations (
  endpoint_id text collate "C" not null,
  at timestamptz not null,
  outcome text not null,
  -- 1 means up, 0 means down. Null means neither: blocked, method mismatch, or self-inflicted failure.
  vitality smallint check (vitality in (0, 1)),
  -- True for a self-inflicted failure, which is excluded from all figures.
  excluded boolean not null default false,
  -- True for a recheck after a miss, and for the live probe of a paid report. These probes update the state of the
  -- endpoint but are not counted in statistics.
  is_recheck boolean not null default false,
  http_status smallint,
  -- Time to the last byte of the response; null without a complete response.
  response_ms real,
  compliance text check (compliance in ('pass', 'warnings', 'errors', 'unpayable')),
  -- Advertised price in US dollars. Numeric without a precision limit, because endpoints can request absurdly large
  -- amounts.
  amount_usd numeric,
  -- Cause of a failed probe in kebab case, such as http-410 or timeout; null for a successful probe.
  failure text,
  primary key (endpoint_id, at)
) partition by range (at);

-- Distinct challenges. Each challenge is stored once, by the hash of its content.
create table public.challenges (
  hash text primary key,
  first_seen_at timestamptz not null,
  -- Last time when the challenge was recorded, accurate to one day.
  last_seen_at timestamptz not null,
  version smallint,
  challenge jsonb not null
);

create index challenges_last_seen on public.challenges (last_seen_at);

-- Changes of listings, payment terms, compliance and liveness. They are kept as long as observations.
create table public.changes (
  id bigint generated always as identity primary key,
  endpoint_id text collate "C" not null references public.endpoints (id) on delete cascade,
  at timestamptz not null,
  kind text not null check (kind in (
    'listed', 'delisted', 'relisted',
    'price_change', 'payto_change', 'asset_network_change', 'metadata_change',
    'compliance_change', 'liveness_down', 'liveness_recovered'
  )),
  before jsonb,
  after jsonb,
  -- Set for changes of a payTo that takes several values a day; see internal.find_variation. `begins`: the first change
  -- of such a period. `continues`: a later change, which causes no alert and no event of the history.
  variation text check (variation in ('begins', 'continues')),
  unique (endpoint_id, at, kind)
);

create index changes_at on public.changes (at);

-- Logs an alert about a changed endpoint for each active watch of this endpoint. Changes of liveness are left out,
-- because each watch has its own sensitivity. Prices and wallets of a URL template differ from request to request, so
-- they give no alert. A payTo that varies gives one alert when it begins to vary: `varies` is then true. A delisting is
-- detected later than it happened, so its time can precede the watch. Its alert then has the time of the start of the
-- watch.
create function internal.append_change_alerts()
returns trigger
language plpgsql
as $$
declare
  v_watch_ids text[] := array(
    select w.id from public.watches w
    where w.status = 'active' and w.endpoint_id in (
      select a.endpoint_id from added a
      where a.kind in ('price_change', 'payto_change', 'asset_network_change', 'delisted', 'compliance_change')
        and a.variation is distinct from 'continues'
    )
    order by w.id for no key update
  );
  -- Compliance results from the best to the worst.
  v_verdicts text[] := array['pass', 'warnings', 'errors', 'unpayable'];
begin
  if v_watch_ids = '{}' then return null; end if;

  perform internal.append_watch_log(array(
    select row(
      w.id, 'alert', t.type, greatest(a.at, w.activated_at), jsonb_build_object('before', a.before, 'after', a.after)
        || case when a.variation = 'begins' then '{"varies": true}'::jsonb else '{}' end
    )::internal.watch_entry
    from added a
    join public.endpoints e on e.id = a.endpoint_id
    join public.watches w on w.endpoint_id = a.endpoint_id and w.id = any (v_watch_ids)
    cross join lateral (
      select case
        when a.kind = 'asset_network_change' then a.kind
        when a.kind in ('price_change', 'payto_change') and not e.templated then a.kind
        when a.kind = 'delisted' then 'delisting'
        when a.kind = 'compliance_change' and array_position(v_verdicts, a.after ->> 'compliance')
          > array_position(v_verdicts, a.before ->> 'compliance') then 'spec_regression'
      end as type
    ) t
    where t.type = any (w.events) and a.at < w.expires_at and a.variation is distinct from 'continues'
    order by a.id
  ));
  return null;
end;
$$;

create trigger changes_append_alerts after insert on public.changes
  referencing new table as added for each statement execute function internal.append_change_alerts();

-- Row for one probe: values that the worker sends, followed by values from the lease of the probe slot.
create type internal.observation_row as (
  "endpointId" text collate "C", "slotAt" timestamptz, at timestamptz, outcome text, vitality smallint,
  excluded boolean, "httpStatus" smallint, method text, "latencyMs" real, bucket smallint, compliance text,
  "challengeHash" text,
  terms jsonb, "amountUsd" numeric, failure text, "failurePhase" text, "failureDetail" text, "responseMs" real,
  "responseBucket" smallint,
  -- Values from the lease. `dueSlots` and `dueSeconds` are null for a probe outside the schedule.
  is_recheck boolean, "dueSlots" integer, "dueSeconds" integer,
  -- Position of this row among the rows of the same endpoint in the batch, ordered by time. The first position is 1.
  ordinal integer
);

-- Columns of observation_row in the same order, followed by the effect of the observation on the latest state of its
-- endpoint.
create type internal.assessed_row as (
  "endpointId" text collate "C", "slotAt" timestamptz, at timestamptz, outcome text, vitality smallint,
  excluded boolean, "httpStatus" smallint, method text, "latencyMs" real, bucket smallint, compliance text,
  "challengeHash" text,
  terms jsonb, "amountUsd" numeric, failure text, "failurePhase" text, "failureDetail" text, "responseMs" real,
  "responseBucket" smallint,
  is_recheck boolean, "dueSlots" integer, "dueSeconds" integer, ordinal integer,
  -- `is_latest`: the observation is the newest of its endpoint and not a self-inflicted failure. `misses`: number of
  -- consecutive misses including this observation. `down_since`: time of the first of these misses. `liveness`: new
  -- liveness; null if it does not change. Only the latest observation changes these three values.
  is_latest boolean, misses integer, down_since timestamptz, liveness text,
  -- True for the first observation after a monitoring gap.
  is_after_gap boolean,
  -- `is_latest_terms`: the payment terms in this observation are the newest known. `is_latest_compliance`: the
  -- compliance result of this observation is the newest known.
  is_latest_terms boolean, is_latest_compliance boolean,
  -- `has_changed`: payment terms, compliance result or liveness differ from the previous state. `urgent`: something
  -- has changed, or one of these values or the whole state is known for the first time, or the endpoint is up after a
  -- failed probe. `is_long_down`: the downtime of the endpoint had reached 14 days before this observation, or reaches
  -- 14 days with it.
  has_changed boolean, urgent boolean, is_long_down boolean,
  -- `failing_since`: new value of the column in endpoint_states. `is_failure`: the observation is the latest failed
  -- probe.
  failing_since timestamptz, is_failure boolean
);

-- Returns the hashes of challenges in the batch that are not stored yet. Updates `last_seen_at` of stored challenges at
-- most once a day, so most calls write nothing.
create function internal.find_missing_challenges(p_rows internal.observation_row[], p_now timestamptz)
returns text[]
language plpgsql
as $$
declare
  v_missing text[];
  v_stale text[];
begin
  select array_agg(h.hash) filter (where c.hash is null),
    array_agg(c.hash) filter (where c.last_seen_at < p_now - interval '1 day')
  into v_missing, v_stale
  from (select distinct r."challengeHash" as hash from unnest(p_rows) r where r."challengeHash" is not null) h
  left join public.challenges c on c.hash = h.hash;

  if v_stale is not null then
    perform 1 from public.challenges c where c.hash = any (v_stale) order by c.hash for update;
    update public.challenges c set last_seen_at = p_now where c.hash = any (v_stale) and c.last_seen_at < p_now;
  end if;
  return coalesce(v_missing, '{}');
end;
$$;

-- Stores challenges by their hash: [{ hash, version, challenge: JSON text }]. A challenge that PostgreSQL cannot store
-- (an invalid character, a number out of range) is skipped. To find it after an error, the function calls itself with
-- each half of the list. The rows are ordered by hash, so concurrent calls insert in the same order and do not
-- deadlock. Returns the number of new challenges.
create function public.store_challenges(p_now timestamptz, p_challenges jsonb)
returns integer
language plpgsql
as $$
declare
  v_half integer := jsonb_array_length(p_challenges) / 2;
  v_sorted jsonb;
  v_stored integer;
begin
  insert into public.challenges (hash, first_seen_at, last_seen_at, version, challenge)
  select c.hash, p_now, p_now, c.version, c.challenge::jsonb
  from jsonb_to_recordset(p_challenges) as c (hash text, version smallint, challenge text)
  order by c.hash
  on conflict (hash) do nothing;
  get diagnostics v_stored = row_count;
  return v_stored;
exception when data_exception then
  if v_half = 0 then return 0; end if;
  select jsonb_agg(c order by c ->> 'hash') into v_sorted from jsonb_array_elements(p_challenges) c;
  return public.store_challenges(p_now, jsonb_path_query_array(v_sorted, format('$[0 to %s]', v_half - 1)::jsonpath))
    + public.store_challenges(p_now, jsonb_path_query_array(v_sorted, format('$[%s to last]', v_half)::jsonpath));
end;
$$;

-- Returns the tokens (network and asset) that have another wallet in p_after than in p_before.
create function internal.list_changed_tokens(p_before jsonb, p_after jsonb)
returns text[]
language sql immutable
as $$
  select array(
    select b.key from jsonb_each(p_before -> 'payTo') b join jsonb_each(p_after -> 'payTo') a on a.key = b.key
    where a.value <> b.value
  );
$$;

-- Returns the kinds of change between two sets of payment terms. Prices and wallets are compared for each network and
-- asset, so a new payment option is neither a price change nor a wallet change. One exception: if the new terms contain
-- none of the earlier wallets, the wallet has changed.
create function internal.list_terms_changes(p_before jsonb, p_after jsonb)
returns table (kind text)
language sql immutable
as $$
  select 'asset_network_change' where exists (
    (
      select k from jsonb_object_keys(p_before -> 'prices') k
      except select k from jsonb_object_keys(p_after -> 'prices') k
    )
    union all
    (
      select k from jsonb_object_keys(p_after -> 'prices') k
      except select k from jsonb_object_keys(p_before -> 'prices') k
    )
  )
  union all
  select 'price_change' where exists (
    select 1 from jsonb_each(p_before -> 'prices') b join jsonb_each(p_after -> 'prices') a on a.key = b.key
    where a.value <> b.value
  )
  union all
  select 'payto_change' where internal.list_changed_tokens(p_before, p_after) <> '{}' or (
    jsonb_path_exists(p_before, '$.payTo.*[*]') and not exists (
      select jsonb_path_query(p_before, '$.payTo.*[*]') intersect select jsonb_path_query(p_after, '$.payTo.*[*]')
    )
  );
$$;

-- Returns the value of `changes.variation` for a change of the payTo from p_state to p_terms at p_at. The wallet of a
-- token begins to vary with its third value or third change within a day. The wallet then varies until an observation
-- shows that it stayed the same for a day. Null if the wallet of any changed token does not vary.
create function internal.find_variation(p_state public.endpoint_states, p_at timestamptz, p_terms jsonb)
returns text
language sql stable
as $$
  select case when bool_and(h.varies) then case when bool_and(h.has_varied) then 'continues' else 'begins' end end
  from jsonb_each(p_terms -> 'payTo') n
  cross join lateral (
    select bool_or(c.variation is not null) as has_varied,
      count(*) = 2 or coalesce(bool_or(c.variation is not null or c.before <> n.value), false) as varies
    from (
      select g.variation, g.before -> 'payTo' -> n.key as before from public.changes g
      where g.endpoint_id = p_state.endpoint_id and g.kind = 'payto_change'
        and g.at > case when g.variation is null then p_at else p_state.terms_at end - interval '1 day'
        and g.before -> 'payTo' -> n.key <> g.after -> 'payTo' -> n.key
      order by g.at desc limit 2
    ) c
  ) h
  where p_state.terms -> 'payTo' -> n.key <> n.value;
$$;

-- Returns true if an observation at p_at, which is recorded at p_now, is newer than a stored time. A stored time that is
-- more than an hour ahead was written before the clock was set back.
-- This function and the next function are `stable`, because PostgreSQL inlines no immutable function that adds an
-- interval to a timestamptz.
create function internal.is_newer(p_at timestamptz, p_stored timestamptz, p_now timestamptz)
returns boolean
language sql stable
as $$
  select p_stored is null or p_at > p_stored or p_stored > p_now + interval '1 hour';
$$;

-- Returns a stored time or the time of an observation, whichever is newer; see internal.is_newer.
create function internal.newest(p_stored timestamptz, p_at timestamptz, p_now timestamptz)
returns timestamptz
language sql stable
as $$
  select case when internal.is_newer(p_at, p_stored, p_now) then p_at else p_stored end;
$$;

-- Returns the time after which a change of counters alone is scored. An urgent change is scored immediately.
create function internal.score_interval()
returns interval
language sql immutable
as $$
  select interval '4 hours';
$$;

-- Returns the observations of a batch with their effect on the latest state: for each endpoint the observation at
-- position p_ordinal. Observations that are already stored are left out.
-- Late observations and self-inflicted failures do not change the number of misses. An observation with the endpoint up
-- resets this number; an observation that is neither up nor down leaves it unchanged. After a monitoring gap (more than
-- three slots and more than 90 minutes) the number starts again, because a miss before the gap and a miss after it do
-- not prove that the endpoint was down throughout.
create function internal.assess_observations(
  p_rows internal.observation_row[], p_ordinal integer, p_now timestamptz
)
returns internal.assessed_row[]
language plpgsql
as $$
begin
  return array(
    select row(
      p.*, w.is_latest, m.misses, m.down_since, v.liveness, w.is_latest and n.is_after_gap,
      w.is_latest_terms, w.is_latest_compliance, f.has_changed,
      f.has_changed or (w.is_latest and s.last_observed_at is null) or (w.is_latest_terms and s.terms_at is null)
        or (w.is_latest_compliance and s.compliance_at is null) or (s.liveness is null and v.liveness is not null)
        or (w.is_latest and p.vitality is not distinct from 1 and s.failing_since is not null),
      coalesce(
        w.is_latest and (
          s.last_observed_at - s.down_since >= interval '14 days' or p.at - m.down_since >= interval '14 days'
        ),
        false
      ),
      case when not w.is_latest then s.failing_since when p.vitality = 1 then null
        else least(s.failing_since, p.at) end,
      w.is_latest and p.vitality is distinct from 1 and p."failurePhase" is not null and p."failureDetail" is not null
    )::internal.assessed_row
    from unnest(p_rows) p
    join public.endpoint_states s on s.endpoint_id = p."endpointId"
    cross join lateral (
      select not p.excluded and internal.is_newer(p.at, s.last_observed_at, p_now) as is_latest,
        not p.excluded and p.terms is not null and internal.is_newer(p.at, s.terms_at, p_now) as is_latest_terms,
        not p.excluded and p.compliance is not null and internal.is_newer(p.at, s.compliance_at, p_now)
          as is_latest_compliance
    ) w
    cross join lateral (
      select coalesce(
        p.at - s.last_observed_at > interval '90 minutes' and p.at - s.last_observed_at > coalesce(
          (
            -- Probe interval of the endpoint without its watches. The last probe of a slow endpoint can be six hours
            -- old when a watch begins. These six hours are no monitoring gap. Otherwise, a long downtime would begin
            -- again at the first probe of the watch.
            select make_interval(secs => 3 * greatest(c.interval_seconds, case when c.slow then 21600 end))
            from public.schedules c where c.endpoint_id = s.endpoint_id
          ), '0'
        ), false
      ) as is_after_gap
      -- `offset 0` prevents inlining of this subquery, so the schedule is read only once, and only after a long gap.
      offset 0
    ) n
    cross join lateral (
      select p.vitality is not distinct from 1 or n.is_after_gap as is_reset
    ) a
    cross join lateral (
      select
        case when not w.is_latest then s.misses
          else case when a.is_reset then 0 else s.misses end + (p.vitality is not distinct from 0)::integer
        end as misses,
        case when not w.is_latest then s.down_since
          else coalesce(
            case when not a.is_reset and s.down_since is not null then least(s.down_since, p.at) end,
            case when p.vitality = 0 then p.at end
          )
        end as down_since
    ) m
    cross join lateral (
      select case when not w.is_latest then null when p.vitality = 1 then 'up'
        when p.vitality = 0 and m.misses >= 2 then 'down' end as liveness
    ) v
    cross join lateral (
      select coalesce(w.is_latest_terms and s.terms <> p.terms, false)
        or coalesce(w.is_latest_compliance and s.compliance <> p.compliance, false)
        or coalesce(s.liveness <> v.liveness, false) as has_changed
    ) f
    where p.ordinal = p_ordinal
      -- No stored observation is newer than the last probe of its endpoint, so only late observations can be
      -- duplicates.
      and (s.last_probed_at is null or p.at > s.last_probed_at or not exists (
        select 1 from public.observations o where o.endpoint_id = p."endpointId" and o.at = p.at
      ))
  );
end;
$$;

-- Updates the latest states and queues the endpoints for scoring: immediately after an urgent change and after each of
-- the first ten changes, because the confidence of a new endpoint rises with each probe. After other changes, the score
-- is due after internal.score_interval, or at an earlier time for which the endpoint is already queued.
create function internal.update_states(p_assessed internal.assessed_row[], p_now timestamptz)
returns void
language plpgsql
as $$
begin
  with updated as (
    update public.endpoint_states s set
      last_probed_at = internal.newest(s.last_probed_at, t.at, p_now),
      last_observed_at = case when t.is_latest then t.at else s.last_observed_at end,
      watched_since = case when t.is_after_gap and s.last_payable_at > s.last_observed_at - interval '24 hours'
        then t.at else s.watched_since end,
      last_counted_at = case when t.vitality is not null and not t.excluded
        then internal.newest(s.last_counted_at, t.at, p_now) else s.last_counted_at end,
      last_up_at = case when t.vitality = 1 and not t.excluded
        then internal.newest(s.last_up_at, t.at, p_now) else s.last_up_at end,
      last_challenged_at = case when t.outcome = 'challenged' and not t.excluded
        then internal.newest(s.last_challenged_at, t.at, p_now) else s.last_challenged_at end,
      last_payable_at = case when t.compliance in ('pass', 'warnings', 'errors') and not t.excluded
        then internal.newest(s.last_payable_at, t.at, p_now) else s.last_payable_at end,
      terms_at = case when t.is_latest_terms then t.at else s.terms_at end,
      compliance_at = case when t.is_latest_compliance then t.at else s.compliance_at end,
      down_since = t.down_since,
      misses = t.misses,
      revision = s.revision + 1,
      method = coalesce(case when t.outcome = 'challenged' and not t.excluded then t.method end, s.method, t.method),
      liveness = coalesce(t.liveness, s.liveness),
      compliance = case when t.is_latest_compliance then t.compliance else s.compliance end,
      challenge_hash = case when t.is_latest_terms or t.is_latest_compliance
        then t."challengeHash" else s.challenge_hash end,
      terms = case when t.is_latest_terms then t.terms else s.terms end,
      failing_since = t.failing_since,
      last_failure = case when t.is_failure then jsonb_build_object(
        'at', t.at, 'since', t.failing_since, 'phase', t."failurePhase", 'httpStatus', t."httpStatus",
        'error', t.failure, 'detail', t."failureDetail"
      ) else s.last_failure end
    from unnest(p_assessed) t where s.endpoint_id = t."endpointId"
    returning s.endpoint_id, t.urgent or s.revision <= 11 as urgent
  ),
  urgent_rows as (
    insert into public.scoring_queue as q (endpoint_id, due_at)
    select u.endpoint_id, p_now from updated u where u.urgent
    on conflict (endpoint_id) do update set due_at = excluded.due_at where q.due_at > excluded.due_at
  )
  -- Rows that are not urgent have their own insert with `do nothing`, because `do update` locks an existing row even if
  -- it changes nothing.
  insert into public.scoring_queue (endpoint_id, due_at)
  select u.endpoint_id, p_now + internal.score_interval() from updated u where not u.urgent
  on conflict do nothing;
end;
$$;

-- Records changes of payment terms and compliance results, and endpoints that go down (at the second consecutive miss)
-- or recover. Late observations are not compared, because the observations before and after a late observation were
-- compared already. The call must precede update_states, because it compares with the old states. Returns the number of
-- changes.
create function internal.record_changes(p_assessed internal.assessed_row[])
returns integer
language plpgsql
as $$
declare
  v_count integer;
begin
  insert into public.changes (endpoint_id, at, kind, before, after, variation)
  select t."endpointId", t.at, k.kind, k.before, k.after, k.variation
  from unnest(p_assessed) t
  join public.endpoint_states s on s.endpoint_id = t."endpointId"
  cross join lateral (
    select c.kind, s.terms as before, t.terms as after,
      case c.kind when 'payto_change' then internal.find_variation(s, t.at, t.terms) end as variation
    from internal.list_terms_changes(s.terms, t.terms) c
    where t.is_latest_terms and s.terms <> t.terms
    union all
    select 'compliance_change',
      jsonb_build_object('compliance', s.compliance), jsonb_build_object('compliance', t.compliance), null
    where t.is_latest_compliance and s.compliance <> t.compliance
    union all
    select case t.liveness when 'up' then 'liveness_recovered' else 'liveness_down' end,
      jsonb_build_object('liveness', s.liveness, 'downSince', s.down_since),
      jsonb_build_object('liveness', t.liveness, 'downSince', t.down_since), null
    where s.liveness <> t.liveness
  ) k
  where t.has_changed
  order by t.at, t."endpointId", k.kind
  on conflict do nothing;
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;

-- Schedules a recheck 20 to 45 seconds after each miss that starts an outage. The recheck is stored as a lease that has
-- no owner and expires when the recheck is due. p_missed contains only misses of the last minute. Older misses in a
-- late batch get no recheck; the next scheduled slot replaces it.
create function internal.schedule_rechecks(p_missed internal.slot[], p_now timestamptz)
returns void
language sql
as $$
  insert into public.leases (endpoint_id, slot_at, owner, expires_at, is_recheck)
  select s.endpoint_id, l.at, '', l.at, true
  from unnest(p_missed) m
  join public.endpoint_states s on s.endpoint_id = m.endpoint_id and s.misses = 1 and s.down_since = m.slot_at
  cross join lateral (
    select greatest(
      m.slot_at + make_interval(secs => 20 + internal.stable_hash(s.endpoint_id || m.slot_at::text) % 26), p_now
    ) as at
  ) d
  -- The slot time has whole milliseconds, because workers send slot times in milliseconds. It is never a whole second,
  -- because scheduled slots are whole seconds and the keys would collide.
  cross join lateral (
    select date_trunc('milliseconds', d.at)
      + case when d.at = date_trunc('second', d.at) then interval '1 millisecond' else '0' end as at
  ) l
  on conflict do nothing;
$$;

-- Makes a schedule slow after 14 days of downtime of its endpoint, and regular again when the endpoint responds.
create function internal.update_slow_schedules(p_endpoint_ids text[])
returns void
language plpgsql
as $$
declare
  v_ids text[] := array(
    select c.endpoint_id from public.schedules c join public.endpoint_states s on s.endpoint_id = c.endpoint_id
    where c.endpoint_id = any (p_endpoint_ids)
      and c.slow <> coalesce(s.last_observed_at - s.down_since >= interval '14 days', false)
    order by c.endpoint_id for update of c
  );
  v_hosts text[];
begin
  if v_ids = '{}' then return; end if;
  update public.schedules c set slow = not c.slow where c.endpoint_id = any (v_ids);
  with moved as (
    update public.schedules c set next_probe_at = internal.next_due(c, s.last_observed_at)
    from public.endpoint_states s where s.endpoint_id = c.endpoint_id and c.endpoint_id = any (v_ids)
    returning c.host
  )
  select array_agg(distinct m.host) into v_hosts from moved m;
  perform internal.update_host_queues(v_hosts);
end;
$$;

-- Records observations in one transaction: raw rows, daily rollups, changes, alerts of watches, latest states and
-- rechecks. Several observations of one endpoint are processed in time order, as if each were a separate batch.
-- `missing` contains the hashes of challenges that are not stored yet.
create function internal.record_observation_rows(p_rows internal.observation_row[], p_now timestamptz)
returns table (recorded integer, changed integer, missing text[])
language plpgsql
as $$
declare
  v_assessed internal.assessed_row[];
  v_watch_ids text[];
  v_missed internal.slot[] := '{}';
  v_long_down text[] := '{}';
begin
  perform 1 from unnest(p_rows) r join public.endpoint_states s on s.endpoint_id = r."endpointId"
  where r.ordinal = 1 order by s.endpoint_id for update of s;
  -- One statement locks all watches in the order of their ids, because the alerts of a batch are appended in several
  -- steps. This order prevents deadlocks.
  v_watch_ids := array(
    select w.id from public.watches w
    where w.status = 'active' and w.endpoint_id in (select r."endpointId" from unnest(p_rows) r)
    order by w.id for no key update
  );

  perform public.create_observation_partitions(d.day, d.day)
  from (select distinct (r.at at time zone 'UTC')::date as day from unnest(p_rows) r) d
  where to_regclass('internal.observations_' || to_char(d.day, 'YYYYMMDD')) is null;

  recorded := 0;
  changed := 0;
  for v_ordinal in 1..(select coalesce(max(r.ordinal), 0) from unnest(p_rows) r) loop
    v_assessed := internal.assess_observations(p_rows, v_ordinal, p_now);
    insert into public.observations (
      endpoint_id, at, outcome, vitality, excluded, is_recheck, http_status, response_ms, compliance, amount_usd, failure
    )
    select t."endpointId", t.at, t.outcome, t.vitality, t.excluded, t.is_recheck, t."httpStatus",
      t."responseMs", t.compliance, t."amountUsd", t.failure
    from unnest(v_assessed) t;
    perform internal.roll_up(v_assessed);
    changed := changed + internal.record_changes(v_assessed);
    if v_watch_ids <> '{}' then perform internal.record_watch_liveness(v_assessed, v_watch_ids); end if;
    perform internal.update_states(v_assessed, p_now);
    recorded := recorded + cardinality(v_assessed);
    v_missed := v_missed || array(
      select row(t."endpointId", t.at)::internal.slot from unnest(v_assessed) t
      where t.is_latest and t.vitality = 0 and t.misses = 1 and not t.is_recheck and t."slotAt" is not null
        and t.at + interval '1 minute' > p_now
    );
    v_long_down := v_long_down || array(select t."endpointId" from unnest(v_assessed) t where t.is_long_down);
  end loop;
  if cardinality(v_missed) > 0 then perform internal.schedule_rechecks(v_missed, p_now); end if;
  if cardinality(v_long_down) > 0 then perform internal.update_slow_schedules(v_long_down); end if;

  missing := internal.find_missing_challenges(p_rows, p_now);
  return next;
end;
$$;

-- Records a batch of observations in one transaction and deletes the leases of their slots. p_rows: objects with the
-- first columns of observation_row. A row with a slot is recorded only if p_owner holds the lease of that slot, so no
-- slot is counted twice. A row that is more than five minutes later than p_now is dropped, because all earlier
-- observations that arrive after it would count as late. Smaller differences are accepted, because clock corrections
-- can cause such differences. A row of a packed day is dropped.
-- The rows contain only hashes of challenges. Nearly all challenges are stored already, and their text would be most of
-- the payload. The caller sends the `missing` challenges to store_challenges.
create function public.record_observations(p_owner text, p_now timestamptz, p_rows jsonb)
returns table (recorded integer, dropped integer, changed integer, missing text[])
language plpgsql
as $$
declare
  v_rows internal.observation_row[];
begin
  -- Waits for a worker that packs the day of a row. Otherwise the row would be added to a day whose packed
  -- observations are not visible yet, and be lost with the partition of the day.
  if exists (
    select from jsonb_to_recordset(p_rows) as r (at timestamptz) where r.at <= p_now - interval '1 day'
  ) then perform pg_advisory_xact_lock(hashtext('internal.observations')); end if;
  with given as (
    select r.* from jsonb_populate_recordset(null::internal.observation_row, p_rows) r
    where r.at <= p_now + interval '5 minutes' and (r.at > p_now - interval '1 day' or not exists (
      select from public.packed_observations d where d.day = (r.at at time zone 'UTC')::date
    ))
  ),
  held as (
    delete from public.leases l using given g
    where l.owner = p_owner and l.endpoint_id = g."endpointId" and l.slot_at = g."slotAt"
    returning g.*, l.is_recheck as is_leased_recheck, l.due_slots, l.due_seconds
  ),
  numbered as (
    select c.*, row_number() over (partition by c."endpointId" order by c.at) as position
    from (
      select h.* from held h
      union all
      select g.*, false, null, null from given g where g."slotAt" is null
    ) c
  )
  select coalesce(array_agg(row(
    p."endpointId", p."slotAt", p.at, p.outcome, p.vitality, p.excluded, p."httpStatus", p.method, p."latencyMs",
    p.bucket, p.compliance, p."challengeHash", p.terms, p."amountUsd", p.failure, p."failurePhase", p."failureDetail",
    p."responseMs", p."responseBucket", p.is_leased_recheck, p.due_slots, p.due_seconds, p.position
  )::internal.observation_row order by p."endpointId", p.at), '{}')
  into v_rows from numbered p;

  select r.recorded, r.changed, r.missing into recorded, changed, missing
  from internal.record_observation_rows(v_rows, p_now) r;
  dropped := jsonb_array_length(p_rows) - recorded;
  return next;
end;
$$;

-- Records an observation outside the schedule. Schedules a recheck if the observation is the first miss. Returns the
-- hashes of challenges that are not stored yet.
create function internal.record_unscheduled(p_row internal.observation_row, p_now timestamptz)
returns text[]
language plpgsql
as $$
declare
  v_missing text[] := (select r.missing from internal.record_observation_rows(array[p_row], p_now) r);
begin
  if p_row.vitality = 0 then
    perform internal.schedule_rechecks(array[row(p_row."endpointId", p_row.at)::internal.slot], p_now);
  end if;
  return v_missing;
end;
$$;

-- Records the live probe of a report if its result differs from the last observation. The live probe is stored as a
-- recheck, which updates the state of the endpoint but is not counted in statistics. So nobody can influence uptime by
-- buying reports at selected times. A live probe that is not newer than the last observation is not recorded. A live
-- probe with an unchanged result renews the times of the latest success, of the latest failure, of the last scored
-- probe and of the stored challenge. p_row: the columns of an observation, without a slot.
create function public.record_live_probe(p_now timestamptz, p_row jsonb)
returns table (recorded boolean, missing text[])
language plpgsql
as $$
declare
  v_row internal.observation_row := jsonb_populate_record(null::internal.observation_row, p_row);
  v_last_at timestamptz;
  v_challenge_hash text;
  v_last public.observations;
begin
  missing := '{}';
  select s.last_probed_at, s.challenge_hash into v_last_at, v_challenge_hash from public.endpoint_states s
  where s.endpoint_id = v_row."endpointId" for update;
  recorded := found and (v_last_at is null or v_row.at > v_last_at);

  select o.* into v_last from public.observations o where o.endpoint_id = v_row."endpointId" and o.at = v_last_at;
  recorded := recorded and (
    not found or coalesce(v_row."challengeHash", v_challenge_hash) is distinct from v_challenge_hash
    or (v_last.outcome, v_last.compliance, v_last.failure)
      is distinct from (v_row.outcome, v_row.compliance, v_row.failure)
  );
  if recorded then
    v_row.ordinal := 1;
    v_row.is_recheck := true;
    -- Scheduled probes have times in whole milliseconds. The extra microsecond keeps the key of a live probe different.
    v_row.at := v_row.at + interval '1 microsecond';
    missing := internal.record_unscheduled(v_row, p_now);
  elsif v_row.at > v_last_at then
    update public.endpoint_states s set
      terms_at = case when v_row.terms is not null then v_row.at else s.terms_at end,
      compliance_at = case when v_row.compliance is not null then v_row.at else s.compliance_at end,
      last_challenged_at = case when v_row."challengeHash" is not null then v_row.at else s.last_challenged_at end,
      last_payable_at = case when v_row.compliance <> 'unpayable' then v_row.at else s.last_payable_at end,
      last_counted_at = case when v_row.vitality is not null then v_row.at else s.last_counted_at end,
      last_up_at = case when v_row.vitality = 1 then v_row.at else s.last_up_at end,
      last_failure = case when v_row.vitality = 1 then s.last_failure else s.last_failure || jsonb_build_object(
        'at', v_row.at, 'httpStatus', v_row."httpStatus", 'detail', v_row."failureDetail"
      ) end,
      revision = s.revision + 1
    where s.endpoint_id = v_row."endpointId" and case when v_row.vitality = 1
      then v_row."challengeHash" is null or s.challenge_hash = v_row."challengeHash"
      -- After a self-inflicted failure, the latest failure can have another cause.
      else s.last_failure ->> 'error' = v_row.failure and v_row."failureDetail" is not null
    end;
  end if;
  return next;
end;
$$;

-- Creates the daily partitions of observations from p_from to p_to. Returns the number of created partitions.
create function public.create_observation_partitions(p_from date, p_to date)
returns integer
-- Runs as the owner of the function, because partitions must belong to the owner of their parent table.
language plpgsql security definer
as $$
declare
  v_day date;
  v_name text;
  v_created integer := 0;
begin
  for v_day in select d::date from generate_series(p_from, p_to, interval '1 day') d loop
    v_name := 'observations_' || to_char(v_day, 'YYYYMMDD');
    if to_regclass('internal.' || v_name) is null then
      -- Serializes workers that create a partition. The check above may not see a partition that another worker has
      -- just created, so the error duplicate_table is ignored.
      perform pg_advisory_xact_lock(hashtext('internal.observations'));
      begin
        execute format(
          'create table internal.%I partition of public.observations for values from (%L) to (%L)',
          v_name, v_day::text || ' 00:00:00+00', (v_day + 1)::text || ' 00:00:00+00'
        );
        v_created := v_created + 1;
      exception when duplicate_table then
        null;
      end;
    end if;
  end loop;
  return v_created;
end;
$$;
