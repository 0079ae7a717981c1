-- Endpoint states: effect of a batch of observations on latest states, changes and the scoring queue.

-- Returns the observations of a batch with their effect on the latest state: for each endpoint the observation at
-- position p_ordinal. Observations that are already stored are left out.
-- Late observations and self-inflicted failures do not change the number of misses. An observation with the endpoint up
-- resets this number; an observation that is neither up nor down leaves it unchanged. After a monitoring gap (more than
-- three slots and more than 90 minutes) the number starts again, because a miss before the gap and a miss after it do
-- not prove that the endpoint was down throughout.
create function internal.assess_observations(p_rows internal.observation_row[], p_ordinal integer)
returns internal.assessed_row[]
language plpgsql
set search_path = ''
as $$
begin
  return array(
    select row(
      p.*, w.is_latest, m.misses, m.down_since, v.liveness, w.is_latest and n.is_after_gap,
      w.is_latest_terms, w.is_latest_compliance,
      f.has_changed,
      f.has_changed or (w.is_latest and s.last_observed_at is null) or (w.is_latest_terms and s.terms_at is null)
        or (w.is_latest_compliance and s.compliance_at is null) or (s.liveness is null and v.liveness is not null),
      coalesce(
        w.is_latest and (
          s.last_observed_at - s.down_since >= interval '14 days' or p.at - m.down_since >= interval '14 days'
        ),
        false
      )
    )::internal.assessed_row
    from unnest(p_rows) p
    join public.endpoint_states s on s.endpoint_id = p."endpointId"
    cross join lateral (
      select not p.excluded and (s.last_observed_at is null or p.at > s.last_observed_at) as is_latest,
        not p.excluded and p.terms is not null and (s.terms_at is null or p.at > s.terms_at) as is_latest_terms,
        not p.excluded and p.compliance is not null and (s.compliance_at is null or p.at > s.compliance_at)
          as is_latest_compliance
    ) w
    cross join lateral (
      select coalesce(
        p.at - s.last_observed_at > interval '90 minutes' and p.at - s.last_observed_at > coalesce(
          (select make_interval(secs => 3 * internal.cadence_seconds(c)) from public.schedules c
           where c.endpoint_id = s.endpoint_id), '0'
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
          else coalesce(case when not a.is_reset then s.down_since end, case when p.vitality = 0 then p.at end)
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

-- Returns the kinds of change between two sets of payment terms. Prices and wallets are compared for each network and
-- asset, so a new payment option is neither a price change nor a wallet change. One exception: if the new terms contain
-- none of the earlier wallets, the wallet has changed.
create function internal.list_terms_changes(p_before jsonb, p_after jsonb)
returns table (kind text)
language sql immutable
set search_path = ''
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
  select 'payto_change' where exists (
    select 1 from jsonb_each(p_before -> 'payTo') b join jsonb_each(p_after -> 'payTo') a on a.key = b.key
    where a.value <> b.value
  ) or (
    jsonb_path_exists(p_before, '$.payTo.*[*]') and not exists (
      select jsonb_path_query(p_before, '$.payTo.*[*]') intersect select jsonb_path_query(p_after, '$.payTo.*[*]')
    )
  );
$$;

-- Records changes of payment terms and compliance verdicts, and endpoints that go down (at the second consecutive miss)
-- or recover. Late observations are not compared, because the observations before and after them were compared already.
-- The call must precede update_states, because it compares with the old states. Returns the number of changes.
create function internal.record_changes(p_assessed internal.assessed_row[])
returns integer
language plpgsql
set search_path = ''
as $$
declare
  v_count integer;
begin
  insert into public.changes (endpoint_id, at, kind, before, after)
  select t."endpointId", t.at, k.kind, k.before, k.after
  from unnest(p_assessed) t
  join public.endpoint_states s on s.endpoint_id = t."endpointId"
  cross join lateral (
    select c.kind, s.terms as before, t.terms as after from internal.list_terms_changes(s.terms, t.terms) c
    where t.is_latest_terms and s.terms <> t.terms
    union all
    select 'compliance_change',
      jsonb_build_object('compliance', s.compliance), jsonb_build_object('compliance', t.compliance)
    where t.is_latest_compliance and s.compliance <> t.compliance
    union all
    select case t.liveness when 'up' then 'liveness_recovered' else 'liveness_down' end,
      jsonb_build_object('liveness', s.liveness, 'downSince', s.down_since),
      jsonb_build_object('liveness', t.liveness, 'downSince', t.down_since)
    where s.liveness <> t.liveness
  ) k
  where t.has_changed
  order by t.at, t."endpointId", k.kind
  on conflict do nothing;
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;

-- Updates the latest states and queues the endpoints for scoring. An endpoint that is already queued keeps its
-- position, but becomes urgent after an urgent change.
create function internal.update_states(p_assessed internal.assessed_row[], p_now timestamptz)
returns void
language plpgsql
set search_path = ''
as $$
begin
  with updated as (
    update public.endpoint_states s set
      last_probed_at = greatest(s.last_probed_at, t.at),
      last_observed_at = case when t.is_latest then t.at else s.last_observed_at end,
      watched_since = case when t.is_after_gap and s.last_payable_at > s.last_observed_at - interval '24 hours'
        then t.at else s.watched_since end,
      last_counted_at = case when t.vitality is not null and not t.excluded
        then greatest(s.last_counted_at, t.at) else s.last_counted_at end,
      last_challenged_at = case when t.outcome = 'challenged' and not t.excluded
        then greatest(s.last_challenged_at, t.at) else s.last_challenged_at end,
      last_payable_at = case when t.compliance in ('pass', 'warnings', 'errors') and not t.excluded
        then greatest(s.last_payable_at, t.at) else s.last_payable_at end,
      last_free_at = case when t.outcome = 'free' and not t.excluded
        then greatest(s.last_free_at, t.at) else s.last_free_at end,
      terms_at = case when t.is_latest_terms then t.at else s.terms_at end,
      compliance_at = case when t.is_latest_compliance then t.at else s.compliance_at end,
      down_since = t.down_since,
      misses = t.misses,
      revision = s.revision + 1,
      last_outcome = case when s.last_probed_at > t.at then s.last_outcome else t.outcome end,
      method = coalesce(case when t.outcome = 'challenged' and not t.excluded then t.method end, s.method, t.method),
      liveness = coalesce(t.liveness, s.liveness),
      compliance = case when t.is_latest_compliance then t.compliance else s.compliance end,
      challenge_hash = case when t.is_latest_terms or t.is_latest_compliance
        then t."challengeHash" else s.challenge_hash end,
      terms = case when t.is_latest_terms then t.terms else s.terms end
    from unnest(p_assessed) t where s.endpoint_id = t."endpointId"
    returning s.endpoint_id, t.urgent
  ),
  urgent_rows as (
    insert into public.scoring_queue as q (endpoint_id, due_at, urgent)
    select u.endpoint_id, p_now, true from updated u where u.urgent
    on conflict (endpoint_id) do update set urgent = true where not q.urgent
  )
  -- Rows that are not urgent have their own insert with `do nothing`, because `do update` locks an existing row even if
  -- it changes nothing.
  insert into public.scoring_queue (endpoint_id, due_at)
  select u.endpoint_id, p_now from updated u where not u.urgent
  on conflict do nothing;
end;
$$;
