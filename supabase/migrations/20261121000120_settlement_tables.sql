-- What is paid to the wallets that endpoints advertise, read from the chains, and how far each chain was read.

-- How far a set of wallets of a network was read. Lane 0 follows the head; wallets that become known later are read in
-- a lane of their own until they have caught up with it, and join it then. So a wallet costs a row when it comes, and
-- reading on costs one row for all of them.
create table public.chain_cursors (
  network text not null,
  lane integer not null check (lane >= 0),
  -- Blocks whose time is at or after this were read.
  since timestamptz not null,
  -- First block that was read, and first that was not; null before the first step.
  from_block bigint,
  next_block bigint,
  -- Blocks that were read with their hashes, ascending: [{ number, hash, at }]. By them a re-org is noticed; `at`
  -- is the time up to which all is known where that block is the last one that stands, or null.
  anchors jsonb not null default '[]',
  -- Blocks that are asked for at once.
  span integer,
  -- Time of the last block that was read.
  through_at timestamptz,
  -- When nothing that was confirmed was left to read.
  caught_up_at timestamptz,
  -- Counts what changes the lane: a step that was read from an older state of it is void.
  revision bigint not null default 0,
  primary key (network, lane)
);

-- Which wallet is read in which lane.
create table public.chain_wallets (
  network text not null,
  pay_to text not null,
  lane integer not null,
  -- From when on everything that was paid to it is known, once it is in lane 0.
  since timestamptz not null,
  -- To a day: when an endpoint last advertised it. What nobody advertises any more is not read for ever.
  advertised_at timestamptz not null,
  primary key (network, pay_to),
  foreign key (network, lane) references public.chain_cursors (network, lane)
);
create index chain_wallets_lane on public.chain_wallets (network, lane);

-- Every transfer of USDC to such a wallet, once.
create table public.settlements (
  network text not null,
  transaction text collate "C" not null,
  log_index integer not null check (log_index >= 0),
  block_number bigint not null,
  block_hash text,
  at timestamptz not null,
  payer text not null,
  pay_to text not null,
  asset text not null,
  -- Atomic units. No integer of the database holds all that a token can.
  amount numeric not null check (amount > 0 and amount = trunc(amount)),
  -- Signed by the payer and sent by somebody else, or any other transfer.
  kind text not null check (kind in ('x402', 'transfer')),
  facilitator text,
  primary key (network, transaction, log_index)
);
create index settlements_wallet on public.settlements (network, pay_to, at);
-- What a re-org takes back, and what is old.
create index settlements_block on public.settlements (network, block_number);

-- What each payer settled with a wallet on a day, self-payments included: the sums of the x402 rows of settlements.
-- Distinct payers of 30 days and the share of the largest are exact over these rows, and a wallet that is paid a million
-- times a week by one payer, which exists, is seven rows of them.
create table public.wallet_payer_days (
  network text not null,
  pay_to text not null,
  day date not null,
  payer text not null,
  settlements bigint not null,
  volume numeric not null,
  primary key (network, pay_to, day, payer)
) with (fillfactor = 80);
create index wallet_payer_days_day on public.wallet_payer_days (day);
