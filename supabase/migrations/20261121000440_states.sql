-- What a batch says of its endpoints beside figures: changes, the latest state, and how they are probed from now on.

-- The observations of a batch that are new, one an endpoint: the p_place-th of each. What arrives late says nothing of the
-- state, and neither does what failed through our own fault. Misses are in a row until the endpoint is up; what is
-- neither up nor down leaves them as they are. After a time without watching (three slots, an hour and a half at least) they begin anew: a miss before
-- it and a miss after it do not say that the endpoint was down throughout.
create function internal.trace(p_rows internal.observation_row[], p_place integer)
returns internal.traced_row[]
language plpgsql
set search_path = ''
as $$
begin
  return array(
    select row(
      p.*, w.watched, m.misses, m.down_since, v.liveness, w.watched and n.resumed, w.told, w.judged,
      f.differs,
      f.differs or (w.watched and s.last_observed_at is null) or (w.told and s.terms_at is null)
        or (w.judged and s.compliance_at is null) or (s.liveness is null and v.liveness is not null),
      coalesce(
        w.watched and (s.last_observed_at - s.down_since >= interval '14 days' or p.at - m.down_since >= interval '14 days'),
        false
      )
    )::internal.traced_row
    from unnest(p_rows) p
    join public.endpoint_states s on s.endpoint_id = p."endpointId"
    cross join lateral (
      select not p.excluded and (s.last_observed_at is null or p.at > s.last_observed_at) as watched,
        not p.excluded and p.terms is not null and (s.terms_at is null or p.at > s.terms_at) as told,
        not p.excluded and p.compliance is not null and (s.compliance_at is null or p.at > s.compliance_at) as judged
    ) w
    cross join lateral (
      select coalesce(
        p.at - s.last_observed_at > interval '90 minutes' and p.at - s.last_observed_at > coalesce(
          (select make_interval(secs => 3 * internal.cadence_seconds(c)) from public.schedules c
           where c.endpoint_id = s.endpoint_id), '0'
        ), false
      ) as resumed
      -- Kept apart, so that the schedule is read once, and only after such a time.
      offset 0
    ) n
    cross join lateral (
      select p.vitality is not distinct from 1 or n.resumed as anew
    ) a
    cross join lateral (
      select
        case when not w.watched then s.misses
          else case when a.anew then 0 else s.misses end + (p.vitality is not distinct from 0)::integer end as misses,
        case when not w.watched then s.down_since
          else coalesce(case when not a.anew then s.down_since end, case when p.vitality = 0 then p.at end)
        end as down_since
    ) m
    cross join lateral (
      select case when not w.watched then null when p.vitality = 1 then 'up'
        when p.vitality = 0 and m.misses >= 2 then 'down' end as liveness
    ) v
    cross join lateral (
      select coalesce(w.told and s.terms <> p.terms, false) or coalesce(w.judged and s.compliance <> p.compliance, false)
        or coalesce(s.liveness <> v.liveness, false) as differs
    ) f
    where p.place = p_place
      -- Nothing is stored of an endpoint after its last probe, so only what is late can be there already.
      and (s.last_probed_at is null or p.at > s.last_probed_at or not exists (
        select 1 from public.observations o where o.endpoint_id = p."endpointId" and o.at = p.at
      ))
  );
end;
$$;

-- What differs between two sets of advertised terms, as kinds of change. Prices are compared per network and asset,
-- so are wallets, so that a new way to pay is neither a price change nor a takeover; but where no wallet of before is paid
-- any more, on whatever network, payments go to somebody else.
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
  ) or (
    jsonb_path_exists(p_before, '$.payTo.*[*]') and not exists (
      select jsonb_path_query(p_before, '$.payTo.*[*]') intersect select jsonb_path_query(p_after, '$.payTo.*[*]')
    )
  );
$$;

-- Appends a change for every readable challenge whose terms differ from those before it, for every verdict on a
-- challenge that differs from the one before it, and when an endpoint goes down (at the second miss in a row) or
-- comes back. What arrives late is compared by nobody: its neighbours were compared with each other already. Called
-- before the states are brought up to date.
create function internal.record_changes(p_traced internal.traced_row[])
returns integer
language plpgsql
set search_path = ''
as $$
declare
  v_count integer;
begin
  insert into public.changes (endpoint_id, at, kind, before, after)
  select t."endpointId", t.at, k.kind, k.before, k.after
  from unnest(p_traced) t
  join public.endpoint_states s on s.endpoint_id = t."endpointId"
  cross join lateral (
    select c.kind, s.terms as before, t.terms as after from internal.terms_changes(s.terms, t.terms) c
    where t.told and s.terms <> t.terms
    union all
    select 'compliance_change',
      jsonb_build_object('compliance', s.compliance), jsonb_build_object('compliance', t.compliance)
    where t.judged and s.compliance <> t.compliance
    union all
    select case t.liveness when 'up' then 'liveness_recovered' else 'liveness_down' end,
      jsonb_build_object('liveness', s.liveness, 'downSince', s.down_since),
      jsonb_build_object('liveness', t.liveness, 'downSince', t.down_since)
    where s.liveness <> t.liveness
  ) k
  where t.differs
  order by t.at, t."endpointId", k.kind
  on conflict do nothing;
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;

-- Brings the latest state up to date, and has it scored. What waits already stays where it is, but moves to the front
-- when there is something to be shown at once.
create function internal.update_states(p_traced internal.traced_row[], p_now timestamptz)
returns void
language plpgsql
set search_path = ''
as $$
begin
  with updated as (
    update public.endpoint_states s set
      last_probed_at = greatest(s.last_probed_at, t.at),
      last_observed_at = case when t.watched then t.at else s.last_observed_at end,
      watched_since = case when t.resumed and s.last_payable_at > s.last_observed_at - interval '24 hours'
        then t.at else s.watched_since end,
      last_counted_at = case when t.vitality is not null and not t.excluded
        then greatest(s.last_counted_at, t.at) else s.last_counted_at end,
      last_challenged_at = case when t.outcome = 'challenged' and not t.excluded
        then greatest(s.last_challenged_at, t.at) else s.last_challenged_at end,
      last_payable_at = case when t.compliance in ('pass', 'warnings', 'errors') and not t.excluded
        then greatest(s.last_payable_at, t.at) else s.last_payable_at end,
      last_free_at = case when t.outcome = 'free' and not t.excluded
        then greatest(s.last_free_at, t.at) else s.last_free_at end,
      terms_at = case when t.told then t.at else s.terms_at end,
      compliance_at = case when t.judged then t.at else s.compliance_at end,
      down_since = t.down_since,
      misses = t.misses,
      revision = s.revision + 1,
      last_outcome = case when s.last_probed_at > t.at then s.last_outcome else t.outcome end,
      method = coalesce(case when t.outcome = 'challenged' and not t.excluded then t.method end, s.method, t.method),
      liveness = coalesce(t.liveness, s.liveness),
      compliance = case when t.judged then t.compliance else s.compliance end,
      challenge_hash = case when t.told or t.judged then t."challengeHash" else s.challenge_hash end,
      terms = case when t.told then t.terms else s.terms end
    from unnest(p_traced) t where s.endpoint_id = t."endpointId"
    returning s.endpoint_id, t.urgent
  ),
  hurried as (
    insert into public.scoring_queue as q (endpoint_id, due_at, urgent)
    select u.endpoint_id, p_now, true from updated u where u.urgent
    on conflict (endpoint_id) do update set urgent = true where not q.urgent
  )
  -- Apart from those, because a conflict that may update locks the row even where it leaves it as it is.
  insert into public.scoring_queue (endpoint_id, due_at)
  select u.endpoint_id, p_now from updated u where not u.urgent
  on conflict do nothing;
end;
$$;

-- Has each miss that begins an outage looked at once more, 20 to 45 seconds later: a lease that nobody holds until it
-- is due. p_missed are observations of slots that missed a minute ago at most; where the minute has passed already (a late
-- batch), the next slot confirms it.
create function internal.confirm_misses(p_missed internal.slot[], p_now timestamptz)
returns void
language sql
set search_path = ''
as $$
  insert into public.leases (endpoint_id, slot_at, owner, expires_at, confirms)
  select s.endpoint_id, l.at, '', l.at, true
  from unnest(p_missed) m
  join public.endpoint_states s on s.endpoint_id = m.endpoint_id and s.misses = 1 and s.down_since = m.slot_at
  cross join lateral (
    select greatest(
      m.slot_at + make_interval(secs => 20 + internal.spread(s.endpoint_id || m.slot_at::text) % 26), p_now
    ) as at
  ) d
  -- In whole milliseconds, as leases are named by whoever holds them; and never on a whole second, as slots of the
  -- schedule are, whose place it would take.
  cross join lateral (
    select date_trunc('milliseconds', d.at)
      + case when d.at = date_trunc('second', d.at) then interval '1 millisecond' else '0' end as at
  ) l
  on conflict do nothing;
$$;

-- Moves endpoints into the slow lane when they were down for 14 days, and back when they answer.
create function internal.change_lanes(p_endpoint_ids text[])
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
  where c.endpoint_id = any (p_endpoint_ids)
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
