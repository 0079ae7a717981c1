-- Operations: disputed payments stay visible for a day after they were found, however late that is.

create index payments_disputed on public.payments (audited_at) where state = 'disputed';

-- Returns the payments: `open` are those whose outcome is not known yet, and `lastDay` are those that were created in
-- the last 24 hours. `disputedLastDay` is the number of payments that were found to be disputed in the last 24 hours. At
-- most p_limit payments of each kind are counted.
create or replace function internal.payment_metrics(p_now timestamptz, p_limit integer)
returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object(
    'open', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'state', o.state, 'payments', o.payments, 'oldestAt', o.oldest_at
      ) order by o.state), '[]')
      from (
        select v.state, count(*) as payments, min(r.created_at) as oldest_at
        from unnest(array['working', 'settling']) as v (state) cross join lateral (
          select p.created_at from public.payments p where p.state = v.state and p.state in ('working', 'settling')
          order by p.created_at limit p_limit
        ) r
        group by v.state
      ) o
    ),
    'lastDay', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'operation', d.route, 'state', d.state, 'payments', d.payments
      ) order by d.route, d.state), '[]')
      from (
        select r.route, r.state, count(*) as payments from (
          select p.route, p.state from public.payments p where p.created_at > p_now - interval '1 day'
          order by p.created_at desc limit p_limit
        ) r
        group by r.route, r.state
      ) d
    ),
    'disputedLastDay', (
      select count(*) from (
        select from public.payments p where p.state = 'disputed' and p.audited_at > p_now - interval '1 day'
        order by p.audited_at desc limit p_limit
      ) d
    )
  );
$$;
