-- Settlements: payments to advertised wallets, read from the chains, and the read position on each chain.

-- Read positions on each chain. A wallet group is a set of wallets of one network that are read with one cursor. Group
-- 0 follows the head of the chain. New wallets are read in another group until it has caught up, and then join group
-- 0. So a new wallet costs one row, and reading on costs one row for all wallets.
create table public.chain_cursors (
  network text not null,
  wallet_group integer not null check (wallet_group >= 0),
  -- Blocks from this time on are read.
  since timestamptz not null,
  -- First block that was read, and first block that was not; null before the first step.
  from_block bigint,
  next_block bigint,
  -- Blocks that were read, with their hashes, ascending: [{ number, hash, at }]. They reveal a re-org. `at` is the
  -- time up to which everything is known if that block is the last valid one, or null.
  anchors jsonb not null default '[]',
  -- Number of blocks for each request.
  span integer,
  -- Time of the last block that was read.
  through_at timestamptz,
  -- Last time when no confirmed block was left to read.
  caught_up_at timestamptz,
  -- Counts changes of the group. A step that was read at an older revision is void.
  revision bigint not null default 0,
  primary key (network, wallet_group)
);

-- Wallet group of each wallet.
create table public.chain_wallets (
  network text not null,
  pay_to text not null,
  wallet_group integer not null,
  -- Time from which all payments to the wallet are known, once it is in group 0.
  since timestamptz not null,
  -- Last time an endpoint advertised the wallet, accurate to one day. Wallets without such an endpoint are removed
  -- later.
  advertised_at timestamptz not null,
  primary key (network, pay_to),
  foreign key (network, wallet_group) references public.chain_cursors (network, wallet_group)
);
create index chain_wallets_group on public.chain_wallets (network, wallet_group);

-- USDC transfers to these wallets, each stored once.
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
  -- Atomic units. Numeric, because token amounts exceed bigint.
  amount numeric not null check (amount > 0 and amount = trunc(amount)),
  -- x402: signed by the payer and sent by a third party. transfer: every other transfer.
  kind text not null check (kind in ('x402', 'transfer')),
  facilitator text,
  primary key (network, transaction, log_index)
);
create index settlements_wallet on public.settlements (network, pay_to, at);

-- Used to remove the rows of a re-org, and old rows.
create index settlements_block on public.settlements (network, block_number);

-- Sums of the x402 rows of `settlements` for each wallet, day and payer, including self-payments. Distinct payers in
-- 30 days and the largest payer's share are exact with these rows. A wallet that one payer pays a million times a
-- week, which exists, has seven rows a week.
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
