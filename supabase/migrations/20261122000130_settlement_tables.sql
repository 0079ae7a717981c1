-- Settlements: payments to advertised wallets, read from the blockchains, and the read position on each chain.

-- Read positions on each chain. A wallet group is a set of wallets of one network that are read together, with one
-- cursor. Group 0 follows the head of the chain. New wallets are first read in a separate group. When this group has
-- caught up with group 0, its wallets join group 0. So one cursor is enough for nearly all wallets of a network.
create table public.chain_cursors (
  network text not null,
  wallet_group integer not null check (wallet_group >= 0),
  -- Time of the first block to read.
  since timestamptz not null,
  -- First block that was read. `next_block` is the first block that was not read yet. Both are null before the first
  -- read step.
  from_block bigint,
  next_block bigint,
  -- Anchors: some of the blocks that were read, in ascending order, with hashes that reveal a reorg: [{ number, hash,
  -- at }]. If a reorg leaves an anchor as the last valid one, all settlements until its time `at` are known. `at` can
  -- be null if the time is unknown.
  anchors jsonb not null default '[]',
  -- Number of blocks in one request.
  span integer,
  -- Time of the last block that was read.
  through_at timestamptz,
  -- Last time when all confirmed blocks had been read.
  caught_up_at timestamptz,
  -- Raised with each change of the group. A read step is discarded if the revision has changed since the step began.
  revision bigint not null default 0,
  primary key (network, wallet_group)
);

-- Wallet group of each wallet.
create table public.chain_wallets (
  network text not null,
  pay_to text not null,
  wallet_group integer not null,
  -- Time from which all payments to the wallet are known, once the wallet is in group 0. In the group of skipped
  -- wallets: time when the wallet was skipped.
  since timestamptz not null,
  -- Last time when an endpoint advertised the wallet, accurate to one day. Wallets that no endpoint advertises any more
  -- are removed later.
  advertised_at timestamptz not null,
  primary key (network, pay_to),
  foreign key (network, wallet_group) references public.chain_cursors (network, wallet_group)
);
create index chain_wallets_group on public.chain_wallets (network, wallet_group);

-- USDC transfers to advertised wallets. Each transfer is stored once.
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
  -- Amount in atomic units. Numeric, because token amounts can exceed the range of bigint.
  amount numeric not null check (amount > 0 and amount = trunc(amount)),
  -- `x402`: the payer signed the transfer, and a third party sent it. `transfer`: every other transfer.
  kind text not null check (kind in ('x402', 'transfer')),
  facilitator text,
  primary key (network, transaction, log_index)
);
create index settlements_wallet on public.settlements (network, pay_to, at);

-- Index to remove old rows, and rows that a reorg made invalid.
create index settlements_block on public.settlements (network, block_number);

-- Sums of the x402 settlements for each wallet, day and payer, including self-payments. They give the exact number of
-- distinct payers in 30 days and the exact share of the largest payer. The table stays small: some payers pay one
-- wallet a million times a week, but such a payer adds only seven rows a week.
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
