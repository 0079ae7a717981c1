-- Rate limits that all processes share.

-- Adds p_cost to the use of a key in its current window, if the use then is at most p_limit. A refused call changes
-- nothing.
create function public.consume_rate_limit(
  p_key text, p_cost integer, p_limit integer, p_window_seconds integer, p_now timestamptz
)
returns table (allowed boolean, remaining integer, ends_at timestamptz)
language plpgsql
set search_path = ''
as $$
declare
  v_row public.rate_limits;
begin
  if p_cost <= p_limit then
    insert into public.rate_limits as l (key, used, ends_at)
    values (p_key, p_cost, p_now + make_interval(secs => p_window_seconds))
    on conflict (key) do update set
      used = case when l.ends_at <= p_now then 0 else l.used end + p_cost,
      ends_at = case when l.ends_at <= p_now then excluded.ends_at else l.ends_at end
    where l.ends_at <= p_now or l.used + p_cost <= p_limit
    returning l.* into v_row;
    if found then
      return query select true, p_limit - v_row.used, v_row.ends_at;
      return;
    end if;
  end if;
  select * into v_row from public.rate_limits l where l.key = p_key;
  return query select false, greatest(p_limit - coalesce(v_row.used, 0), 0),
    coalesce(v_row.ends_at, p_now + make_interval(secs => p_window_seconds));
end;
$$;

-- Deletes up to p_limit windows that ended before p_before. Returns the number of deleted windows.
create function public.prune_rate_limits(p_before timestamptz, p_limit integer)
returns integer
language sql
set search_path = ''
as $$
  with deleted as (
    delete from public.rate_limits r using (
      select l.key from public.rate_limits l where l.ends_at < p_before limit p_limit for update skip locked
    ) o
    where r.key = o.key
    returning 1
  )
  select count(*)::integer from deleted;
$$;
