-- What a score leaves behind beside the snapshot: the score of the day, and who is paid at which wallet.

-- A wallet in the form in which two of them can be compared.
create function internal.wallet_key(p_network text, p_pay_to text)
returns text
language sql immutable
as $$
  select case when p_network like 'eip155:%' then lower(p_pay_to) else p_pay_to end;
$$;

-- Keeps the scores of a day. A score that stays as it was costs no write.
-- p_rows: as for save_snapshots.
create function internal.keep_daily_scores(p_now timestamptz, p_rows jsonb)
returns void
language sql
set search_path = ''
as $$
  insert into public.daily_scores as d (endpoint_id, day, score, grade, recommendation, scoring_version)
  select s.endpoint_id, (p_now at time zone 'UTC')::date, s.score, s.grade, s.recommendation,
    r -> 'detail' ->> 'scoringVersion'
  from jsonb_array_elements(p_rows) r
  cross join lateral jsonb_to_record(r -> 'snapshot')
    as s (endpoint_id text, score real, grade text, recommendation text)
  order by s.endpoint_id
  on conflict (endpoint_id, day) do update set
    score = excluded.score, grade = excluded.grade, recommendation = excluded.recommendation,
    scoring_version = excluded.scoring_version
  where (d.score, d.grade, d.recommendation, d.scoring_version)
    is distinct from (excluded.score, excluded.grade, excluded.recommendation, excluded.scoring_version);
$$;

-- Brings the wallets of endpoints in line with what they advertise now. One that is not listed has its own too, so that
-- what it is paid is still read, but is no other's neighbour.
-- p_rows: as for save_snapshots.
create function internal.keep_wallets(p_rows jsonb)
returns void
language sql
set search_path = ''
as $$
  with given as (
    select s.endpoint_id, s.host, s.public, s.pay_on,
      s.listing_status = 'listed' and coalesce((r -> 'detail' -> 'inputs' -> 'everChallenged')::boolean, false)
        as challenged
    from jsonb_array_elements(p_rows) r
    cross join lateral jsonb_to_record(r -> 'snapshot')
      as s (endpoint_id text, host text, public boolean, listing_status text, pay_on jsonb)
  ),
  wanted as (
    select distinct o.network, internal.wallet_key(o.network, o."payTo") as pay_to, g.host, g.endpoint_id, g.challenged
    from given g cross join lateral jsonb_to_recordset(g.pay_on) as o (network text, "payTo" text)
    -- What is longer is no wallet, and would not fit the index.
    where g.public and length(o."payTo") between 1 and 200 and length(o.network) <= 100
  ),
  gone as (
    delete from public.endpoint_wallets w using given g
    where w.endpoint_id = g.endpoint_id and not exists (
      select 1 from wanted n where (n.network, n.pay_to, n.host, n.endpoint_id)
        = (w.network, w.pay_to, w.host, w.endpoint_id)
    )
  )
  insert into public.endpoint_wallets as w (network, pay_to, host, endpoint_id, challenged)
  select n.network, n.pay_to, n.host, n.endpoint_id, n.challenged from wanted n
  order by n.network, n.pay_to, n.host, n.endpoint_id
  on conflict (network, pay_to, host, endpoint_id) do update set challenged = excluded.challenged
  where w.challenged <> excluded.challenged;
$$;

-- Endpoints of other hosts that ask to be paid at a wallet of this one; the first p_limit before and after its host in the
-- order of hosts.
create function internal.wallet_sharers(p_endpoint_id text, p_limit integer)
returns setof text
language sql stable
set search_path = ''
as $$
  select distinct o.endpoint_id
  from public.endpoint_wallets w cross join lateral (
    (
      select b.endpoint_id from public.endpoint_wallets b
      where b.network = w.network and b.pay_to = w.pay_to and b.host < w.host and b.challenged
      order by b.host desc limit p_limit
    )
    union all
    (
      select a.endpoint_id from public.endpoint_wallets a
      where a.network = w.network and a.pay_to = w.pay_to and a.host > w.host and a.challenged
      order by a.host limit p_limit
    )
  ) o
  where w.endpoint_id = p_endpoint_id;
$$;
