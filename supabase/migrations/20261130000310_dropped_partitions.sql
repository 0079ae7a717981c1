-- Retention: several workers may drop old partitions at the same time.

-- Creates the daily partitions of observations from p_from to p_to, and drops the partitions of days before
-- p_keep_from. Returns the numbers of created and of dropped partitions.
create or replace function public.maintain_observation_partitions(p_from date, p_to date, p_keep_from date default null)
returns table (created integer, dropped integer)
-- Runs as the owner of the function, because partitions must belong to the owner of their parent table.
language plpgsql security definer
set search_path = ''
as $$
declare
  v_day date;
  v_name text;
  v_created integer := 0;
  v_dropped integer := 0;
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

  if p_keep_from is not null then
    -- The same lock as above. Without it, two workers would try to drop the same partition.
    perform pg_advisory_xact_lock(hashtext('internal.observations'));
  end if;
  for v_name in
    select c.relname from pg_catalog.pg_inherits i
    join pg_catalog.pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'public.observations'::regclass
      -- The names are compared, because PostgreSQL may evaluate to_date for other relations, before the join.
      and c.relname < ('observations_' || to_char(p_keep_from, 'YYYYMMDD'))::name
  loop
    execute format('drop table internal.%I', v_name);
    v_dropped := v_dropped + 1;
  end loop;

  return query select v_created, v_dropped;
end;
$$;
