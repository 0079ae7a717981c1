-- Lifecycle of watches: notices, expiry and deletion.

-- Returns pending watches from before p_before, at most p_limit, whose payment is closed. A watch with an open payment
-- is kept, because the settlement will activate it. A failed payment is open until its last comparison with the chain,
-- which may show that it was settled. The function locks the payments, so that their state cannot change before the
-- deletion. Watches of locked payments are left to the next call.
create function internal.find_unpaid_watches(p_before timestamptz, p_limit integer)
returns text[]
language plpgsql
set search_path = ''
as $$
declare
  v_ids text[];
  v_closed text[];
begin
  v_ids := array(
    select w.id from public.watches w
    where w.status = 'pending' and w.created_at < p_before and not exists (
      select 1 from public.watch_purchases b
      join public.payments p using (network, asset, payer, nonce)
      where b.watch_id = w.id
        and (p.state in ('working', 'settling') or (p.state = 'failed' and p.audited_at is null))
    )
    order by w.created_at limit p_limit
  );
  v_closed := array(
    select b.watch_id from public.watch_purchases b
    join public.payments p using (network, asset, payer, nonce)
    where b.watch_id = any (v_ids)
      and not (p.state in ('working', 'settling') or (p.state = 'failed' and p.audited_at is null))
    for update of p skip locked
  );
  return array(
    select i.id from unnest(v_ids) as i (id)
    where i.id = any (v_closed) or not exists (
      select 1 from public.watch_purchases b
      join public.payments p using (network, asset, payer, nonce)
      where b.watch_id = i.id
    )
  );
end;
$$;

-- Deletes up to p_limit watches that ended 30 days before p_now, and up to p_limit pending watches that are an hour
-- old. Returns the number of deleted watches.
create function internal.delete_watches(p_now timestamptz, p_limit integer)
returns integer
language plpgsql
set search_path = ''
as $$
declare
  v_unpaid text[] := internal.find_unpaid_watches(p_now - interval '1 hour', p_limit);
  v_count integer;
begin
  with ended as (
    select w.id from public.watches w
    where w.status in ('cancelled', 'expired') and least(w.cancelled_at, w.expires_at) < p_now - interval '30 days'
    limit p_limit for update skip locked
  ),
  unpaid as (
    select w.id from public.watches w where w.id = any (v_unpaid) and w.status = 'pending'
    for update skip locked
  ),
  deleted as (
    delete from public.watches w
    where w.id in (select e.id from ended e union all select u.id from unpaid u)
    returning 1
  )
  select count(*) into v_count from deleted;
  return v_count;
end;
$$;

-- Logs the notice `expiring` three days before the end of a watch, ends watches at their end, and deletes old watches,
-- at most p_limit each. Watches that another transaction has locked are left to the next call. Returns the numbers of
-- watches.
create function public.advance_watches(p_now timestamptz, p_limit integer)
returns table (expiring integer, expired integer, deleted integer)
language plpgsql
set search_path = ''
as $$
declare
  v_expiring text[];
  v_expired text[];
begin
  v_expiring := array(
    select w.id from public.watches w
    where w.status = 'active' and w.expires_at > p_now and w.expires_at <= p_now + interval '3 days'
      and w.notified_expiry is distinct from w.expires_at
    order by w.expires_at limit p_limit for no key update skip locked
  );
  v_expired := array(
    select w.id from public.watches w where w.status = 'active' and w.expires_at <= p_now
    order by w.expires_at limit p_limit for no key update skip locked
  );
  update public.watches w set
    notified_expiry = case when w.id = any (v_expiring) then w.expires_at else w.notified_expiry end,
    status = case when w.id = any (v_expired) then 'expired' else w.status end
  where w.id = any (v_expiring || v_expired);
  perform internal.append_watch_log(array(
    select row(
      w.id, 'lifecycle', case w.status when 'expired' then 'expired' else 'expiring' end, p_now,
      jsonb_build_object('expiresAt', w.expires_at)
    )::internal.watch_entry
    from public.watches w where w.id = any (v_expiring || v_expired) order by w.id
  ));
  perform internal.update_watched_schedules(
    array(select w.endpoint_id from public.watches w where w.id = any (v_expired)), p_now
  );
  return query select cardinality(v_expiring), cardinality(v_expired), internal.delete_watches(p_now, p_limit);
end;
$$;
