-- What a batch says of its endpoints beside figures: changes, the latest state, and how they are probed from now on.

-- An observation in its sequence: how many misses in a row there were with it, and since when.
create type internal.traced_row as (
  endpoint_id text, at timestamptz, vitality smallint, misses integer, down_since timestamptz
);

-- The observations that go on from the stored states, in order. What arrives late is left out, and so is what failed
-- through our own fault. Misses are in a row until the endpoint is up; what is neither up nor down leaves them as they
-- are. After a time without watching (three slots, an hour and a half at least) they begin anew: a miss before it and
-- a miss after it do not say that the endpoint was down throughout.
create function internal.trace(p_rows internal.observation_row[])
returns setof internal.traced_row
language sql stable
set search_path = ''
as $$
  with fresh as (
    select r."endpointId" as endpoint_id, r.at, r.vitality, s.misses, s.down_since,
      r.at - coalesce(lag(r.at) over (partition by r."endpointId" order by r.at), s.last_observed_at) as unwatched,
      make_interval(secs => 3 * greatest(internal.cadence_seconds(c), 1800)) as gap
    from unnest(p_rows) r
    join public.endpoint_states s on s.endpoint_id = r."endpointId"
    left join public.schedules c on c.endpoint_id = r."endpointId"
    where not r.excluded and (s.last_observed_at is null or r.at > s.last_observed_at)
  ),
  runs as (
    select f.*, count(*) filter (where f.vitality = 1 or f.unwatched > f.gap)
      over (partition by f.endpoint_id order by f.at) as run
    from fresh f
  )
  select u.endpoint_id, u.at, u.vitality,
    (case when u.run = 0 then u.misses else 0 end
      + count(*) filter (where u.vitality = 0) over within_run)::integer,
    coalesce(
      case when u.run = 0 then u.down_since end,
      min(u.at) filter (where u.vitality = 0) over within_run
    )
  from runs u
  window within_run as (partition by u.endpoint_id, u.run order by u.at);
$$;

-- What differs between two sets of advertised terms, as kinds of change. Prices are compared per network and asset,
-- so are wallets, so that a new way to pay is neither a price change nor a takeover.
create function internal.terms_changes(p_before jsonb, p_after jsonb)
returns table (kind text)
language sql immutable
set search_path = ''
as $$
  select 'asset_network_change' where exists (
    (select k from jsonb_object_keys(p_before -> 'prices') k except select k from jsonb_object_keys(p_after -> 'prices') k)
    union all
    (select k from jsonb_object_keys(p_after -> 'prices') k except select k from jsonb_object_keys(p_before -> 'prices') k)
  )
  union all
  select 'price_change' where exists (
    select 1 from jsonb_each(p_before -> 'prices') b join jsonb_each(p_after -> 'prices') a on a.key = b.key
    where a.value <> b.value
  )
  union all
  select 'payto_change' where exists (
    select 1 from jsonb_each(p_before -> 'payTo') b join jsonb_each(p_after -> 'payTo') a on a.key = b.key
    where a.value <> b.value
  );
$$;

-- Appends a change for every readable challenge whose terms differ from those before it, for every verdict on a
-- challenge that differs from the one before it, and when an endpoint goes down (at the second miss in a row) or
-- comes back. What arrives late is compared by nobody: its neighbours were compared with each other already.
create function internal.record_changes(p_rows internal.observation_row[], p_traced internal.traced_row[])
returns integer
language sql
set search_path = ''
as $$
  with rows as (
    select r."endpointId" as endpoint_id, r.at, r.terms, r.compliance, s.terms_at, s.compliance_at
    from unnest(p_rows) r join public.endpoint_states s on s.endpoint_id = r."endpointId"
    where not r.excluded
  ),
  states as (
    select s.* from public.endpoint_states s where s.endpoint_id in (select r.endpoint_id from rows r)
  ),
  told as (
    select t.endpoint_id, t.at, t.terms, lag(t.terms) over (partition by t.endpoint_id order by t.at) as before
    from (
      select r.endpoint_id, r.at, r.terms from rows r
      where r.terms is not null and r.at > coalesce(r.terms_at, '-infinity')
      union all
      select s.endpoint_id, s.terms_at, s.terms from states s where s.terms is not null
    ) t
  ),
  judged as (
    select c.endpoint_id, c.at, c.compliance,
      lag(c.compliance) over (partition by c.endpoint_id order by c.at) as before
    from (
      select r.endpoint_id, r.at, r.compliance from rows r
      where r.compliance is not null and r.at > coalesce(r.compliance_at, '-infinity')
      union all
      select s.endpoint_id, s.compliance_at, s.compliance from states s where s.compliance is not null
    ) c
  ),
  lived as (
    select l.endpoint_id, l.at, l.liveness, l.since,
      lag(l.liveness) over w as before, lag(l.since) over w as before_since
    from (
      select t.endpoint_id, t.at, case t.vitality when 1 then 'up' else 'down' end as liveness, t.down_since as since
      from unnest(p_traced) t where t.vitality = 1 or (t.vitality = 0 and t.misses >= 2)
      union all
      select s.endpoint_id, '-infinity', s.liveness, s.down_since from states s where s.liveness is not null
    ) l
    window w as (partition by l.endpoint_id order by l.at)
  ),
  changed as (
    select t.endpoint_id, t.at, k.kind, t.before, t.terms as after
    from told t cross join lateral internal.terms_changes(t.before, t.terms) k
    where t.before is not null and t.terms <> t.before
    union all
    select j.endpoint_id, j.at, 'compliance_change',
      jsonb_build_object('compliance', j.before), jsonb_build_object('compliance', j.compliance)
    from judged j where j.before <> j.compliance
    union all
    select l.endpoint_id, l.at, case l.liveness when 'up' then 'liveness_recovered' else 'liveness_down' end,
      jsonb_build_object('liveness', l.before, 'downSince', l.before_since),
      jsonb_build_object('liveness', l.liveness, 'downSince', l.since)
    from lived l where l.before <> l.liveness
  ),
  recorded as (
    insert into public.changes (endpoint_id, at, kind, before, after)
    select * from changed c order by c.at, c.endpoint_id, c.kind
    on conflict do nothing
    returning 1
  )
  select count(*)::integer from recorded;
$$;

-- Brings the latest state up to date.
create function internal.update_states(p_rows internal.observation_row[], p_traced internal.traced_row[])
returns void
language sql
set search_path = ''
as $$
  with latest as (
    select distinct on (r."endpointId") r."endpointId" as endpoint_id, r.at, r.outcome, r.method
    from unnest(p_rows) r order by r."endpointId", r.at desc
  ),
  counted as (
    select r."endpointId" as endpoint_id,
      max(r.at) filter (where r.vitality is not null) as counted_at,
      max(r.at) filter (where r.outcome = 'challenged') as challenged_at,
      max(r.at) filter (where r.compliance in ('pass', 'warnings', 'errors')) as payable_at,
      max(r.at) filter (where r.outcome = 'free') as free_at
    from unnest(p_rows) r where not r.excluded group by 1
  ),
  traced as (
    select distinct on (t.endpoint_id) t.* from unnest(p_traced) t order by t.endpoint_id, t.at desc
  ),
  lived as (
    select distinct on (t.endpoint_id) t.endpoint_id, case t.vitality when 1 then 'up' else 'down' end as liveness
    from unnest(p_traced) t where t.vitality = 1 or (t.vitality = 0 and t.misses >= 2)
    order by t.endpoint_id, t.at desc
  ),
  told as (
    select distinct on (r."endpointId") r."endpointId" as endpoint_id, r.at, r.terms
    from unnest(p_rows) r where r.terms is not null and not r.excluded order by r."endpointId", r.at desc
  ),
  judged as (
    select distinct on (r."endpointId") r."endpointId" as endpoint_id, r.at, r.compliance
    from unnest(p_rows) r where r.compliance is not null and not r.excluded order by r."endpointId", r.at desc
  ),
  challenged as (
    select distinct on (r."endpointId") r."endpointId" as endpoint_id, r.method
    from unnest(p_rows) r where r.outcome = 'challenged' and not r.excluded order by r."endpointId", r.at desc
  )
  update public.endpoint_states s set
    last_probed_at = greatest(s.last_probed_at, l.at),
    last_observed_at = greatest(s.last_observed_at, t.at),
    last_counted_at = greatest(s.last_counted_at, c.counted_at),
    last_outcome = case when s.last_probed_at is null or l.at >= s.last_probed_at then l.outcome else s.last_outcome end,
    method = coalesce(m.method, s.method, l.method),
    down_since = case when t.endpoint_id is null then s.down_since else t.down_since end,
    misses = coalesce(t.misses, s.misses),
    liveness = coalesce(v.liveness, s.liveness),
    last_challenged_at = greatest(s.last_challenged_at, c.challenged_at),
    last_payable_at = greatest(s.last_payable_at, c.payable_at),
    last_free_at = greatest(s.last_free_at, c.free_at),
    terms = case when d.at > coalesce(s.terms_at, '-infinity') then d.terms else s.terms end,
    terms_at = greatest(s.terms_at, d.at),
    compliance = case when j.at > coalesce(s.compliance_at, '-infinity') then j.compliance else s.compliance end,
    compliance_at = greatest(s.compliance_at, j.at),
    revision = s.revision + 1
  from latest l
  left join counted c on c.endpoint_id = l.endpoint_id
  left join traced t on t.endpoint_id = l.endpoint_id
  left join lived v on v.endpoint_id = l.endpoint_id
  left join told d on d.endpoint_id = l.endpoint_id
  left join judged j on j.endpoint_id = l.endpoint_id
  left join challenged m on m.endpoint_id = l.endpoint_id
  where s.endpoint_id = l.endpoint_id;
$$;

-- Has each miss that begins an outage looked at once more, 20 to 45 seconds later: a lease that nobody holds until it
-- is due. Where the minute has passed already (a late batch), the next slot confirms it.
create function internal.confirm_misses(p_rows internal.observation_row[], p_now timestamptz)
returns void
language sql
set search_path = ''
as $$
  insert into public.leases (endpoint_id, slot_at, owner, expires_at, confirms)
  select r."endpointId", d.at, '', d.at, true
  from unnest(p_rows) r
  join public.endpoint_states s on s.endpoint_id = r."endpointId" and s.misses = 1 and s.down_since = r.at
  cross join lateral (
    select greatest(
      r.at + make_interval(secs => 20 + internal.spread(r."endpointId" || r.at::text) % 26), p_now
    ) as at
  ) d
  where r."slotAt" is not null and not coalesce(r.confirms, false) and r.at + interval '1 minute' > p_now
  on conflict do nothing;
$$;

-- Moves endpoints into the slow lane when they were down for 14 days, and back when they answer.
create function internal.change_lanes(p_traced internal.traced_row[])
returns void
language plpgsql
set search_path = ''
as $$
declare
  v_ids text[];
  v_hosts text[];
begin
  select array_agg(c.endpoint_id) into v_ids
  from public.schedules c join public.endpoint_states s on s.endpoint_id = c.endpoint_id
  where c.endpoint_id in (select t.endpoint_id from unnest(p_traced) t)
    and c.slow <> coalesce(s.last_observed_at - s.down_since >= interval '14 days', false);
  if v_ids is null then return; end if;

  perform 1 from public.schedules c where c.endpoint_id = any (v_ids) order by c.endpoint_id for update;
  update public.schedules c set slow = not c.slow where c.endpoint_id = any (v_ids);
  with moved as (
    update public.schedules c set next_probe_at = internal.next_due(c, s.last_observed_at)
    from public.endpoint_states s where s.endpoint_id = c.endpoint_id and c.endpoint_id = any (v_ids)
    returning c.host
  )
  select array_agg(distinct m.host) into v_hosts from moved m;
  perform internal.wake_hosts(v_hosts);
end;
$$;
