-- Watches: paid subscriptions to an endpoint, the log of each watch, and the deliveries of its entries.
-- Every transaction takes its row locks in this order: endpoint_states, payments, watches (by id), watch_destinations,
-- schedules, host_queues. A transaction locks a destination only while it holds the lock of the watch. The only
-- exception is a claim of deliveries, which skips locked destinations and waits for no lock.

-- Watches. A watch is `pending` until its payment is settled, then `active`. It ends as `cancelled` or `expired`.
create table public.watches (
  id text collate "C" primary key check (id ~ '^w_[a-z2-7]{26}$'),
  endpoint_id text collate "C" not null references public.endpoints (id) on delete cascade,
  -- Claim whose provider gets free notices by this watch; null for a bought watch. The claim ends the watch, and the
  -- endpoint is probed at its regular interval. Nobody has the secret of such a watch.
  claim_id text collate "C",
  status text not null default 'pending' check (status in ('pending', 'active', 'cancelled', 'expired')),
  -- Hash of the signing key. The hash authenticates the owner but cannot sign messages.
  secret_hash text not null,
  -- Encrypted key that signs messages. The encryption key is not in the database.
  signing_key text not null,
  -- Types of alerts that the owner wants.
  events text[] not null,
  -- Number of consecutive missed scheduled probes before `liveness_down`.
  liveness_sensitivity_n smallint not null check (liveness_sensitivity_n between 1 and 10),
  created_at timestamptz not null,
  activated_at timestamptz,
  expires_at timestamptz not null,
  cancelled_at timestamptz,
  -- Value of `expires_at` for which the entry `expiring` was logged. A renewal changes `expires_at`, so the new end is
  -- announced too.
  notified_expiry timestamptz,
  -- Start of the downtime that this watch has logged, or would have logged if its owner wanted alerts about liveness.
  -- Null while the endpoint is not down for this watch.
  down_since timestamptz,
  -- Sequence number of the latest log entry. The entries of a watch are numbered without gaps, from 1.
  last_sequence integer not null default 0,
  check ((status = 'cancelled') = (cancelled_at is not null)),
  check ((status = 'pending') = (activated_at is null))
) with (fillfactor = 80);

create index watches_endpoint on public.watches (endpoint_id);
create index watches_claim on public.watches (claim_id) where claim_id is not null;
create index watches_expiry on public.watches (expires_at) where status = 'active';
create index watches_pending on public.watches (created_at) where status = 'pending';
create index watches_ended on public.watches ((least(cancelled_at, expires_at)))
  where status in ('cancelled', 'expired');

-- Purchases of watches, by the key of the payment. The row is written before the payment is settled. The settlement
-- then applies the purchase, at most once.
create table public.watch_purchases (
  network text not null,
  asset text not null,
  payer text not null,
  nonce text not null,
  watch_id text collate "C" not null references public.watches (id) on delete cascade,
  kind text not null check (kind in ('create', 'renew')),
  requested_at timestamptz not null,
  applied_at timestamptz,
  -- Status and end of the watch after the purchase was applied. A renewal of a cancelled watch changes nothing.
  watch_status text check (watch_status in ('active', 'cancelled')),
  watch_expires_at timestamptz,
  primary key (network, asset, payer, nonce),
  check (num_nulls(applied_at, watch_status, watch_expires_at) in (0, 3))
);

create index watch_purchases_watch on public.watch_purchases (watch_id);

-- Log of each watch: alerts about the endpoint, and lifecycle events of the watch itself.
create table public.watch_log (
  watch_id text collate "C" not null references public.watches (id) on delete cascade,
  sequence integer not null check (sequence > 0),
  kind text not null check (kind in ('alert', 'lifecycle')),
  -- The table of events in libs/contract has all types.
  type text not null,
  at timestamptz not null,
  data jsonb not null,
  primary key (watch_id, sequence)
);

-- Pages of alerts and of lifecycle events are read separately.
create index watch_log_kind on public.watch_log (watch_id, kind, sequence);

-- Destinations of deliveries. A removed destination stays for the list of attempts, without its URL.
create table public.watch_destinations (
  id bigint generated always as identity primary key,
  watch_id text collate "C" not null references public.watches (id) on delete cascade,
  channel text not null check (channel in ('webhook', 'slack', 'discord')),
  -- Encrypted URL. `label` is the public form of the URL.
  url text,
  label text not null,
  -- Receiver by which messages are limited: a domain, or a hash of the part of a URL that names a chat or a customer.
  receiver text not null,
  created_at timestamptz not null,
  removed_at timestamptz,
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('gone', 'failing', 'refused')),
  -- Time of the first failed attempt after the last success. The time starts again after 30 hours without an attempt.
  failing_since timestamptz,
  -- Time of the last delivered message about liveness.
  liveness_sent_at timestamptz,
  -- True if the last attempt took 2 seconds or longer. Claims contain only a limited number of slow destinations.
  is_slow boolean not null default false,
  -- Time of the first message over the daily limit, until the next message was delivered or given up.
  limited_since timestamptz,
  -- Time of the next claim: the next attempt of the first pending delivery, or the end of the lease. Null without a
  -- pending delivery.
  next_due_at timestamptz,
  -- Worker that is sending to this destination, until `lease_until`. So each destination has at most one attempt at a
  -- time.
  lease_owner text,
  lease_until timestamptz,
  check (url is not null or removed_at is not null),
  check ((disabled_at is null) = (disabled_reason is null)),
  check ((lease_owner is null) = (lease_until is null)),
  check (next_due_at is null or (removed_at is null and disabled_at is null))
) with (fillfactor = 80);

create index watch_destinations_watch on public.watch_destinations (watch_id);
create index watch_destinations_due on public.watch_destinations (is_slow, next_due_at, limited_since)
  where next_due_at is not null;
create index watch_destinations_lease on public.watch_destinations (lease_owner) where lease_owner is not null;

-- Outbox: one row for each log entry and destination, written in the transaction that writes the entry.
-- `exhausted`: every attempt failed. `dropped`: the destination was removed or disabled first.
-- `watch_id` has no foreign key here and in the table of attempts, because its check would lock the watch while the
-- destination is locked.
create table public.watch_deliveries (
  destination_id bigint not null references public.watch_destinations (id) on delete cascade,
  sequence integer not null,
  watch_id text collate "C" not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'exhausted', 'dropped')),
  attempts smallint not null default 0,
  next_attempt_at timestamptz not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (destination_id, sequence),
  check ((state = 'pending') = (finished_at is null))
) with (fillfactor = 80);

create index watch_deliveries_pending on public.watch_deliveries (destination_id, sequence) where state = 'pending';
create index watch_deliveries_given_up on public.watch_deliveries (finished_at)
  where state in ('exhausted', 'dropped');

-- Attempts to deliver, for the owner of the watch.
create table public.watch_attempts (
  id bigint generated always as identity primary key,
  destination_id bigint not null references public.watch_destinations (id) on delete cascade,
  watch_id text collate "C" not null,
  -- Sequence number of the log entry. For a chat message with several entries: sequence number of the first entry.
  sequence integer not null,
  at timestamptz not null,
  duration_ms real not null,
  -- Phase of the request that failed; null for a success.
  phase text,
  http_status smallint,
  -- Start of the response body, at most 1,000 characters.
  reply text,
  error text,
  outcome text not null check (outcome in ('delivered', 'failed')),
  next_attempt_at timestamptz
);

create index watch_attempts_watch on public.watch_attempts (watch_id, id desc);
create index watch_attempts_destination on public.watch_attempts (destination_id, id desc);
create index watch_attempts_at on public.watch_attempts (at);

-- Entry to append to the log of a watch.
create type internal.watch_entry as (watch_id text collate "C", kind text, type text, at timestamptz, data jsonb);

-- Returns true for an entry about liveness. A chat gets consecutive entries about liveness in one message.
create function internal.is_liveness(p_type text)
returns boolean
language sql immutable
as $$
  select p_type in ('liveness_down', 'liveness_recovered');
$$;

-- Sets the due time of destinations from their first pending delivery. Leased destinations and destinations that were
-- removed or disabled stay unchanged. While only liveness entries are pending, a chat gets at most one message a
-- minute. The caller holds the locks of the watches.
create function internal.plan_deliveries(p_destination_ids bigint[])
returns void
language sql
as $$
  update public.watch_destinations d set next_due_at = p.due_at
  from (
    select t.id, case
      when t.channel = 'webhook' or exists (
        select 1 from public.watch_deliveries v
        join public.watch_log l on l.watch_id = v.watch_id and l.sequence = v.sequence
        where v.destination_id = t.id and v.state = 'pending' and not internal.is_liveness(l.type)
      ) then h.next_attempt_at
      when h.next_attempt_at is not null then greatest(h.next_attempt_at, t.liveness_sent_at + interval '1 minute')
    end as due_at
    from public.watch_destinations t
    cross join lateral (
      select (
        select v.next_attempt_at from public.watch_deliveries v
        where v.destination_id = t.id and v.state = 'pending' order by v.sequence limit 1
      ) as next_attempt_at
    ) h
    where t.id = any (p_destination_ids)
  ) p
  -- These conditions are on the updated row, so they are checked again after a concurrent claim.
  where d.id = p.id and d.lease_owner is null and d.removed_at is null and d.disabled_at is null
    and d.next_due_at is distinct from p.due_at;
$$;

-- Appends entries to the logs of watches, in the given order, and adds the deliveries of pushed entries. The entries
-- `created` and `edited` are not pushed, because the owner caused these entries. The caller holds the locks of the
-- watches, so the sequence numbers have no gap.
create function internal.append_watch_log(p_entries internal.watch_entry[])
returns void
language plpgsql
as $$
declare
  v_destination_ids bigint[];
begin
  with numbered as (
    select e.*, row_number() over (partition by e.watch_id order by e.position)::integer as number
    from unnest(p_entries) with ordinality as e (watch_id, kind, type, at, data, position)
  ),
  counted as (
    update public.watches w set last_sequence = w.last_sequence + c.entries
    from (select n.watch_id, count(*)::integer as entries from numbered n group by n.watch_id) c
    where w.id = c.watch_id
    returning w.id, w.last_sequence - c.entries as base
  ),
  logged as (
    insert into public.watch_log (watch_id, sequence, kind, type, at, data)
    select c.id, c.base + n.number, n.kind, n.type, n.at, n.data
    from numbered n join counted c on c.id = n.watch_id
    returning watch_id, sequence, type, at
  ),
  pushed as (
    insert into public.watch_deliveries (destination_id, sequence, watch_id, next_attempt_at, created_at)
    select d.id, l.sequence, l.watch_id, l.at, l.at
    from logged l join public.watch_destinations d on d.watch_id = l.watch_id
    where l.type not in ('created', 'edited') and d.removed_at is null and d.disabled_at is null
    returning destination_id
  )
  select array_agg(distinct p.destination_id) into v_destination_ids from pushed p;
  if v_destination_ids is not null then perform internal.plan_deliveries(v_destination_ids); end if;
end;
$$;

-- Returns the next entries of a log: alerts after p_alerts_after and lifecycle events after p_lifecycle_after, at most
-- p_limit of each. `hasMore` is true if either list has further entries.
create function public.read_watch_log(
  p_watch_id text, p_alerts_after integer, p_lifecycle_after integer, p_limit integer
)
returns jsonb
language sql stable
as $$
  with found as (
    select l.*, row_number() over (partition by l.kind order by l.sequence) as number
    from (values ('alert', p_alerts_after), ('lifecycle', p_lifecycle_after)) as k (kind, after)
    cross join lateral (
      select * from public.watch_log w
      where w.watch_id = p_watch_id and w.kind = k.kind and w.sequence > k.after
      order by w.sequence limit p_limit + 1
    ) l
  )
  select jsonb_build_object(
    'entries', coalesce(jsonb_agg(to_jsonb(f) - 'watch_id' - 'number' order by f.sequence)
      filter (where f.number <= p_limit), '[]'),
    'hasMore', coalesce(bool_or(f.number > p_limit), false)
  )
  from found f;
$$;

-- Appends alerts about liveness after a batch of observations. Each watch has its own state:
-- Down: the endpoint had at least liveness_sensitivity_n consecutive missed scheduled probes. The downtime must also be
-- confirmed by a second miss, normally the recheck. Rechecks and live probes confirm a miss but are not counted.
-- Up again: the first observation with the endpoint up.
-- A watch keeps this state also if its owner does not want alerts about liveness. The missed probes are counted once
-- per endpoint, and only while a watch has not logged the downtime, because a long downtime has thousands of missed
-- probes. The caller holds the locks of the watches, and has stored the observations.
create function internal.record_watch_liveness(p_assessed internal.assessed_row[], p_watch_ids text[])
returns void
language plpgsql
as $$
declare
  v_entries internal.watch_entry[];
begin
  with counted as materialized (
    select t."endpointId" as endpoint_id, (
      select count(*)::integer
      from internal.read_observations(t."endpointId", t.down_since - interval '1 millisecond', t.at) o
      where o.vitality = 0 and not o.excluded and not o.is_recheck
    ) as missed
    from unnest(p_assessed) t
    where t.is_latest and t.vitality = 0 and t.misses >= 2 and exists (
      select 1 from public.watches w
      where w.endpoint_id = t."endpointId" and w.id = any (p_watch_ids) and w.down_since is null and t.at < w.expires_at
    )
  ),
  judged as (
    select w.id, w.events, t.vitality, t.at, t.down_since, t.outcome, t."httpStatus", c.missed,
      w.down_since as watch_down_since, t.down_since < w.activated_at as was_down_before
    from unnest(p_assessed) t
    join public.watches w on w.endpoint_id = t."endpointId" and w.id = any (p_watch_ids)
    left join counted c on c.endpoint_id = t."endpointId"
    where t.is_latest and t.at < w.expires_at and case t.vitality
      when 0 then w.down_since is null and c.missed >= w.liveness_sensitivity_n
      when 1 then w.down_since is not null
      else false
    end
  ),
  updated as (
    update public.watches w set down_since = j.down_since from judged j where w.id = j.id
  )
  select array_agg(row(j.id, 'alert', l.type, j.at, l.data)::internal.watch_entry order by j.at, j.id) into v_entries
  from judged j
  cross join lateral (
    select 'liveness_down' as type, jsonb_build_object(
      'before', case when j.was_down_before then jsonb_build_object('liveness', 'down', 'downSince', j.down_since)
        else '{"liveness": "up"}' end,
      'after', jsonb_build_object(
        'liveness', 'down', 'downSince', j.down_since, 'missedProbes', j.missed, 'outcome', j.outcome,
        'httpStatus', j."httpStatus"
      )
    ) as data
    where j.vitality = 0
    union all
    select 'liveness_recovered', jsonb_build_object(
      'before', jsonb_build_object('liveness', 'down', 'downSince', j.watch_down_since),
      'after', jsonb_build_object('liveness', 'up', 'outcome', j.outcome, 'httpStatus', j."httpStatus")
    )
    where j.vitality = 1
  ) l
  where l.type = any (j.events);
  if v_entries is not null then perform internal.append_watch_log(v_entries); end if;
end;
$$;

-- Adds destinations to a watch: [{ channel, url, label, receiver }].
create function internal.add_destinations(p_watch_id text, p_destinations jsonb, p_now timestamptz)
returns void
language sql
as $$
  insert into public.watch_destinations (watch_id, channel, url, label, receiver, created_at)
  select p_watch_id, d.channel, d.url, d.label, d.receiver, p_now
  from jsonb_to_recordset(p_destinations) as d (channel text, url text, label text, receiver text);
$$;

-- Locks the payment of a purchase: { network, asset, payer, nonce, owner }. Returns false if the state of the payment
-- is no longer `working`, or if another request holds the payment. `owner` is optional.
create function internal.hold_payment(p_payment jsonb)
returns boolean
language plpgsql
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

-- Stores the purchase of a payment. An earlier purchase of the same payment is replaced, unless it was applied.
create function internal.save_purchase(p_payment jsonb, p_watch_id text, p_kind text, p_now timestamptz)
returns void
language sql
as $$
  insert into public.watch_purchases as b (network, asset, payer, nonce, watch_id, kind, requested_at)
  select k.network, k.asset, k.payer, k.nonce, p_watch_id, p_kind, p_now
  from jsonb_to_record(p_payment) as k (network text, asset text, payer text, nonce text)
  on conflict (network, asset, payer, nonce) do update set
    watch_id = excluded.watch_id, kind = excluded.kind, requested_at = excluded.requested_at
  where b.applied_at is null;
$$;

-- Creates a pending watch: { id, endpointId, secretHash, signingKey, events, livenessSensitivityN, destinations,
-- expiresAt }. The settlement of the payment activates it. A repeated call for the same payment replaces the pending
-- watch, because only the result of the last call is sold. Returns false if the endpoint has left the catalog, or if
-- another request has taken over the payment.
create function public.create_watch(p_watch jsonb, p_payment jsonb, p_now timestamptz)
returns boolean
language plpgsql
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

-- Stores the purchase of a renewal. The settlement adds 30 days to p_now or to the end of the watch at the settlement,
-- whichever is later. A watch can be renewed until seven days after it expired, and never after it was cancelled.
-- Returns `created`, `not-found`, `not-renewable`, or `superseded` if another request has taken over the payment.
create function public.create_renewal(p_id text, p_payment jsonb, p_now timestamptz)
returns text
language plpgsql
as $$
declare
  v_watch public.watches;
begin
  if not internal.hold_payment(p_payment) then return 'superseded'; end if;
  select * into v_watch from public.watches w
  where w.id = p_id and w.status <> 'pending' and w.claim_id is null for no key update;
  if not found then return 'not-found'; end if;
  if v_watch.status = 'cancelled' or v_watch.expires_at + interval '7 days' <= p_now then
    return 'not-renewable';
  end if;
  perform internal.save_purchase(p_payment, p_id, 'renew', p_now);
  return 'created';
end;
$$;

-- Returns the watch of an applied purchase, as the settlement left the watch: { watchId, status, expiresAt }. Returns
-- null if the payment has no applied purchase.
create function public.find_applied_purchase(p_network text, p_asset text, p_payer text, p_nonce text)
returns jsonb
language sql stable
as $$
  select jsonb_build_object('watchId', b.watch_id, 'status', b.watch_status, 'expiresAt', b.watch_expires_at)
  from public.watch_purchases b
  where b.network = p_network and b.asset = p_asset and b.payer = p_payer and b.nonce = p_nonce
    and b.applied_at is not null;
$$;

-- Edits a watch: { events, livenessSensitivityN, webhooks, chats }; members that are null stay unchanged. `webhooks`
-- and `chats` replace all destinations of their kind: { id } keeps a destination with its queue, and { channel, url,
-- label, receiver } adds one. p_changed: names of the changed members, for the log. Returns false if the watch is
-- unknown, pending or cancelled.
create function public.edit_watch(p_id text, p_edit jsonb, p_changed text[], p_now timestamptz)
returns boolean
language plpgsql
as $$
declare
  v_edit jsonb := jsonb_strip_nulls(p_edit);
  v_removed_ids bigint[];
begin
  update public.watches w set
    events = case when v_edit ? 'events'
      then array(select jsonb_array_elements_text(v_edit -> 'events')) else w.events end,
    liveness_sensitivity_n = coalesce((v_edit ->> 'livenessSensitivityN')::smallint, w.liveness_sensitivity_n)
  where w.id = p_id and w.status in ('active', 'expired');
  if not found then return false; end if;

  with removed as (
    update public.watch_destinations d
    set removed_at = p_now, url = null, next_due_at = null, lease_owner = null, lease_until = null
    where d.watch_id = p_id and d.removed_at is null
      -- Without a new list of this kind, the condition is null and the destination stays.
      and not (v_edit -> case d.channel when 'webhook' then 'webhooks' else 'chats' end)
        @> jsonb_build_array(jsonb_build_object('id', d.id))
    returning d.id
  )
  select array_agg(r.id) into v_removed_ids from removed r;
  update public.watch_deliveries v set state = 'dropped', finished_at = p_now
  where v.destination_id = any (v_removed_ids) and v.state = 'pending';
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

-- Cancels a watch that is active or expired. A watch that is already cancelled stays unchanged.
create function public.cancel_watch(p_id text, p_now timestamptz)
returns void
language plpgsql
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

-- Returns the endpoint that a watch of this resource would observe, or null if the endpoint is not in the public
-- catalog. `isProbed` is false for a URL template without example values.
create function public.find_watch_target(p_resource text)
returns jsonb
language sql stable
as $$
  select jsonb_build_object(
    'endpointId', e.id, 'slug', e.slug, 'resource', e.resource, 'templated', e.templated, 'isProbed',
    e.probe_url is not null and exists (select 1 from public.schedules s where s.endpoint_id = e.id)
  )
  from public.endpoints e where e.resource = p_resource and e.removed_at is null;
$$;

-- Returns a watch with its endpoint and its destinations; null if the watch is unknown. Each destination has the number
-- of its pending deliveries and its latest attempt.
create function public.find_watch(p_id text)
returns jsonb
language sql stable
as $$
  select jsonb_build_object(
    'id', w.id, 'status', w.status, 'secretHash', w.secret_hash, 'signingKey', w.signing_key,
    'endpointId', w.endpoint_id, 'slug', e.slug, 'resource', e.resource, 'templated', e.templated,
    'isProbed', e.probe_url is not null and exists (select 1 from public.schedules s where s.endpoint_id = e.id),
    'events', w.events, 'livenessSensitivityN', w.liveness_sensitivity_n, 'createdAt', w.created_at,
    'activatedAt', w.activated_at, 'expiresAt', w.expires_at, 'cancelledAt', w.cancelled_at,
    'downSince', w.down_since, 'lastSequence', w.last_sequence,
    'destinations', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', d.id, 'channel', d.channel, 'url', d.url, 'label', d.label, 'createdAt', d.created_at,
        'disabledAt', d.disabled_at, 'disabledReason', d.disabled_reason, 'failingSince', d.failing_since,
        'pending', (
          select count(*) from public.watch_deliveries v where v.destination_id = d.id and v.state = 'pending'
        ),
        'lastAttempt', (
          select jsonb_build_object('at', a.at, 'httpStatus', a.http_status, 'error', a.error, 'outcome', a.outcome)
          from public.watch_attempts a where a.destination_id = d.id order by a.id desc limit 1
        )
      ) order by d.id), '[]')
      from public.watch_destinations d where d.watch_id = w.id and d.removed_at is null
    )
  )
  from public.watches w join public.endpoints e on e.id = w.endpoint_id where w.id = p_id;
$$;

-- Deletes up to p_limit watches that ended 30 days before p_now, and up to p_limit pending watches that are an hour old
-- and have no open payment. The settlement of an open payment would activate the watch. A failed payment is open until
-- its final comparison with the chain, because that comparison may show a settlement. Returns the number of deleted
-- watches.
create function internal.delete_watches(p_now timestamptz, p_limit integer)
returns integer
language plpgsql
as $$
declare
  v_unpaid text[] := array(
    select w.id from public.watches w
    where w.status = 'pending' and w.created_at < p_now - interval '1 hour' and not exists (
      select 1 from public.watch_purchases b
      join public.payments p using (network, asset, payer, nonce)
      where b.watch_id = w.id
        and (p.state in ('working', 'settling') or (p.state = 'failed' and p.audited_at is null))
    )
    order by w.created_at limit p_limit
  );
  -- The payments are locked, so that their state cannot change before the deletion. Watches of payments that another
  -- transaction has locked are left to the next call.
  v_closed text[] := array(
    select b.watch_id from public.watch_purchases b
    join public.payments p using (network, asset, payer, nonce)
    where b.watch_id = any (v_unpaid)
      and not (p.state in ('working', 'settling') or (p.state = 'failed' and p.audited_at is null))
    for update of p skip locked
  );
  v_count integer;
begin
  with ended as (
    select w.id from public.watches w
    where w.status in ('cancelled', 'expired') and least(w.cancelled_at, w.expires_at) < p_now - interval '30 days'
    limit p_limit for update skip locked
  ),
  unpaid as (
    select w.id from public.watches w
    where w.id = any (v_unpaid) and w.status = 'pending' and (w.id = any (v_closed) or not exists (
      select 1 from public.watch_purchases b
      join public.payments p using (network, asset, payer, nonce)
      where b.watch_id = w.id
    ))
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

-- Sets the flag `watched` of schedules from the active watches of their endpoints, and the next slots of schedules
-- whose flag changes. The caller holds the locks of the changed watches. The flag is computed in a statement after the
-- lock, so it includes all watches that were committed before.
create function internal.update_watched_schedules(p_endpoint_ids text[], p_now timestamptz)
returns void
language plpgsql
as $$
declare
  v_hosts text[];
begin
  perform 1 from public.schedules s where s.endpoint_id = any (p_endpoint_ids) order by s.endpoint_id for update;
  -- An overdue slot stays due when the five-minute interval starts. When that interval ends, an overdue slot is
  -- skipped: the last slot of the normal interval may have been probed already.
  with changed as (
    update public.schedules s set watched = not s.watched
    where s.endpoint_id = any (p_endpoint_ids) and s.watched <> exists (
      select 1 from public.watches w
      where w.endpoint_id = s.endpoint_id and w.status = 'active' and w.claim_id is null
    )
    returning s.endpoint_id
  )
  select array_agg(c.endpoint_id) into p_endpoint_ids from changed c;
  with moved as (
    update public.schedules s set next_probe_at = internal.next_due(s, p_now)
    where s.endpoint_id = any (p_endpoint_ids) and (s.next_probe_at > p_now or not s.watched)
    returning s.host
  )
  select array_agg(distinct m.host) into v_hosts from moved m;
  perform internal.update_host_queues(v_hosts);
end;
$$;

-- Logs the notice `expiring` three days before the end of a watch, ends watches at their end, and deletes old watches,
-- at most p_limit each. Watches that another transaction has locked are left to the next call. Returns the numbers of
-- watches.
create function public.advance_watches(p_now timestamptz, p_limit integer)
returns table (expiring integer, expired integer, deleted integer)
language plpgsql
as $$
declare
  v_expiring text[];
  v_expired text[];
  v_resumed text[];
begin
  -- A watch that ended too early, because the clock was wrong, is active again, because its remaining time is paid. The
  -- clocks of two callers can differ by some minutes.
  with ended as (
    select w.id from public.watches w
    where w.status = 'expired' and least(w.cancelled_at, w.expires_at) > p_now + interval '5 minutes'
    order by w.id for no key update skip locked
  ),
  resumed as (
    update public.watches w set status = 'active' from ended x where w.id = x.id returning w.endpoint_id
  )
  select coalesce(array_agg(r.endpoint_id), '{}') into v_resumed from resumed r;
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
      w.id, 'lifecycle', e.type, case e.type when 'expired' then w.expires_at else p_now end,
      jsonb_build_object('expiresAt', w.expires_at)
    )::internal.watch_entry
    from public.watches w
    cross join lateral (select case w.status when 'expired' then 'expired' else 'expiring' end as type) e
    where w.id = any (v_expiring || v_expired) order by w.id
  ));
  perform internal.update_watched_schedules(
    v_resumed || array(select w.endpoint_id from public.watches w where w.id = any (v_expired)), p_now
  );
  return query select cardinality(v_expiring), cardinality(v_expired), internal.delete_watches(p_now, p_limit);
end;
$$;
