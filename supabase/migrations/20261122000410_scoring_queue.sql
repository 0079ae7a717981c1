-- Scoring queue: selection of the endpoints to score next.

-- Queues up to p_limit endpoints whose snapshot is at least p_max_age_seconds old, oldest first. Returns the number of
-- queued endpoints.
create function public.queue_aged_snapshots(p_now timestamptz, p_max_age_seconds integer, p_limit integer)
returns integer
language sql
set search_path = ''
as $$
  with added as (
    insert into public.scoring_queue (endpoint_id, due_at)
    select n.endpoint_id, n.computed_at + make_interval(secs => p_max_age_seconds) from public.snapshots n
    where n.computed_at <= p_now - make_interval(secs => p_max_age_seconds)
      and not exists (select 1 from public.scoring_queue q where q.endpoint_id = n.endpoint_id)
    order by n.computed_at limit p_limit
    on conflict do nothing
    returning 1
  )
  select count(*)::integer from added;
$$;

-- Claims up to p_limit endpoints for scoring: urgent endpoints first, then those that have waited longest. For
-- p_lease_seconds no other call can claim them; in that time the caller saves their snapshots or postpones them. Rows
-- of deleted endpoints count toward p_limit and are deleted. `has_more` is true if more endpoints may be due.
create function public.claim_scores(p_now timestamptz, p_lease_seconds integer, p_limit integer)
returns table (endpoint_ids text[], has_more boolean)
language plpgsql
set search_path = ''
as $$
declare
  v_ids text[];
begin
  select coalesce(array_agg(w.endpoint_id), '{}') into v_ids from (
    select q.endpoint_id from public.scoring_queue q
    where q.due_at <= p_now order by q.urgent desc, q.due_at limit p_limit
    for update skip locked
  ) w;
  has_more := cardinality(v_ids) = p_limit;

  delete from public.scoring_queue q
  where q.endpoint_id = any (v_ids)
    and not exists (select 1 from public.endpoint_states s where s.endpoint_id = q.endpoint_id);
  with claimed as (
    update public.scoring_queue q set due_at = p_now + make_interval(secs => p_lease_seconds)
    where q.endpoint_id = any (v_ids)
    returning q.endpoint_id
  )
  select coalesce(array_agg(t.endpoint_id), '{}') into endpoint_ids from claimed t;
  return next;
end;
$$;

-- Postpones endpoints that could not be scored until p_until, so that they do not block other endpoints. Returns the
-- number of postponed endpoints.
create function public.postpone_scores(p_endpoint_ids text[], p_until timestamptz)
returns integer
language sql
set search_path = ''
as $$
  with postponed as (
    update public.scoring_queue q set due_at = p_until where q.endpoint_id = any (p_endpoint_ids) returning 1
  )
  select count(*)::integer from postponed;
$$;
