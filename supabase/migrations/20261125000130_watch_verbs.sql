-- Verbs of a watch: create, renew, edit, cancel, and the settlement of a purchase.

-- Adds destinations to a watch: [{ channel, url, label }].
create function internal.add_destinations(p_watch_id text, p_destinations jsonb, p_now timestamptz)
returns void
language sql
set search_path = ''
as $$
  insert into public.watch_destinations (watch_id, channel, url, label, created_at)
  select p_watch_id, d.channel, d.url, d.label, p_now
  from jsonb_to_recordset(p_destinations) as d (channel text, url text, label text);
$$;

-- Locks the payment of a purchase: { network, asset, payer, nonce, owner }. Returns false if the payment is no longer
-- in the work phase, or if another request holds it. `owner` is optional.
create function internal.hold_payment(p_payment jsonb)
returns boolean
language plpgsql
set search_path = ''
as $$
declare
  v_state text;
  v_owner text;
begin
  select p.state, p.owner into v_state, v_owner from public.payments p
  where p.network = p_payment ->> 'network' and p.asset = p_payment ->> 'asset'
    and p.payer = p_payment ->> 'payer' and p.nonce = p_payment ->> 'nonce'
  for update;
  return not found or (v_state = 'working' and v_owner = coalesce(p_payment ->> 'owner', v_owner));
end;
$$;

-- Creates a pending watch: { id, endpointId, secretHash, signingKey, events, livenessSensitivityN, destinations,
-- expiresAt }. The settlement of the payment activates it. A repeated call for the same payment replaces the pending
-- watch, because only the result of the last call is sold. Returns false if the endpoint is no longer in the catalog,
-- or if another request has taken over the payment.
create function public.create_watch(p_watch jsonb, p_payment jsonb, p_now timestamptz)
returns boolean
language plpgsql
set search_path = ''
as $$
begin
  if not internal.hold_payment(p_payment) then return false; end if;
  delete from public.watches w using public.watch_purchases b
  where w.id = b.watch_id and w.status = 'pending' and b.kind = 'create'
    and b.network = p_payment ->> 'network' and b.asset = p_payment ->> 'asset'
    and b.payer = p_payment ->> 'payer' and b.nonce = p_payment ->> 'nonce';
  perform 1 from public.endpoints e
  where e.id = p_watch ->> 'endpointId' and e.removed_at is null for key share;
  if not found then return false; end if;

  insert into public.watches (
    id, endpoint_id, secret_hash, signing_key, events, liveness_sensitivity_n, created_at, expires_at
  )
  select w.id, w."endpointId", w."secretHash", w."signingKey", w.events, w."livenessSensitivityN", p_now, w."expiresAt"
  from jsonb_to_record(p_watch) as w (
    id text, "endpointId" text, "secretHash" text, "signingKey" text, events text[], "livenessSensitivityN" smallint,
    "expiresAt" timestamptz
  );
  perform internal.add_destinations(p_watch ->> 'id', p_watch -> 'destinations', p_now);
  perform internal.save_purchase(p_payment, p_watch ->> 'id', 'create', p_now);
  return true;
end;
$$;

-- Stores the purchase of a payment. An earlier purchase of the same payment is replaced, unless it was applied.
create function internal.save_purchase(p_payment jsonb, p_watch_id text, p_kind text, p_now timestamptz)
returns void
language sql
set search_path = ''
as $$
  insert into public.watch_purchases as b (network, asset, payer, nonce, watch_id, kind, requested_at)
  select k.network, k.asset, k.payer, k.nonce, p_watch_id, p_kind, p_now
  from jsonb_to_record(p_payment) as k (network text, asset text, payer text, nonce text)
  on conflict (network, asset, payer, nonce) do update set
    watch_id = excluded.watch_id, kind = excluded.kind, requested_at = excluded.requested_at
  where b.applied_at is null;
$$;

-- Stores the purchase of a renewal: 30 days from p_now or from the end of the watch, whichever is later. A watch can be
-- renewed until seven days after it expired, and never after it was cancelled. `kind`: `created`, `not-found`,
-- `not-renewable`, or `superseded` if another request has taken over the payment. `expires_at`: new end of the watch.
create function public.create_renewal(p_id text, p_payment jsonb, p_now timestamptz)
returns table (kind text, endpoint_id text, expires_at timestamptz)
language plpgsql
set search_path = ''
as $$
#variable_conflict use_column
declare
  v_watch public.watches;
begin
  if not internal.hold_payment(p_payment) then
    return query select 'superseded', null::text, null::timestamptz;
    return;
  end if;
  select * into v_watch from public.watches w where w.id = p_id and w.status <> 'pending' for no key update;
  if not found then
    return query select 'not-found', null::text, null::timestamptz;
  elsif v_watch.status = 'cancelled' or v_watch.expires_at + interval '7 days' <= p_now then
    return query select 'not-renewable', null::text, null::timestamptz;
  else
    perform internal.save_purchase(p_payment, p_id, 'renew', p_now);
    return query select 'created', v_watch.endpoint_id::text,
      greatest(p_now, v_watch.expires_at) + interval '30 days';
  end if;
end;
$$;

-- Trigger function: applies the purchase of a settled payment, once, if the payment is for the operation of the
-- purchase. A create activates the watch. A renewal extends it, and also reactivates a watch that expired or was
-- cancelled in the meantime, because the renewal is paid. The downtime of a watch that was not active is kept only if
-- it continues: the watch has not seen its end.
create function internal.apply_watch_purchase()
returns trigger
language plpgsql
set search_path = ''
as $$
declare
  v_purchase public.watch_purchases;
  v_watch public.watches;
  v_expires_at timestamptz;
begin
  select * into v_purchase from public.watch_purchases b
  where b.network = new.network and b.asset = new.asset and b.payer = new.payer and b.nonce = new.nonce
    and b.applied_at is null
    and new.route = case b.kind when 'create' then 'POST /v1/watch-endpoint-30d' else 'POST /v1/watch/{id}/renew' end;
  if not found then return null; end if;

  select * into strict v_watch from public.watches w where w.id = v_purchase.watch_id for no key update;
  update public.watch_purchases b set applied_at = new.settled_at
  where b.network = new.network and b.asset = new.asset and b.payer = new.payer and b.nonce = new.nonce;
  if v_purchase.kind = 'create' then
    update public.watches w set status = 'active', activated_at = new.settled_at where w.id = v_watch.id;
    perform internal.append_watch_log(array[row(
      v_watch.id, 'lifecycle', 'created', new.settled_at, jsonb_build_object('expiresAt', v_watch.expires_at)
    )::internal.watch_entry]);
  else
    v_expires_at := greatest(v_purchase.requested_at, v_watch.expires_at) + interval '30 days';
    update public.watches w set status = 'active', expires_at = v_expires_at, cancelled_at = null,
      down_since = case when w.status = 'active' or w.down_since = (
        select s.down_since from public.endpoint_states s where s.endpoint_id = w.endpoint_id
      ) then w.down_since end
    where w.id = v_watch.id;
    perform internal.append_watch_log(array[row(
      v_watch.id, 'lifecycle', 'renewed', new.settled_at, jsonb_build_object(
        'before', jsonb_build_object('expiresAt', v_watch.expires_at),
        'after', jsonb_build_object('expiresAt', v_expires_at)
      )
    )::internal.watch_entry]);
  end if;
  perform internal.update_watched_schedules(array[v_watch.endpoint_id], new.settled_at);
  return null;
end;
$$;
create trigger payments_apply_watch_purchase after update of state on public.payments
  for each row when (new.state = 'settled' and old.state <> 'settled')
  execute function internal.apply_watch_purchase();

-- Cancels a watch that is active or expired. A watch that is already cancelled stays unchanged.
create function public.cancel_watch(p_id text, p_now timestamptz)
returns void
language plpgsql
set search_path = ''
as $$
declare
  v_endpoint_id text;
begin
  update public.watches w set status = 'cancelled', cancelled_at = p_now
  where w.id = p_id and w.status in ('active', 'expired')
  returning w.endpoint_id into v_endpoint_id;
  if not found then return; end if;
  perform internal.append_watch_log(array[row(p_id, 'lifecycle', 'cancelled', p_now, '{}')::internal.watch_entry]);
  perform internal.update_watched_schedules(array[v_endpoint_id], p_now);
end;
$$;

-- Removes destinations, and drops their pending deliveries. The caller holds the lock of the watch.
create function internal.remove_destinations(p_ids bigint[], p_now timestamptz)
returns void
language plpgsql
set search_path = ''
as $$
begin
  update public.watch_destinations d
  set removed_at = p_now, url = null, next_due_at = null, lease_owner = null, lease_until = null
  where d.id = any (p_ids);
  update public.watch_deliveries v set state = 'dropped', finished_at = p_now
  where v.destination_id = any (p_ids) and v.state = 'pending';
end;
$$;

-- Edits a watch: { events, livenessSensitivityN, webhooks, chats }; members that are null stay unchanged. `webhooks`
-- and `chats` replace all destinations of their kind: { id } keeps a destination with its queue, and
-- { channel, url, label } adds one. p_changed: names of the changed members, for the log. Returns false if the watch is
-- unknown, pending or cancelled.
create function public.edit_watch(p_id text, p_edit jsonb, p_changed text[], p_now timestamptz)
returns boolean
language plpgsql
set search_path = ''
as $$
declare
  v_edit jsonb := jsonb_strip_nulls(p_edit);
begin
  update public.watches w set
    events = case when v_edit ? 'events'
      then array(select jsonb_array_elements_text(v_edit -> 'events')) else w.events end,
    liveness_sensitivity_n = coalesce((v_edit ->> 'livenessSensitivityN')::smallint, w.liveness_sensitivity_n)
  where w.id = p_id and w.status in ('active', 'expired');
  if not found then return false; end if;

  perform internal.remove_destinations(array(
    select d.id from public.watch_destinations d
    where d.watch_id = p_id and d.removed_at is null
      and v_edit ? case d.channel when 'webhook' then 'webhooks' else 'chats' end
      and not (v_edit -> case d.channel when 'webhook' then 'webhooks' else 'chats' end)
        @> jsonb_build_array(jsonb_build_object('id', d.id))
  ), p_now);
  perform internal.add_destinations(p_id, (
    select coalesce(jsonb_agg(d), '[]')
    from jsonb_array_elements(coalesce(v_edit -> 'webhooks', '[]') || coalesce(v_edit -> 'chats', '[]')) d
    where d ? 'url'
  ), p_now);
  if cardinality(p_changed) > 0 then
    perform internal.append_watch_log(array[row(
      p_id, 'lifecycle', 'edited', p_now, jsonb_build_object('changed', p_changed)
    )::internal.watch_entry]);
  end if;
  return true;
end;
$$;
