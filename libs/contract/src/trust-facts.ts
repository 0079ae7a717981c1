import { z } from 'zod';
import { atomicAmount, count, share, slug, text, time, usd } from './scalars.ts';

/** The parts of a trust report that say what was seen and when. */

const version = z.union([z.literal(1), z.literal(2)]).nullable();
const decimals = z
  .int()
  .min(0)
  .max(77)
  .nullable()
  .describe('Decimals of the token; null for an unknown one.');
const asset = text('address').describe('Address, mint or id of the token, as advertised.');
const network = text('address').describe('CAIP-2 id of the network, or the provider’s word for it.');
const payTo = text('address').describe('The address that is paid, as advertised.');
const amount = atomicAmount.nullable().describe('Atomic units; null where the amount is no whole number.');
const amountUsd = usd.nullable().describe('US dollars; null for what is no known dollar token.');

export const freshness = z.strictObject({
  live: z.boolean().describe('True when the endpoint was probed for this report.'),
  notLiveReason: z
    .enum(['own-failure', 'too-slow', 'template', 'stored'])
    .nullable()
    .describe(
      'Why it was not: our own probe failed, no answer came in the time that a report may take, a template cannot be asked, or none was meant to be. Null when it was.',
    ),
  probedAt: time.nullable().describe('Time of the latest probe; null before the first.'),
  ageSeconds: count.nullable().describe('Whole seconds from the latest probe to generatedAt.'),
  liveProbeMs: count.nullable().describe('How long the live probe took, in milliseconds.'),
});

export const listing = z.strictObject({
  status: z.enum(['listed', 'delisted']).describe('Whether a directory lists it now.'),
  firstSeen: time.describe('When it was first seen, which its age counts from.'),
  delistedAt: time.nullable().describe('Since when no directory lists it; null while one does.'),
});

export const option = z.strictObject({
  scheme: text('address').describe('Payment scheme, such as exact.'),
  network,
  asset,
  assetSymbol: text('address').nullable().describe('Symbol of the token where it is a known one.'),
  decimals,
  amount,
  amountUsd,
  payTo,
  falseUsdc: z.boolean().describe('It calls itself USDC and is not the canonical USDC of its network.'),
});

const range30d = z.strictObject({
  lowUsd: usd.describe('Lowest price of 30 days.'),
  highUsd: usd.describe('Highest price of 30 days.'),
});

export const advertised = z.strictObject({
  amount,
  amountUsd,
  asset: asset.nullable().describe('Token of the option that is shown; null where unknown.'),
  network,
  decimals,
  payTo,
  protocolVersion: version.describe('Version of the protocol the terms were read in; null where unknown.'),
  networkKnown: z.boolean().describe('Whether this service knows the network.'),
  falseUsdc: z.boolean().describe('Whether an option calls itself USDC and is not canonical USDC.'),
  observedAt: time.nullable().describe('When the terms were last seen.'),
  range30d: range30d.nullable().describe('Prices of 30 days; null where none was seen.'),
  options: z.array(option.describe('One way to pay.')).max(100).describe('Every way to pay that is offered.'),
});

const paidWallet = z.strictObject({
  payTo,
  network,
  volumeUsd30d: usd
    .nullable()
    .describe('US dollars settled to this address in 30 days; null where it was not read.'),
  settlements30d: count.nullable().describe('Number of settlements with it in 30 days.'),
  payers30d: count.nullable().describe('Distinct payers of it in 30 days.'),
  topPayerShare: share.nullable().describe('Share of its volume that its largest payer brought.'),
  lastSettledAt: time.nullable().describe('Time of its latest settlement.'),
  throughBlock: count.nullable().describe('The last block of its network that was read.'),
});

/** Sums over all wallets, so that the score can be computed from them; and the wallets, which can be looked up on chain. */
export const settlement = z.strictObject({
  payTo: payTo
    .nullable()
    .describe('The address that is paid: the first that is advertised and could be read, else the first.'),
  network: network.nullable().describe('CAIP-2 id of its network.'),
  volumeUsd30d: usd
    .nullable()
    .describe(
      'US dollars settled in 30 days in canonical USDC, to payTo or, where wallets are listed, to all of them together; null where none was read. What one of these wallets paid to itself or to another of them is in no figure.',
    ),
  settlements30d: count.nullable().describe('Number of settlements in 30 days, over all these wallets.'),
  payers30d: count
    .nullable()
    .describe(
      'Distinct payers in 30 days; one that paid several of these wallets is one. Null where none was read.',
    ),
  topPayerShare: share
    .nullable()
    .describe(
      'Share of the volume that the largest payer brought, to all these wallets together; null where none was read.',
    ),
  lastSettledAt: time.nullable().describe('Time of the latest settlement with any of them.'),
  sharedWith: z
    .array(text('resource').describe('URL of an endpoint.'))
    .max(20)
    .describe(
      'Listed endpoints of other hosts that are paid at one of these addresses, twenty at most: payments to an address are told apart by nobody.',
    ),
  throughBlock: count.nullable().describe('The last block of network that was read.'),
  partial: z
    .boolean()
    .nullable()
    .describe(
      'Whether something that is advertised could not be read: a network, a new address, or a token other than canonical USDC. The figures are then at least so much. Null where no figure is known.',
    ),
  wallets: z
    .array(paidWallet.describe('One address that is paid.'))
    .max(100)
    .describe(
      'Every address that is advertised, where there is more than one; their volumes add up to volumeUsd30d.',
    ),
});

const check = z.strictObject({
  id: slug.describe('Id of the rule.'),
  pass: z.boolean().describe('Whether it passed. Rules that did not apply are not listed.'),
  severity: z.enum(['error', 'warning', 'info']).describe('How bad it is where it failed.'),
  message: text('sentence').describe('What is wrong where it failed, else what the rule asks for.'),
  fix: text('sentence').nullable().describe('What to change; null where it passed.'),
  reference: text('sentence').describe('The clause that the rule follows, and where to read it.'),
});

export const compliance = z.strictObject({
  version: version.describe('Version of the protocol of the latest challenge; null where none was readable.'),
  payable: z.boolean().describe('Whether a reference client would pay the latest challenge.'),
  checks: z.array(check.describe('One rule.')).max(200).describe('Every rule that applied, passed or not.'),
});
