-- Claims: proof that somebody controls a host, and what follows from it. A claim changes no score.
-- A claim is stored when its line is found on the host or in its DNS. It ends when the line is gone, or when its owner
-- ends it. A claim that was never verified is not stored, so the number of created claims costs nothing.

create table public.claims (
  -- Derived from the secret of the owner, which therefore is not stored. The owner publishes the id.
  id text collate "C" primary key check (id ~ '^c_[a-z2-7]{26}$'),
  -- Exactly this host, and neither its subdomains nor its parent domain.
  host text collate "C" not null,
  status text not null default 'active' check (status in ('active', 'ended')),
  -- Value that the owner may publish in the verification file of the reference service instead of the line.
  proof_key text not null,
  verified_at timestamptz not null,
  -- Place of the proof at the latest check that found it.
  proof text not null check (proof in ('file', 'dns', 'reference-file')),
  checked_at timestamptz not null,
  -- Time of the next daily check, or end of the lease of the worker that checks.
  next_check_at timestamptz,
  -- Time of the first check since the last proof that could not read the host. The claim ends three days later.
  unreadable_since timestamptz,
  -- Contact for security reports, which the page of the host shows.
  contact text check (char_length(contact) between 1 and 200),
  ended_at timestamptz,
  end_reason text check (end_reason in ('ended-by-owner', 'proof-removed', 'unreadable', 'replaced')),
  check ((status = 'active') = (next_check_at is not null)),
  check (num_nulls(ended_at, end_reason) = case status when 'active' then 2 else 0 end)
);

-- A host has at most one active claim.
create unique index claims_active on public.claims (host) where status = 'active';
create index claims_due on public.claims (next_check_at) where status = 'active';
create index claims_ended on public.claims (ended_at) where status = 'ended';
create index claims_ended_of_host on public.claims (host, ended_at) where status = 'ended';

-- Ends a claim. Returns its host, whose pages must be refreshed; no host if the claim has ended already.
create function internal.end_claim(p_id text, p_reason text, p_now timestamptz)
returns text[]
language sql
as $$
  with ended as (
    update public.claims c set status = 'ended', ended_at = p_now, end_reason = p_reason, next_check_at = null
    where c.id = p_id and c.status = 'active'
    returning c.host
  )
  select array(select e.host from ended e);
$$;

-- Returns true if the catalog has an endpoint of a host.
create function public.is_claimable(p_host text)
returns boolean
language sql stable
as $$
  select exists (select from public.endpoints e where e.host = p_host and (e.removed_at is null or e.opted_out));
$$;

-- Statements of providers about a flag, a compliance rule or an event of an endpoint.
create table public.statements (
  claim_id text collate "C" not null references public.claims (id) on delete cascade,
  endpoint_id text collate "C" not null references public.endpoints (id) on delete cascade,
  subject text not null check (char_length(subject) between 1 and 64),
  text text not null check (char_length(text) between 1 and 280),
  stated_at timestamptz not null,
  primary key (endpoint_id, subject)
);

create index statements_claim on public.statements (claim_id);

-- Maintenance windows, which a provider announces before they start. Failed probes in a window count toward uptime.
-- Windows belong to the host, so a claim that ends and is verified again has no more hours of maintenance.
create table public.maintenance_windows (
  id bigint generated always as identity primary key,
  host text not null,
  -- Null for all endpoints of the host.
  endpoint_id text collate "C" references public.endpoints (id) on delete cascade,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  text text not null check (char_length(text) between 1 and 280),
  announced_at timestamptz not null,
  check (announced_at < starts_at and starts_at < ends_at)
);

create index maintenance_windows_host on public.maintenance_windows (host, starts_at);
create index maintenance_windows_endpoint on public.maintenance_windows (endpoint_id) where endpoint_id is not null;

-- Returns what a claim gives: { contact, optedOutAt, statements, maintenance, notices }, as find_claim returns it.
-- `resource` of a maintenance window is null for all endpoints of the host. notices: { channel, label, disabledReason,
-- resources }; null without notices.
create function internal.claim_settings(c public.claims)
returns jsonb
language sql stable
as $$
  select jsonb_build_object(
    'contact', c.contact,
    'optedOutAt', internal.opted_out_at(c.host),
    'statements', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'endpointId', s.endpoint_id, 'resource', e.resource, 'subject', s.subject, 'text', s.text, 'statedAt', s.stated_at
      ) order by e.resource, s.subject), '[]')
      from public.statements s join public.endpoints e on e.id = s.endpoint_id where s.claim_id = c.id
    ),
    'maintenance', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'endpointId', m.endpoint_id, 'resource', e.resource, 'startsAt', m.starts_at, 'endsAt', m.ends_at,
        'text', m.text, 'announcedAt', m.announced_at
      ) order by m.starts_at, m.id), '[]')
      from public.maintenance_windows m left join public.endpoints e on e.id = m.endpoint_id where m.host = c.host
    ),
    'notices', (
      select jsonb_build_object(
        'channel', min(d.channel), 'label', min(d.label), 'disabledReason', min(d.disabled_reason),
        'resources', jsonb_agg(e.resource order by e.resource)
      )
      from public.watches w
      join public.watch_destinations d on d.watch_id = w.id
      join public.endpoints e on e.id = w.endpoint_id
      where w.claim_id = c.id having count(*) > 0
    )
  );
$$;

-- Returns a claim; null if it is unknown. `settings`: see internal.claim_settings.
create function public.find_claim(p_id text)
returns jsonb
language sql stable
as $$
  select jsonb_build_object(
    'id', c.id, 'host', c.host, 'status', c.status, 'proofKey', c.proof_key, 'verifiedAt', c.verified_at, 'proof', c.proof, 'checkedAt', c.checked_at,
    'unreadableSince', c.unreadable_since, 'endedAt', c.ended_at, 'endReason', c.end_reason,
    'settings', internal.claim_settings(c)
  )
  from public.claims c where c.id = p_id;
$$;

-- Returns the active claim of a host; null without one.
create function public.find_active_claim(p_host text)
returns jsonb
language sql stable
as $$
  select public.find_claim(c.id) from public.claims c where c.host = p_host and c.status = 'active';
$$;

-- Stores a claim whose proof was found: { id, host, proofKey, proof }, or the proof of a claim that is stored already. A
-- claim that has ended becomes active again. p_replaced: id of the active claim whose proof the caller did not find at
-- the same time; it ends as `replaced`. Returns `active`; `taken` if the host has another active claim; `other-host` if
-- the claim is stored for another host.
create function public.verify_claim(
  p_claim jsonb, p_next_check_at timestamptz, p_now timestamptz, p_replaced text default null
)
returns text
language plpgsql
as $$
declare
  v_id text := p_claim ->> 'id';
  v_host text := p_claim ->> 'host';
  v_other text;
begin
  -- Serializes the claims of a host.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('claim ' || v_host, 0));
  if exists (select from public.claims c where c.id = v_id and c.host <> v_host) then return 'other-host'; end if;
  select c.id into v_other from public.claims c where c.host = v_host and c.status = 'active' and c.id <> v_id;
  if found then
    if v_other is distinct from p_replaced then return 'taken'; end if;
    perform internal.end_claim(v_other, 'replaced', p_now);
  end if;
  insert into public.claims as c (id, host, proof_key, verified_at, proof, checked_at, next_check_at)
  select v_id, v_host, p_claim ->> 'proofKey', p_now, p_claim ->> 'proof', p_now, p_next_check_at
  on conflict (id) do update set
    status = 'active', proof = excluded.proof, checked_at = p_now, next_check_at = p_next_check_at,
    verified_at = case c.status when 'active' then c.verified_at else p_now end,
    unreadable_since = null, ended_at = null, end_reason = null;
  update public.watches w set expires_at = '9999-12-31' where w.claim_id = v_id and w.status = 'active';
  -- Limits the ended claims of a host.
  delete from public.claims c where c.id = any (array(
    select d.id from public.claims d where d.host = v_host and d.status = 'ended' order by d.ended_at desc offset 10
  ));
  return 'active';
end;
$$;

-- Ends a claim at the request of its owner. Returns the hosts whose pages must be refreshed.
create function public.end_claim(p_id text, p_now timestamptz)
returns text[]
language sql
as $$
  select internal.end_claim(p_id, 'ended-by-owner', p_now);
$$;

-- Leases up to p_limit active claims that are due for their daily check, oldest first, until p_lease_until. Returns
-- [{ id, host, proofKey }].
create function public.claim_due_claims(p_now timestamptz, p_lease_until timestamptz, p_limit integer)
returns jsonb
language sql
as $$
  with leased as (
    update public.claims c set next_check_at = p_lease_until
    where c.id = any (array(
      select d.id from public.claims d where d.status = 'active' and d.next_check_at <= p_now
      order by d.next_check_at limit p_limit for update skip locked
    ))
    returning c.id, c.host, c.proof_key
  )
  select coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'host', l.host, 'proofKey', l.proof_key)), '[]')
  from leased l;
$$;

-- Records a daily check: { id, result, proof }. `found`: the proof is there. `missing`: the host answered without it, so
-- the claim ends. `unreadable`: the host could not be read; the claim ends if that lasts since p_unreadable_before. A
-- pause of the checks for more than two days is ours, so the time of the host begins again after it. A claim that is not
-- leased until p_lease_until stays as it is: its owner verified or ended it during the check, or another worker checks
-- it. Returns the host of a claim that ended, whose pages must be refreshed. Each check is recorded in its own
-- transaction, so that a claim whose end fails does not keep the checks of others from being recorded.
create function public.record_claim_check(
  p_check jsonb, p_lease_until timestamptz, p_next_check_at timestamptz, p_unreadable_before timestamptz,
  p_now timestamptz
)
returns text[]
language plpgsql
as $$
declare
  v_result text := p_check ->> 'result';
  v_unreadable_since timestamptz;
begin
  update public.claims c set
    checked_at = p_now,
    next_check_at = p_next_check_at,
    proof = coalesce(p_check ->> 'proof', c.proof),
    unreadable_since = case
      when v_result <> 'unreadable' then null
      when c.checked_at < p_now - interval '2 days' then p_now
      else coalesce(c.unreadable_since, p_now)
    end
  where c.id = p_check ->> 'id' and c.status = 'active' and c.next_check_at = p_lease_until
  returning c.unreadable_since into v_unreadable_since;
  if found and (v_result = 'missing' or v_unreadable_since <= p_unreadable_before) then
    return internal.end_claim(
      p_check ->> 'id', case v_result when 'missing' then 'proof-removed' else 'unreadable' end, p_now
    );
  end if;
  return '{}';
end;
$$;

-- Deletes up to p_limit claims that ended before p_before. Returns their number.
create function public.delete_ended_claims(p_before timestamptz, p_limit integer)
returns integer
language sql
as $$
  with deleted as (
    delete from public.claims c where c.id = any (array(
      select d.id from public.claims d where d.status = 'ended' and d.ended_at < p_before limit p_limit
    ))
    returning 1
  )
  select count(*)::integer from deleted;
$$;

-- What a claim gives to the provider of its host. Nothing of it changes a score, and everything ends with the claim.

-- Hides up to p_limit endpoints of hosts that opted out, and restores up to p_limit endpoints whose host opted out
-- before; with p_host, only those of that host. Endpoints that the operator removed stay removed. Also finds endpoints
-- that were added while an opt-out began or ended. Returns the hosts of the changed endpoints, and no host if every
-- endpoint follows the opt-outs.
create function public.apply_opt_outs(p_limit integer, p_host text default null)
returns text[]
language plpgsql
as $$
declare
  v_ids text[];
  v_hosts text[];
begin
  v_ids := array(
    (
      select e.id from public.opt_outs o join public.endpoints e on e.host = o.host and e.removed_at is null
      where p_host is null or o.host = p_host limit p_limit
    )
    union all
    (
      select e.id from public.endpoints e
      where e.opted_out and (p_host is null or e.host = p_host)
        and not exists (select from public.opt_outs o where o.host = e.host)
      limit p_limit
    )
  );
  -- An update locks the tables of scores even if it changes no row.
  if v_ids = '{}' then return '{}'; end if;
  -- The states are locked before the endpoints, as discovery does.
  perform 1 from public.endpoint_states s where s.endpoint_id = any (v_ids) order by s.endpoint_id for update;
  with changed as (
    update public.endpoints e
    set removed_at = internal.opted_out_at(e.host), opted_out = internal.opted_out_at(e.host) is not null
    where e.id = any (v_ids) and (e.removed_at is null or e.opted_out)
    returning e.host
  )
  select coalesce(array_agg(distinct c.host), '{}') into v_hosts from changed c;
  return v_hosts;
end;
$$;

-- Starts or ends the opt-out of a host from probing and listing. The first 500 endpoints follow at once, and the others
-- in the next run of the job that checks claims. New endpoints of the host follow the opt-out, see
-- internal.apply_opt_out.
create function internal.set_opt_out(p_host text, p_claim_id text, p_opts_out boolean, p_now timestamptz)
returns void
language plpgsql
as $$
begin
  if p_opts_out then
    insert into public.opt_outs (host, claim_id, opted_out_at) values (p_host, p_claim_id, p_now) on conflict do nothing;
  else
    delete from public.opt_outs o where o.host = p_host and o.claim_id = p_claim_id;
  end if;
  if found then perform public.apply_opt_outs(500, p_host); end if;
end;
$$;

-- Replaces the watches that send the notices of a claim: { watches: [{ id, endpointId, secretHash }], signingKey, events,
-- destination }; null removes them. A watch of a claim never expires.
create function internal.replace_notices(p_claim_id text, p_notices jsonb, p_now timestamptz)
returns void
language plpgsql
as $$
begin
  delete from public.watches w where w.claim_id = p_claim_id;
  insert into public.watches (
    id, endpoint_id, claim_id, status, secret_hash, signing_key, events, liveness_sensitivity_n, created_at, activated_at,
    expires_at
  )
  select n.id, n."endpointId", p_claim_id, 'active', n."secretHash", p_notices ->> 'signingKey',
    array(select jsonb_array_elements_text(p_notices -> 'events')), 2, p_now, p_now, '9999-12-31'
  from jsonb_to_recordset(p_notices -> 'watches') as n (id text, "endpointId" text, "secretHash" text);
  perform internal.add_destinations(n ->> 'id', jsonb_build_array(p_notices -> 'destination'), p_now)
  from jsonb_array_elements(p_notices -> 'watches') n;
end;
$$;

-- Replaces what an active claim gives: { contact, optOut, statements, maintenance, notices }; an absent member stays as it
-- is, and a list is complete. notices: see internal.replace_notices. statements: [{ endpointId, subject, text }]; a
-- statement with an unchanged text keeps its time. maintenance: [{ endpointId, startsAt, endsAt, text }]; windows that
-- have started stay, and windows that are announced already keep the time of their announcement. Endpoints of other
-- hosts are left out. Returns false if the claim is not active.
create function public.edit_claim(p_id text, p_edit jsonb, p_now timestamptz)
returns boolean
language plpgsql
as $$
declare
  v_claim public.claims;
begin
  select * into v_claim from public.claims c where c.id = p_id and c.status = 'active' for update;
  if not found then return false; end if;

  if p_edit ? 'contact' then
    update public.claims c set contact = p_edit ->> 'contact' where c.id = p_id;
  end if;
  if p_edit ? 'statements' then
    delete from public.statements s
    where s.claim_id = p_id and not exists (
      select from jsonb_to_recordset(p_edit -> 'statements') as n ("endpointId" text, subject text)
      where n."endpointId" = s.endpoint_id and n.subject = s.subject
    );
    insert into public.statements as s (claim_id, endpoint_id, subject, text, stated_at)
    select p_id, n."endpointId", n.subject, n.text, p_now
    from jsonb_to_recordset(p_edit -> 'statements') as n ("endpointId" text, subject text, text text)
    join public.endpoints e on e.id = n."endpointId" and e.host = v_claim.host
    on conflict (endpoint_id, subject) do update set
      claim_id = excluded.claim_id, text = excluded.text, stated_at = excluded.stated_at
    where (s.claim_id, s.text) is distinct from (excluded.claim_id, excluded.text);
  end if;
  if p_edit ? 'maintenance' then
    delete from public.maintenance_windows m
    where m.host = v_claim.host and m.starts_at > p_now and not exists (
      select from jsonb_to_recordset(p_edit -> 'maintenance')
        as n ("endpointId" text, "startsAt" timestamptz, "endsAt" timestamptz, text text)
      where (n."endpointId", n."startsAt", n."endsAt", n.text)
        is not distinct from (m.endpoint_id, m.starts_at, m.ends_at, m.text)
    );
    insert into public.maintenance_windows (host, endpoint_id, starts_at, ends_at, text, announced_at)
    select distinct v_claim.host, n."endpointId", n."startsAt", n."endsAt", n.text, p_now
    from jsonb_to_recordset(p_edit -> 'maintenance')
      as n ("endpointId" text, "startsAt" timestamptz, "endsAt" timestamptz, text text)
    where n."startsAt" > p_now
      and (n."endpointId" is null or exists (
        select from public.endpoints e where e.id = n."endpointId" and e.host = v_claim.host
      ))
      and not exists (
        select from public.maintenance_windows m
        where m.host = v_claim.host and (m.endpoint_id, m.starts_at, m.ends_at, m.text)
          is not distinct from (n."endpointId", n."startsAt", n."endsAt", n.text)
      );
  end if;
  if p_edit ? 'notices' then
    perform internal.replace_notices(p_id, p_edit -> 'notices', p_now);
  end if;
  if p_edit ? 'optOut' then
    perform internal.set_opt_out(v_claim.host, p_id, (p_edit ->> 'optOut')::boolean, p_now);
  end if;
  return true;
end;
$$;

-- Deletes the settings of a claim in the transaction that ends the claim. Maintenance windows that have started stay.
create function internal.end_claim_benefits()
returns trigger
language plpgsql
as $$
begin
  -- Somebody who takes over a host can end its claim. The notices stay for a week, so that the owner hears of a change of
  -- the payTo address.
  if new.end_reason = 'ended-by-owner' then
    delete from public.watches w where w.claim_id = new.id;
  else
    update public.watches w set expires_at = new.ended_at + interval '7 days' where w.claim_id = new.id;
  end if;
  delete from public.statements s where s.claim_id = new.id;
  delete from public.maintenance_windows m where m.host = new.host and m.starts_at > new.ended_at;
  perform internal.set_opt_out(new.host, new.id, false, new.ended_at);
  update public.claims c set contact = null where c.id = new.id;
  return null;
end;
$$;

create trigger claims_end_benefits after update of status on public.claims
  for each row when (old.status = 'active' and new.status = 'ended')
  execute function internal.end_claim_benefits();

-- Returns what the provider of an endpoint announces: { claimedSince, statements, maintenance }; null without an active
-- claim of the host. maintenance: windows of the endpoint and of its host, also windows that have ended.
create function internal.provider_notes(p_endpoint_id text)
returns jsonb
language sql stable
as $$
  select jsonb_build_object(
    'claimedSince', c.verified_at,
    'statements', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'subject', s.subject, 'text', s.text, 'statedAt', s.stated_at
      ) order by s.stated_at desc, s.subject), '[]')
      from public.statements s where s.endpoint_id = e.id and s.claim_id = c.id
    ),
    'maintenance', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'startsAt', m.starts_at, 'endsAt', m.ends_at, 'text', m.text, 'announcedAt', m.announced_at
      ) order by m.starts_at, m.id), '[]')
      from public.maintenance_windows m where m.host = e.host and (m.endpoint_id is null or m.endpoint_id = e.id)
    )
  )
  from public.endpoints e join public.claims c on c.host = e.host and c.status = 'active'
  where e.id = p_endpoint_id;
$$;

-- Returns what pages show of the provider of an endpoint: { resource, optedOutAt, avoidedOn, notes }; null for an unknown
-- endpoint and for an endpoint that the operator removed. `avoidedOn`: day of the last score before the opt-out, if its
-- recommendation was `avoid`, because an opt-out must not hide a verdict. `notes`: see internal.provider_notes.
create function public.endpoint_provider(p_endpoint_id text)
returns jsonb
language sql stable security definer
as $$
  select jsonb_build_object(
    'resource', e.resource, 'optedOutAt', case when e.opted_out then e.removed_at end,
    'avoidedOn', case when d.recommendation = 'avoid' then d.day end,
    'notes', internal.provider_notes(e.id)
  )
  from public.endpoints e
  left join lateral (
    select s.recommendation, s.day from public.daily_scores s
    where s.endpoint_id = e.id and e.opted_out and s.day <= (e.removed_at at time zone 'UTC')::date
    order by s.day desc limit 1
  ) d on true
  where e.id = p_endpoint_id and (e.removed_at is null or e.opted_out);
$$;

-- Returns the active claim of a host as its page shows it: { claimedSince, contact }; null without a claim.
create function public.host_claim(p_host text)
returns jsonb
language sql stable security definer
as $$
  select jsonb_build_object('claimedSince', c.verified_at, 'contact', c.contact)
  from public.claims c where c.host = p_host and c.status = 'active';
$$;

-- Disputes: statements of providers that a part of a verdict is wrong, the answers of the operator, and corrections that
-- the operator made without a dispute. A dispute never changes a score.

create table public.disputes (
  id text collate "C" primary key check (id ~ '^d_[a-z2-7]{26}$'),
  -- Null for a correction that concerns no single endpoint.
  endpoint_id text collate "C" references public.endpoints (id) on delete cascade,
  -- `recommendation`, or the name of a flag or a compliance rule; null for a correction of the operator.
  subject text check (char_length(subject) <= 64),
  -- Proof of the sender: the signature of a payTo wallet, or a claim of the host. `operator`: a correction.
  proof text not null check (proof in ('wallet', 'claim', 'operator')),
  -- Wallet in lower case, or id of the claim; null for a correction.
  prover text,
  -- True if a wallet signed that the endpoint no longer advertised.
  is_former_wallet boolean not null default false,
  -- SHA-256 of the signed message, so that a message is used once; null without a signature.
  message_hash text unique,
  -- Words of the provider; null for a correction.
  text text check (char_length(text) between 1 and 1000),
  -- Statement of the service that is disputed, as it was shown then, as a sentence.
  shown text not null check (char_length(shown) between 1 and 2000),
  -- Trust report from the stored data of that time; null for a correction.
  evidence jsonb,
  state text not null default 'open' check (state in ('open', 'upheld', 'rejected')),
  created_at timestamptz not null,
  answer text check (char_length(answer) between 1 and 1000),
  answered_at timestamptz,
  check ((state = 'open') = (answered_at is null) and (answered_at is null) = (answer is null)),
  check (case when proof = 'operator' then coalesce(text, subject, prover) is null and state = 'upheld'
    else num_nulls(endpoint_id, text, subject, prover, evidence) = 0 end)
);

create unique index disputes_open on public.disputes (endpoint_id, subject) where state = 'open';
create index disputes_endpoint on public.disputes (endpoint_id, created_at desc);
create index disputes_answered on public.disputes (answered_at desc, id) where answered_at is not null;

-- Returns an endpoint for a dispute: { removed, host, slug, wallets }; null for an unknown endpoint. `wallets`: networks
-- on which the challenges of the endpoint name p_wallet now or named it after p_since: [{ network, isCurrent }]. Terms of
-- a directory do not count, because others than the provider can list an endpoint. Each change of the wallets contains
-- the complete terms before it. Only the latest 100 changes are read, because an endpoint can change its terms with each
-- probe.
create function public.dispute_subject(p_endpoint_id text, p_wallet text, p_since timestamptz)
returns jsonb
language sql stable
as $$
  select jsonb_build_object(
    'removed', e.removed_at is not null, 'host', e.host, 'slug', e.slug,
    'wallets', (
      select coalesce(jsonb_agg(jsonb_build_object('network', w.network, 'isCurrent', w.is_current)), '[]') from (
        select o.network, bool_or(n.is_current) as is_current
        from (
          select t.terms -> 'options' as options, true as is_current
          union all
          (
            select h.before -> 'options', false from public.changes h
            where h.endpoint_id = e.id and h.kind in ('payto_change', 'asset_network_change') and h.at > p_since
            order by h.at desc limit 100
          )
        ) n
        cross join lateral jsonb_to_recordset(n.options) as o (network text, "payTo" text)
        where p_wallet is not null and internal.normalize_wallet(o.network, o."payTo") = lower(p_wallet)
          and o.network like 'eip155:%'
        group by o.network
      ) w
    )
  )
  from public.endpoints e left join public.endpoint_states t on t.endpoint_id = e.id
  where e.id = p_endpoint_id;
$$;

-- Creates a dispute. At most p_daily_limit disputes of a prover are created in 24 hours. Returns `created`; or, without
-- a new dispute, `open` if a dispute with the same endpoint and subject is open or the signed message was used before,
-- `limited`, or `unknown` if the endpoint was deleted.
create function public.create_dispute(p_dispute jsonb, p_daily_limit integer, p_now timestamptz)
returns text
language plpgsql
as $$
declare
  v_new public.disputes := jsonb_populate_record(null::public.disputes, p_dispute);
  v_key text := 'dispute ' || v_new.prover;
begin
  perform from public.endpoints e where e.id = v_new.endpoint_id for key share;
  if not found then return 'unknown'; end if;
  if not (select l.allowed from public.consume_rate_limit(v_key, 1, p_daily_limit, 86400, p_now) l) then
    return 'limited';
  end if;
  v_new.state := 'open';
  v_new.created_at := p_now;
  insert into public.disputes select v_new.* on conflict do nothing;
  if found then return 'created'; end if;
  perform public.consume_rate_limit(v_key, -1, p_daily_limit, 86400, p_now);
  return 'open';
end;
$$;

-- Answers an open dispute. Returns the id of its endpoint; null if no dispute with this id is open.
create function public.answer_dispute(p_id text, p_state text, p_answer text, p_now timestamptz)
returns text
language sql volatile
as $$
  update public.disputes d set state = p_state, answer = p_answer, answered_at = p_now
  where d.id = p_id and d.state = 'open'
  returning d.endpoint_id;
$$;

-- Returns a dispute as pages show it. The address of a wallet is shortened. `resource`: null for an endpoint that was
-- removed on request. `slug`: null without a public page.
create function internal.to_public_dispute(d public.disputes)
returns jsonb
language sql stable
as $$
  select jsonb_build_object(
    'id', d.id, 'subject', d.subject, 'proof', d.proof,
    'wallet', case when d.proof = 'wallet' then left(d.prover, 6) || '…' || right(d.prover, 4) end,
    'isFormerWallet', d.is_former_wallet, 'shown', d.shown, 'text', d.text, 'state', d.state,
    'createdAt', d.created_at, 'answer', d.answer, 'answeredAt', d.answered_at,
    'resource', case when e.removed_at is null then e.resource end,
    'slug', case when e.removed_at is null and s.public then e.slug end
  )
  from (select d.endpoint_id as id) i
  left join public.endpoints e on e.id = i.id
  left join public.snapshots s on s.endpoint_id = i.id;
$$;

-- Returns the newest p_limit disputes of an endpoint, at most 50.
create function public.endpoint_disputes(p_endpoint_id text, p_limit integer)
returns jsonb
language sql stable security definer
as $$
  select coalesce(jsonb_agg(internal.to_public_dispute(d) order by d.created_at desc, d.id), '[]') from (
    select * from public.disputes r where r.endpoint_id = p_endpoint_id
    order by r.created_at desc, r.id limit least(p_limit, 50)
  ) d;
$$;

-- Returns the newest p_limit answered disputes and corrections of the operator, at most 500.
create function public.corrections(p_limit integer)
returns jsonb
language sql stable security definer
as $$
  select coalesce(jsonb_agg(internal.to_public_dispute(d) order by d.answered_at desc, d.id), '[]') from (
    select * from public.disputes r where r.answered_at is not null
    order by r.answered_at desc, r.id limit least(p_limit, 500)
  ) d;
$$;

-- Returns the disputes that wait for an answer, the oldest first, at most p_limit.
create function public.open_disputes(p_limit integer)
returns jsonb
language sql stable
as $$
  select coalesce(jsonb_agg(
    internal.to_public_dispute(d) || jsonb_build_object('prover', d.prover) order by d.created_at, d.id
  ), '[]') from (
    select * from public.disputes r where r.state = 'open' order by r.created_at, r.id limit p_limit
  ) d;
$$;
