-- Table access: the publishable key can read only public rows; everything else requires the secret key.

alter table public.endpoints enable row level security;
alter table public.listings enable row level security;
alter table public.discovery_runs enable row level security;
alter table public.schedules enable row level security;
alter table public.host_queues enable row level security;
alter table public.leases enable row level security;
alter table public.endpoint_states enable row level security;
alter table public.scoring_queue enable row level security;
alter table public.observations enable row level security;
alter table public.challenges enable row level security;
alter table public.daily_rollups enable row level security;
alter table public.changes enable row level security;
alter table public.snapshots enable row level security;
alter table public.snapshot_details enable row level security;
alter table public.daily_scores enable row level security;
alter table public.endpoint_wallets enable row level security;
alter table public.chain_cursors enable row level security;
alter table public.chain_wallets enable row level security;
alter table public.settlements enable row level security;
alter table public.wallet_payer_days enable row level security;
alter table public.payments enable row level security;
alter table public.rate_limits enable row level security;

-- Default grants differ between installations, so this file sets all grants explicitly.
revoke all on all tables in schema public from anon, authenticated;
grant usage on schema public to anon, authenticated, service_role;
grant all on all tables in schema public to service_role;
grant all on all sequences in schema public to service_role;
revoke all on schema internal from public;
grant usage on schema internal to service_role;
grant select on public.snapshots to anon, authenticated;
create policy snapshots_public on public.snapshots for select to anon, authenticated using (public);
