import type { EntryFields } from '../entry.ts';
import type { Envelope } from '../envelope.ts';
import { readAmount } from '../money.ts';
import { isCdpNetwork, isTestnet, isV1Name } from '../networks.ts';
import { breaksProfile, isCaip2, isKnownScheme } from './option-kind.ts';
import { eachEntry, eachV2, expect, onV2, type Outcome, type Rule } from './rule.ts';
import { quote } from '../text.ts';
import { isKnownNetwork } from '../tokens.ts';

/** Smaller payments seldom show in the CDP directory, which documents no limit. */
const CDP_FLOOR = 1_000n;
const MEMBERS = new Set([
  'scheme',
  'network',
  'amount',
  'asset',
  'payTo',
  'maxTimeoutSeconds',
  'extra',
  // Left to the rule that is about it alone.
  'maxAmountRequired',
]);
const NAMED_MEMBERS = 3;

function checkSchemeKnown({ scheme }: EntryFields): Outcome {
  if (typeof scheme !== 'string' || scheme === '') return 'skip';
  return expect(
    isKnownScheme(scheme),
    () => `scheme is ${quote(scheme)}, which the specification does not have.`,
  );
}

function checkCaip2({ network }: EntryFields): Outcome {
  if (typeof network === 'string' && isV1Name(network)) return 'skip';
  const message = (): string =>
    `network is ${quote(network)}; version 2 names networks by CAIP-2 ids such as eip155:8453.`;
  // The reference schema asks for no more than a colon, so some client may know what is meant; the stock clients
  // know no other ids of their own namespaces.
  const isColoned = typeof network === 'string' && network.length >= 3 && network.includes(':');
  const isLoose = isColoned && !breaksProfile(network);
  return expect(isCaip2(network), message, isLoose ? { severity: 'warning' } : {});
}

function checkNotV1Name({ network }: EntryFields): Outcome {
  if (typeof network !== 'string') return 'skip';
  return expect(!isV1Name(network), () => `network is ${quote(network)}, a name of version 1.`);
}

function checkNetworkKnown({ network }: EntryFields): Outcome {
  if (!isCaip2(network)) return 'skip';
  const isKnown = isKnownNetwork(network) || isTestnet(network) || isCdpNetwork(network);
  return expect(isKnown, () => `network is ${quote(network)}, which no reference client has a token for.`);
}

/** One option on a network the directory settles on is enough to be listed there. */
function checkCdpNetwork({ entries }: Envelope): Outcome {
  const networks = entries.flatMap((entry) => (isCaip2(entry?.fields.network) ? [entry.fields.network] : []));
  const [first] = networks;
  if (first === undefined) return 'skip';
  const others = networks.length > 1 ? ` and ${String(networks.length - 1)} more` : '';
  return expect(
    networks.some(isCdpNetwork),
    () => `No option is on a network the CDP facilitator settles on, only on ${quote(first)}${others}.`,
  );
}

function checkMainnet({ network }: EntryFields): Outcome {
  if (!isCaip2(network)) return 'skip';
  return expect(
    !isTestnet(network),
    () => `network is ${quote(network)}, a test network: its tokens are worth nothing.`,
  );
}

function checkAmount({ amount, maxAmountRequired }: EntryFields): Outcome {
  if (amount === undefined && maxAmountRequired !== undefined) return 'skip';
  const isValid = typeof amount === 'string' && readAmount(amount) !== null;
  return expect(
    isValid,
    () => `amount is ${quote(amount)}; it must be a decimal string of whole atomic units.`,
  );
}

function unitsOf({ amount }: EntryFields): bigint | null {
  return typeof amount === 'string' ? readAmount(amount) : null;
}

function checkAmountPositive(fields: EntryFields): Outcome {
  const units = unitsOf(fields);
  if (units === null) return 'skip';
  return expect(units > 0n, 'amount is 0; an option that costs nothing cannot be settled.');
}

function checkCdpFloor(fields: EntryFields): Outcome {
  const units = unitsOf(fields);
  if (units === null || units === 0n || !isCaip2(fields.network) || !isCdpNetwork(fields.network))
    return 'skip';
  return expect(
    units >= CDP_FLOOR,
    () =>
      `amount is ${quote(fields.amount)}; directories may leave out payments below ${String(CDP_FLOOR)} atomic units.`,
  );
}

function checkNoMaxAmount({ amount, maxAmountRequired }: EntryFields): Outcome {
  if (maxAmountRequired === undefined) return 'pass';
  return amount === undefined
    ? { message: 'maxAmountRequired is the name of version 1; version 2 clients read amount.' }
    : { message: 'maxAmountRequired stands beside amount.', severity: 'warning', axis: 'hygiene' };
}

function checkMembers(raw: unknown): Outcome {
  if (typeof raw !== 'object' || raw === null) return 'skip';
  const foreign = Object.keys(raw).filter((key) => !MEMBERS.has(key));
  const named = foreign.slice(0, NAMED_MEMBERS).map(quote).join(', ');
  const more = foreign.length > NAMED_MEMBERS ? ` and ${String(foreign.length - NAMED_MEMBERS)} more` : '';
  return expect(
    foreign.length === 0,
    () => `An option has members version 2 does not know: ${named}${more}.`,
  );
}

/** Rules on what each option of version 2 says: scheme, network, amount. */
export const V2_TERMS_RULES: readonly Rule[] = [
  {
    id: 'v2-scheme',
    axis: 'payable',
    severity: 'error',
    holds: 'Every option names a scheme.',
    fix: 'Set scheme to the name of a payment scheme, such as "exact".',
    reference: { source: 'V2', clause: '5.1.2, scheme' },
    check: eachV2(({ scheme }) =>
      expect(
        typeof scheme === 'string' && scheme !== '',
        () => `scheme is ${quote(scheme)}; it must be text such as "exact".`,
      ),
    ),
  },
  {
    id: 'v2-scheme-known',
    axis: 'payable',
    severity: 'warning',
    holds: 'Every scheme is one the specification has.',
    fix: 'Offer the same resource by scheme exact, upto, batch-settlement or auth-capture too.',
    reference: { source: 'V2', clause: '6' },
    check: eachV2(checkSchemeKnown),
  },
  {
    id: 'v2-network-caip2',
    axis: 'payable',
    severity: 'error',
    holds: 'Every network is a CAIP-2 id.',
    fix: 'Write network as a CAIP-2 id in its exact spelling, such as eip155:8453 for Base.',
    reference: { source: 'CAIP2', clause: 'Syntax' },
    check: eachV2(checkCaip2),
  },
  {
    id: 'v2-network-not-v1-name',
    axis: 'payable',
    severity: 'error',
    holds: 'No network goes by its version 1 name.',
    fix: 'Replace the version 1 name of the network by its CAIP-2 id.',
    reference: { source: 'V2', clause: '11.1' },
    check: eachV2(checkNotV1Name),
  },
  {
    id: 'v2-network-known',
    axis: 'hygiene',
    severity: 'info',
    holds: 'Every network is one the reference clients or the CDP directory know.',
    fix: 'Offer an option on a network that clients know, such as eip155:8453, beside this one.',
    reference: { source: 'V2_CLIENT', clause: 'DEFAULT_ASSETS' },
    check: eachV2(checkNetworkKnown),
  },
  {
    id: 'v2-network-cdp',
    axis: 'discoverable',
    severity: 'warning',
    holds: 'An option is on a network the CDP facilitator settles on.',
    fix: 'Add an option on Base, Polygon, Arbitrum, World Chain or Solana to be listed by CDP.',
    reference: { source: 'CDP', clause: 'supported networks' },
    check: onV2(checkCdpNetwork),
  },
  {
    id: 'v2-network-mainnet',
    axis: 'hygiene',
    severity: 'info',
    holds: 'Every option is on a main network.',
    fix: 'Offer the resource on a main network once it is meant for real buyers.',
    reference: { source: 'V2', clause: '11.1' },
    check: eachV2(checkMainnet),
  },
  {
    id: 'v2-amount-string',
    axis: 'payable',
    severity: 'error',
    holds: 'Every amount is a string of whole atomic units.',
    fix: 'Write amount as a string of decimal digits in atomic units of the token, such as "10000" for one cent of USDC.',
    reference: { source: 'V2', clause: '5.1.2, amount' },
    check: eachV2(checkAmount),
  },
  {
    id: 'v2-amount-positive',
    axis: 'payable',
    severity: 'error',
    holds: 'Every amount is more than zero.',
    fix: 'Ask for at least one atomic unit, or serve the resource without a challenge.',
    reference: { source: 'HOUSE', clause: '' },
    check: eachV2(checkAmountPositive),
  },
  {
    id: 'v2-amount-cdp-floor',
    axis: 'discoverable',
    severity: 'warning',
    holds: 'Every amount on a network of the CDP directory is a thousand atomic units or more.',
    fix: 'Ask for 1000 atomic units or more, a tenth of a cent of USDC.',
    reference: { source: 'HOUSE', clause: '' },
    check: eachV2(checkCdpFloor),
  },
  {
    id: 'v2-no-max-amount',
    axis: 'payable',
    severity: 'error',
    holds: 'No option uses the version 1 name of amount.',
    fix: 'Rename maxAmountRequired to amount.',
    reference: { source: 'V2', clause: '5.1.2, amount' },
    check: eachV2(checkNoMaxAmount),
  },
  {
    id: 'v2-unknown-keys',
    axis: 'hygiene',
    severity: 'warning',
    holds: 'Every option has the members of version 2 and no others.',
    fix: 'Move what describes the resource to resource, what a scheme needs to extra, and leave the rest out.',
    reference: { source: 'V2', clause: '5.1.2' },
    check: ({ v2 }) => eachEntry(v2, ({ raw }) => checkMembers(raw)),
  },
];
