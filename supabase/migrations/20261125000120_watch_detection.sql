-- Detection: changes of an endpoint become alerts of its active watches, in the transaction of the change.

-- Returns the alert for a change, or null if watches do not report the change. Changes of liveness are not converted
-- here, because each watch has its own sensitivity. Prices and wallets of a URL template differ from request to
-- request, so they give no alert.
create function internal.to_alert_type(p_change public.changes, p_templated boolean)
returns text
language sql immutable
set search_path = ''
as $$
  select case
    when p_change.kind = 'asset_network_change' then 'asset_network_change'
    when p_change.kind in ('price_change', 'payto_change') then case when not p_templated then p_change.kind end
    when p_change.kind = 'delisted' then 'delisting'
    when p_change.kind = 'compliance_change'
      and array_position(array['pass', 'warnings', 'errors', 'unpayable'], p_change.after ->> 'compliance')
        > array_position(array['pass', 'warnings', 'errors', 'unpayable'], p_change.before ->> 'compliance')
    then 'spec_regression'
  end;
$$;

-- Trigger function: appends an alert for each change to the log of each active watch of the endpoint.
create function internal.append_change_alerts()
returns trigger
language plpgsql
set search_path = ''
as $$
declare
  v_watch_ids text[];
begin
  v_watch_ids := array(
    select w.id from public.watches w
    where w.status = 'active' and w.endpoint_id in (
      select a.endpoint_id from added a
      where a.kind not in ('listed', 'relisted', 'metadata_change', 'liveness_down', 'liveness_recovered')
    )
    order by w.id for no key update
  );
  if v_watch_ids = '{}' then return null; end if;

  perform internal.append_watch_log(array(
    select row(w.id, 'alert', t.type, a.at, case
      when t.type = 'delisting' then '{"before": {"listingStatus": "listed"}, "after": {"listingStatus": "delisted"}}'
      else jsonb_build_object('before', a.before, 'after', a.after)
    end)::internal.watch_entry
    from added a
    join public.endpoints e on e.id = a.endpoint_id
    join public.watches w on w.endpoint_id = a.endpoint_id and w.id = any (v_watch_ids)
    cross join lateral (
      select internal.to_alert_type(row(a.*)::public.changes, e.templated) as type
    ) t
    where t.type = any (w.events) and a.at < w.expires_at
    order by a.id
  ));
  return null;
end;
$$;
create trigger changes_append_alerts after insert on public.changes
  referencing new table as added for each statement execute function internal.append_change_alerts();

-- Appends alerts about liveness after a batch of observations. Each watch has its own state:
-- Down: the endpoint had at least liveness_sensitivity_n consecutive missed scheduled probes. The downtime must also be
-- confirmed by a second miss, normally the recheck. Rechecks and live probes confirm a miss but are not counted.
-- Up again: the first observation with the endpoint up.
-- A watch keeps this state also if its owner does not want alerts about liveness. The missed probes are counted once
-- per endpoint, and only while a watch has not logged the downtime, because a long downtime has thousands of them. The
-- caller holds the locks of the watches, and has stored the observations.
create function internal.record_watch_liveness(p_assessed internal.assessed_row[], p_watch_ids text[])
returns void
language plpgsql
set search_path = ''
as $$
declare
  v_entries internal.watch_entry[];
begin
  with counted as materialized (
    select t."endpointId" as endpoint_id, (
      select count(*)::integer from public.observations o
      where o.endpoint_id = t."endpointId" and o.at between t.down_since and t.at
        and o.vitality = 0 and not o.excluded and not o.is_recheck
    ) as missed
    from unnest(p_assessed) t
    where t.is_latest and t.vitality = 0 and t.misses >= 2 and exists (
      select 1 from public.watches w
      where w.endpoint_id = t."endpointId" and w.id = any (p_watch_ids) and w.down_since is null and t.at < w.expires_at
    )
  ),
  judged as (
    select w.id, w.events, t.vitality, t.at, t.down_since, t.outcome, t."httpStatus", c.missed,
      w.down_since as watch_down_since, t.down_since < w.activated_at as was_down_before
    from unnest(p_assessed) t
    join public.watches w on w.endpoint_id = t."endpointId" and w.id = any (p_watch_ids)
    left join counted c on c.endpoint_id = t."endpointId"
    where t.is_latest and t.at < w.expires_at and case t.vitality
      when 0 then w.down_since is null and c.missed >= w.liveness_sensitivity_n
      when 1 then w.down_since is not null
      else false
    end
  ),
  updated as (
    update public.watches w set down_since = j.down_since from judged j where w.id = j.id
  )
  select array_agg(row(j.id, 'alert', l.type, j.at, l.data)::internal.watch_entry order by j.at, j.id) into v_entries
  from judged j
  cross join lateral (
    select 'liveness_down' as type, jsonb_build_object(
      'before', case when j.was_down_before then jsonb_build_object('liveness', 'down', 'downSince', j.down_since)
        else '{"liveness": "up"}' end,
      'after', jsonb_build_object(
        'liveness', 'down', 'downSince', j.down_since, 'missedProbes', j.missed, 'outcome', j.outcome,
        'httpStatus', j."httpStatus"
      )
    ) as data
    where j.vitality = 0
    union all
    select 'liveness_recovered', jsonb_build_object(
      'before', jsonb_build_object('liveness', 'down', 'downSince', j.watch_down_since),
      'after', jsonb_build_object('liveness', 'up', 'outcome', j.outcome, 'httpStatus', j."httpStatus")
    )
    where j.vitality = 1
  ) l
  where l.type = any (j.events);
  if v_entries is not null then perform internal.append_watch_log(v_entries); end if;
end;
$$;

-- Locks the active watches of the endpoints of a batch, and returns their ids. Locking them in one statement and in the
-- order of their ids prevents deadlocks, although the alerts of a batch are appended in several steps.
create function internal.lock_watches(p_rows internal.observation_row[])
returns text[]
language sql
set search_path = ''
as $$
  select array(
    select w.id from public.watches w
    where w.status = 'active' and w.endpoint_id in (select r."endpointId" from unnest(p_rows) r)
    order by w.id for no key update
  );
$$;

-- Records observations in one transaction: raw rows, daily rollups, changes, alerts of watches, latest states and
-- rechecks. Several observations of one endpoint are processed in time order, as if each were a separate batch.
-- `missing` contains the hashes of challenges that are not stored yet.
create or replace function internal.record_observation_rows(p_rows internal.observation_row[], p_now timestamptz)
returns table (recorded integer, changed integer, missing text[])
language plpgsql
set search_path = ''
as $$
declare
  v_assessed internal.assessed_row[];
  v_watch_ids text[];
  v_missed internal.slot[] := '{}';
  v_long_down text[] := '{}';
begin
  -- Every transaction that writes `endpoint_states` first locks its rows in this order, which prevents deadlocks.
  perform 1 from unnest(p_rows) r join public.endpoint_states s on s.endpoint_id = r."endpointId"
  where r.ordinal = 1 order by s.endpoint_id for update of s;
  v_watch_ids := internal.lock_watches(p_rows);

  perform public.maintain_observation_partitions(d.day, d.day)
  from (select distinct (r.at at time zone 'UTC')::date as day from unnest(p_rows) r) d
  where to_regclass('internal.observations_' || to_char(d.day, 'YYYYMMDD')) is null;

  recorded := 0;
  changed := 0;
  for v_ordinal in 1..(select coalesce(max(r.ordinal), 0) from unnest(p_rows) r) loop
    v_assessed := internal.assess_observations(p_rows, v_ordinal);
    perform internal.store_observations(v_assessed);
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
