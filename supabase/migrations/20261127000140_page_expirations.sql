-- Page expirations: cache tags of changed pages, which the instances of one site read from each other.

-- `sequence`: position of the row. The rows become visible in this order, so a reader that continues after its last
-- position misses none.
create table public.page_expirations (
  sequence bigint generated always as identity primary key,
  tag text not null check (char_length(tag) between 1 and 300),
  at timestamptz not null default now()
);
create index page_expirations_at on public.page_expirations (at);
alter table public.page_expirations enable row level security;
revoke all on public.page_expirations from anon, authenticated;
grant all on public.page_expirations to service_role;
grant select on sequence public.page_expirations_sequence_seq to service_role;

-- Adds tags of changed pages. Also deletes at most 5,000 rows that are older than two hours: every page is rebuilt after
-- an hour, so no instance needs them. Returns the number of added rows.
create function public.record_page_expirations(p_tags text[])
returns integer
language plpgsql
set search_path = ''
as $$
declare
  v_added integer;
begin
  -- Serializes the writers until they commit. Otherwise, a row could become visible after a row with a higher sequence.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('page_expirations', 0));
  delete from public.page_expirations e where e.sequence in (
    select o.sequence from public.page_expirations o where o.at < now() - interval '2 hours' order by o.at limit 5000
  );
  insert into public.page_expirations (tag) select distinct t.tag from unnest(p_tags) as t (tag);
  get diagnostics v_added = row_count;
  return v_added;
end;
$$;

-- Returns { latest, tags }: the latest position, and the different tags after the position p_after. `tags` is null
-- without p_after, if there are more than p_limit positions after it, and if p_after is higher than every position that
-- the sequence has reached. The last happens after the database was restored or replaced.
create function public.read_page_expirations(p_after bigint default null, p_limit integer default 10000)
returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object('latest', l.latest, 'tags', case
    when l.after <= l.latest and l.latest - l.after <= p_limit then (
      select coalesce(jsonb_agg(distinct e.tag), '[]') from public.page_expirations e
      where e.sequence > l.after and e.sequence <= l.latest
    )
  end)
  from (
    -- The sequence also counts rows that are not committed yet, so it is not the latest position.
    select a.after, greatest(coalesce((select max(e.sequence) from public.page_expirations e), 0), a.after) as latest
    from public.page_expirations_sequence_seq s
    cross join lateral (
      select case when p_after <= case when s.is_called then s.last_value else 0 end then p_after end as after
    ) a
  ) l;
$$;

revoke execute on function
  public.record_page_expirations(text[]), public.read_page_expirations(bigint, integer)
  from public, anon, authenticated;
grant execute on function
  public.record_page_expirations(text[]), public.read_page_expirations(bigint, integer)
  to service_role;
