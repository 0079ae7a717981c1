-- What a score leaves behind beside the snapshot.

-- The last score of each day of an endpoint.
create table public.daily_scores (
  endpoint_id text collate "C" not null references public.endpoints (id) on delete cascade,
  day date not null,
  score real not null check (score between 0 and 100),
  grade text not null check (grade in ('A', 'B', 'C', 'D', 'F', '?')),
  recommendation text not null check (recommendation in (
    'proceed', 'caution', 'parameterize', 'avoid', 'unverified', 'free'
  )),
  scoring_version text not null,
  primary key (endpoint_id, day)
);
create index daily_scores_day on public.daily_scores (day);

-- Which endpoints advertise which wallet. The host is in the key, so that those of other hosts are found without
-- reading those of the own host, of which there may be thousands.
create table public.endpoint_wallets (
  network text not null,
  -- In lower case where the network does not tell letters apart.
  pay_to text not null,
  host text not null,
  endpoint_id text collate "C" not null references public.endpoints (id) on delete cascade,
  -- Whether the endpoint is listed and itself asked to be paid there. What a directory says of it anybody may have
  -- made up.
  challenged boolean not null,
  primary key (network, pay_to, host, endpoint_id)
);
create index endpoint_wallets_endpoint on public.endpoint_wallets (endpoint_id);
