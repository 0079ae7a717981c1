-- Claims: proof that somebody controls a host, and what follows from it. A claim changes no score.
-- A claim is `pending` until its line is found on the host or in its DNS, then `active`. It ends when the line is gone,
-- when its owner ends it, or when it was not verified in time.

create table public.claims (
  id text collate "C" primary key check (id ~ '^c_[a-z2-7]{26}$'),
  -- Exactly this host, and neither its subdomains nor its parent domain.
  host text collate "C" not null,
  status text not null default 'pending' check (status in ('pending', 'active', 'ended')),
  -- Hash of the secret of the owner, by which requests are authenticated.
  secret_hash text not null,
  -- Value that the owner may publish in the verification file of the reference service instead of the line.
  proof_key text not null,
  created_at timestamptz not null,
  -- End of the time in which a pending claim can be verified.
  verify_until timestamptz not null,
  verified_at timestamptz,
  -- Place of the proof at the latest check that found it.
  proof text check (proof in ('file', 'dns', 'reference-file')),
  checked_at timestamptz,
  -- Time of the next daily check, or end of the lease of the worker that checks.
  next_check_at timestamptz,
  -- Time of the first check since the last proof that could not read the host. The claim ends three days later.
  unreadable_since timestamptz,
  ended_at timestamptz,
  end_reason text check (end_reason in ('not-verified', 'ended-by-owner', 'proof-removed', 'unreadable', 'replaced')),
  check ((status = 'ended') = (ended_at is not null)),
  check ((ended_at is null) = (end_reason is null)),
  check (status <> 'active' or num_nulls(verified_at, proof, checked_at, next_check_at) = 0)
);

-- A host has at most one active claim.
create unique index claims_active on public.claims (host) where status = 'active';
create index claims_due on public.claims (next_check_at) where status = 'active';
create index claims_pending on public.claims (host, verify_until) where status = 'pending';
create index claims_ended on public.claims (ended_at) where status = 'ended';

-- Ends claims: { id: reason }. Returns the hosts of the claims that ended, whose pages must be refreshed. Claims that
-- have ended stay as they are.
create function internal.end_claims(p_reasons jsonb, p_now timestamptz)
returns text[]
language sql
as $$
  with ended as (
    update public.claims c set status = 'ended', ended_at = p_now, end_reason = r.value, next_check_at = null
    from jsonb_each_text(p_reasons) r
    where c.id = r.key and c.status <> 'ended'
    returning c.host, c.verified_at
  )
  select coalesce(array_agg(distinct e.host order by e.host) filter (where e.verified_at is not null), '{}') from ended e;
$$;

-- Creates a pending claim: { id, host, secretHash, proofKey, verifyUntil }. Returns `created`; `unknown-host` if the
-- catalog has no endpoint of the host; `too-many` if the host has p_max_pending pending claims.
create function public.create_claim(p_claim jsonb, p_max_pending integer, p_now timestamptz)
returns text
language plpgsql
as $$
declare
  v_host text := p_claim ->> 'host';
begin
  -- Serializes the claims of a host, so that their number is exact.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('claim ' || v_host, 0));
  if not exists (select from public.endpoints e where e.host = v_host and e.removed_at is null) then
    return 'unknown-host';
  end if;
  if (
    select count(*) from public.claims c where c.host = v_host and c.status = 'pending' and c.verify_until > p_now
  ) >= p_max_pending then
    return 'too-many';
  end if;
  insert into public.claims (id, host, secret_hash, proof_key, created_at, verify_until)
  select c.id, c.host, c."secretHash", c."proofKey", p_now, c."verifyUntil"
  from jsonb_to_record(p_claim) as c (
    id text, host text, "secretHash" text, "proofKey" text, "verifyUntil" timestamptz
  );
  return 'created';
end;
$$;

-- Returns a claim; null if it is unknown.
create function public.find_claim(p_id text)
returns jsonb
language sql stable
as $$
  select jsonb_build_object(
    'id', c.id, 'host', c.host, 'status', c.status, 'proofKey', c.proof_key, 'createdAt', c.created_at,
    'verifyUntil', c.verify_until, 'verifiedAt', c.verified_at, 'proof', c.proof, 'checkedAt', c.checked_at,
    'unreadableSince', c.unreadable_since, 'endedAt', c.ended_at, 'endReason', c.end_reason
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

-- Activates a pending claim whose proof was found, or records the proof of an active claim. p_replaced: id of the active
-- claim whose proof the caller did not find at the same time; it ends as `replaced`. Returns `active`; `taken` if the
-- host has another active claim; `ended` if the claim has ended or was not verified in time.
create function public.verify_claim(
  p_id text, p_proof text, p_next_check_at timestamptz, p_now timestamptz, p_replaced text default null
)
returns text
language plpgsql
as $$
declare
  v_claim public.claims;
  v_other text;
begin
  select * into v_claim from public.claims c where c.id = p_id;
  if not found then return 'ended'; end if;
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('claim ' || v_claim.host, 0));
  select * into v_claim from public.claims c where c.id = p_id for update;
  if v_claim.status = 'ended' or (v_claim.status = 'pending' and v_claim.verify_until <= p_now) then return 'ended'; end if;
  select c.id into v_other from public.claims c where c.host = v_claim.host and c.status = 'active' and c.id <> p_id;
  if found then
    if v_other is distinct from p_replaced then return 'taken'; end if;
    perform internal.end_claims(jsonb_build_object(v_other, 'replaced'), p_now);
  end if;
  update public.claims c set
    status = 'active', verified_at = coalesce(c.verified_at, p_now), proof = p_proof, checked_at = p_now,
    next_check_at = p_next_check_at, unreadable_since = null
  where c.id = p_id;
  return 'active';
end;
$$;

-- Ends a claim as its owner wishes. Returns the hosts whose pages must be refreshed.
create function public.end_claim(p_id text, p_now timestamptz)
returns text[]
language sql
as $$
  select internal.end_claims(jsonb_build_object(p_id, 'ended-by-owner'), p_now);
$$;

-- Leases up to p_limit active claims that are due for their daily check, oldest first, until p_lease_until.
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
    returning c.id
  )
  select coalesce(jsonb_agg(public.find_claim(l.id)), '[]') from leased l;
$$;

-- Records daily checks: [{ id, result, proof }]. `found`: the proof is there. `missing`: the host answered without it, so
-- the claim ends. `unreadable`: the host could not be read; the claim ends if that lasts since p_unreadable_before.
-- Claims that are not active any more stay as they are. Returns the hosts whose pages must be refreshed.
create function public.record_claim_checks(
  p_checks jsonb, p_next_check_at timestamptz, p_unreadable_before timestamptz, p_now timestamptz
)
returns text[]
language plpgsql
as $$
declare
  v_reasons jsonb;
begin
  update public.claims c set
    checked_at = p_now,
    next_check_at = p_next_check_at,
    proof = coalesce(k.proof, c.proof),
    unreadable_since = case when k.result = 'unreadable' then coalesce(c.unreadable_since, p_now) end
  from jsonb_to_recordset(p_checks) as k (id text, result text, proof text)
  where c.id = k.id and c.status = 'active';
  select jsonb_object_agg(c.id, case k.result when 'missing' then 'proof-removed' else 'unreadable' end) into v_reasons
  from jsonb_to_recordset(p_checks) as k (id text, result text) join public.claims c on c.id = k.id
  where c.status = 'active' and (k.result = 'missing' or c.unreadable_since <= p_unreadable_before);
  return internal.end_claims(coalesce(v_reasons, '{}'), p_now);
end;
$$;

-- Ends up to p_limit pending claims that were not verified in time, and deletes up to p_limit claims that ended before
-- p_delete_before. Returns the number of deleted claims.
create function public.expire_claims(p_now timestamptz, p_delete_before timestamptz, p_limit integer)
returns integer
language plpgsql
as $$
declare
  v_reasons jsonb;
  v_deleted integer;
begin
  select jsonb_object_agg(e.id, 'not-verified') into v_reasons from (
    select c.id from public.claims c where c.status = 'pending' and c.verify_until <= p_now
    limit p_limit for update skip locked
  ) e;
  perform internal.end_claims(coalesce(v_reasons, '{}'), p_now);
  delete from public.claims c where c.id = any (array(
    select d.id from public.claims d where d.status = 'ended' and d.ended_at < p_delete_before limit p_limit
  ));
  get diagnostics v_deleted = row_count;
  return v_deleted;
end;
$$;
