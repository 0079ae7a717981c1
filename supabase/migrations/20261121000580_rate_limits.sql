-- Rate limits that hold over several processes.

-- What was taken in a window of a key. A window begins with the first call after the last one ended, so a key is one
-- row. Nothing is lost with the rows but a window that was begun, so they are not written ahead.
create unlogged table public.rate_limits (
  key text primary key,
  used integer not null,
  ends_at timestamptz not null
) with (fillfactor = 50);
create index rate_limits_ends on public.rate_limits (ends_at);

alter table public.rate_limits enable row level security;
revoke all on public.rate_limits from anon, authenticated;
grant all on public.rate_limits to service_role;

-- Takes p_cost of p_limit in the present window of a key. What is refused takes nothing, and costs no write.
create function public.take_rate_limit(
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

-- Forgets up to p_limit windows that ended before p_before. Returns how many.
create function public.prune_rate_limits(p_before timestamptz, p_limit integer)
returns integer
language sql
set search_path = ''
as $$
  with gone as (
    delete from public.rate_limits r using (
      select l.key from public.rate_limits l where l.ends_at < p_before limit p_limit for update skip locked
    ) o
    where r.key = o.key
    returning 1
  )
  select count(*)::integer from gone;
$$;
