import type { Entry, Envelope } from '../../challenge/envelope.ts';
import { parseAmount } from '../../networks/money.ts';
import { isCdpNetwork, listMainNetworkNames } from '../../facilitators/facilitators.ts';
import { getNamespace, isTestnet, isV1Name } from '../../networks/networks.ts';
import { completeOption, violatesNamespaceProfile, isCaip2, findKnownScheme } from '../offered-options.ts';
import { describeImpossibleAmount } from '../../clients/payment-prediction.ts';
import { isPaidByNone } from '../../clients/response-payments.ts';
import {
  checkEachV2Option,
  passIf,
  raiseIfUnpayable,
  checkV2Envelope,
  type Outcome,
  type Rule,
  type RuleInput,
} from '../rule.ts';
import { quote, quoteNames } from '../../json/untrusted-json.ts';
import { isKnownNetwork } from '../../networks/tokens.ts';

const CDP_MAIN_NETWORKS = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(
  listMainNetworkNames('coinbase'),
);
const OPTION_MEMBERS = new Set([
  'scheme',
  'network',
  'amount',
  'asset',
  'payTo',
  'maxTimeoutSeconds',
  'extra',
  // The rule `v2-no-max-amount` reports `maxAmountRequired`.
  'maxAmountRequired',
]);

function checkSchemeKnown({ scheme }: Entry): Outcome {
  if (typeof scheme !== 'string' || scheme === '') return 'skip';
  const meant = findKnownScheme(scheme);
  return passIf(meant === scheme, () =>
    meant === undefined
      ? `scheme is ${quote(scheme)}, which the specification does not define.`
      : `scheme is ${quote(scheme)}; clients accept only the exact spelling ${quote(meant)}.`,
  );
}

function checkCaip2({ network }: Entry): Outcome {
  if (typeof network === 'string' && isV1Name(network)) return 'skip';
  const message = (): string =>
    `network is ${quote(network)}; version 2 uses CAIP-2 ids such as eip155:8453.`;
  // A malformed id outside the namespaces eip155 and solana is only a warning: the reference schema requires only a
  // colon, so another client may support the network.
  const isColoned = typeof network === 'string' && network.length >= 3 && network.includes(':');
  const isLoose = isColoned && !violatesNamespaceProfile(network);
  return passIf(isCaip2(network), message, isLoose ? { severity: 'warning' } : {});
}

function checkNotV1Name({ network }: Entry): Outcome {
  if (typeof network !== 'string') return 'skip';
  return passIf(
    !isV1Name(network),
    () => `network is ${quote(network)}, a version 1 name; version 2 uses CAIP-2 ids.`,
  );
}

function checkNetworkKnown({ network }: Entry): Outcome {
  if (!isCaip2(network)) return 'skip';
  const isKnown = isKnownNetwork(network) || isTestnet(network) || isCdpNetwork(network);
  return passIf(isKnown, () => `network is ${quote(network)}; the reference clients support no token on it.`);
}

/** Namespaces of the networks on which the reference clients pay. */
const CLIENT_NAMESPACES = new Set(['eip155', 'solana']);

/**
 * Checks that an option is on a network of the reference clients. Passes options on other networks if a reference
 * client pays the version 1 envelope. Other clients may pay on other networks, so the message is about
 * the reference clients only.
 */
function checkClientNetwork(input: RuleInput): Outcome {
  const networks = (input.v2?.entries ?? []).map((entry) => entry?.network);
  const [first] = networks;
  if (!networks.every(isCaip2) || first === undefined) return 'skip';
  if (networks.some((network) => CLIENT_NAMESPACES.has(getNamespace(network)))) return 'pass';
  return passIf(
    !isPaidByNone(input),
    () =>
      `network is ${quote(first)}; the reference clients @x402/evm and @x402/svm support no scheme on it. Other clients may.`,
    { severity: 'error', axis: 'payable' },
  );
}

/**
 * Checks that at least one option is on a network on which CDP settles payments. One such option is enough for the CDP
 * directory.
 */
function checkCdpNetwork({ entries }: Envelope): Outcome {
  const networks = entries.flatMap((entry) => (isCaip2(entry?.network) ? [entry.network] : []));
  const [first] = networks;
  if (first === undefined) return 'skip';
  const others = networks.length > 1 ? ` and ${String(networks.length - 1)} more` : '';
  return passIf(
    networks.some(isCdpNetwork),
    () => `The CDP facilitator does not settle on the offered networks: ${quote(first)}${others}.`,
  );
}

function checkMainnet({ network }: Entry): Outcome {
  if (!isCaip2(network)) return 'skip';
  return passIf(
    !isTestnet(network),
    () => `network is ${quote(network)}, a test network; its tokens have no value.`,
  );
}

/** Returns the price of an option. Its seller may have used the version 1 name, which `v2-no-max-amount` reports. */
function readPrice({ amount, maxAmountRequired }: Entry): readonly [name: string, value: unknown] {
  return amount === undefined && maxAmountRequired !== undefined
    ? ['maxAmountRequired', maxAmountRequired]
    : ['amount', amount];
}

/** Checks that the supply of the token covers an amount. Rules for version 1 use this function too. */
export function checkSupply({ network, asset }: ReturnType<typeof completeOption>, units: bigint): Outcome {
  const message = typeof asset === 'string' ? describeImpossibleAmount(network, asset, units) : null;
  return message === null ? 'pass' : { message };
}

function checkAmount(fields: Entry): Outcome {
  const [name, amount] = readPrice(fields);
  const units = typeof amount === 'string' ? parseAmount(amount) : null;
  if (units !== null) {
    const impossible = checkSupply(completeOption(fields), units);
    return impossible === 'pass' && name !== 'amount' ? 'skip' : impossible;
  }
  const effect = Number.isSafeInteger(amount)
    ? ' Clients sign the number, but facilitators that check the format of payments reject it.'
    : '';
  return {
    message: `${name} is ${quote(amount)}; it must be a decimal string of whole atomic units.${effect}`,
  };
}

function checkAmountPositive(fields: Entry): Outcome {
  const [name, amount] = readPrice(fields);
  const units = typeof amount === 'string' ? parseAmount(amount) : null;
  if (units === null) return 'skip';
  return passIf(
    units > 0n,
    () => `${name} is 0. Clients sign this payment and it settles, but it pays nothing.`,
  );
}

function checkNoMaxAmount({ amount, maxAmountRequired }: Entry): Outcome {
  if (maxAmountRequired === undefined) return 'pass';
  return amount === undefined
    ? { message: 'The price is in maxAmountRequired, the version 1 name; version 2 clients read amount.' }
    : {
        message: 'The option has both amount and maxAmountRequired; version 2 uses only amount.',
        severity: 'warning',
        axis: 'hygiene',
      };
}

function checkMembers(entry: Entry): Outcome {
  const unknown = Object.keys(entry).filter((key) => !OPTION_MEMBERS.has(key));
  return passIf(
    unknown.length === 0,
    () => `An option has members that version 2 does not define: ${quoteNames(unknown)}.`,
  );
}

/** Rules for the scheme, network and amount of each version 2 option. */
export const V2_OPTION_RULES: readonly Rule[] = [
  {
    id: 'v2-scheme',
    level: ['payable', 'error'],
    requirement: 'Every option names a scheme.',
    fix: 'Set scheme to the name of a payment scheme, such as "exact".',
    reference: { source: 'V2', clause: '5.1.2, scheme' },
    check: checkEachV2Option(({ scheme }) =>
      passIf(
        typeof scheme === 'string' && scheme !== '',
        () => `scheme is ${quote(scheme)}; it must be a string such as "exact".`,
      ),
    ),
  },
  {
    id: 'v2-scheme-known',
    level: ['payable', 'warning'],
    requirement: 'The specification defines the scheme of every option.',
    fix: 'Write the scheme in lower case: exact, upto, batch-settlement or auth-capture. If you use another scheme, also offer the resource with one of these.',
    reference: { source: 'V2', clause: '6' },
    check: raiseIfUnpayable(checkEachV2Option(checkSchemeKnown)),
  },
  {
    id: 'v2-network-caip2',
    level: ['payable', 'error'],
    requirement: 'Every network is a CAIP-2 id.',
    fix: 'Write network as a CAIP-2 id in its exact spelling, such as eip155:8453 for Base.',
    reference: { source: 'CAIP2', clause: 'Syntax' },
    check: raiseIfUnpayable(checkEachV2Option(checkCaip2)),
  },
  {
    id: 'v2-network-not-v1-name',
    level: ['payable', 'error'],
    requirement: 'Every network is written as a CAIP-2 id, not as a version 1 name.',
    fix: 'Replace the version 1 name of the network with its CAIP-2 id.',
    reference: { source: 'V2', clause: '11.1' },
    check: checkEachV2Option(checkNotV1Name),
  },
  {
    id: 'v2-network-known',
    level: ['hygiene', 'info'],
    requirement: 'Every option is on a network that the reference clients or the CDP directory support.',
    fix: 'Also offer an option on a network that clients support, such as eip155:8453.',
    reference: { source: 'V2_CLIENT', clause: 'DEFAULT_ASSETS' },
    check: (input) => {
      const unsupported = checkClientNetwork(input);
      if (typeof unsupported === 'object') return unsupported;
      const outcome = checkEachV2Option(checkNetworkKnown)(input);
      // The rule `v2-network-cdp` reports a list whose options are all on such networks.
      const isReported = input.v2 !== null && typeof checkCdpNetwork(input.v2) === 'object';
      return typeof outcome === 'object' && isReported ? 'skip' : outcome;
    },
  },
  {
    id: 'v2-network-cdp',
    level: ['discoverable', 'warning'],
    requirement: 'At least one option is on a network where the CDP facilitator settles payments.',
    fix: `Add an option on ${CDP_MAIN_NETWORKS}, so that CDP lists the endpoint.`,
    reference: { source: 'CDP', clause: 'supported networks' },
    // The rule `v2-network-known` reports networks on which no reference client pays.
    check: (input) =>
      typeof checkClientNetwork(input) === 'object' ? 'skip' : checkV2Envelope(checkCdpNetwork)(input),
  },
  {
    id: 'v2-network-mainnet',
    level: ['hygiene', 'info'],
    requirement: 'Every option is on a main network.',
    fix: 'Offer the resource on a main network when it is ready for real buyers.',
    reference: { source: 'V2', clause: '11.1' },
    check: checkEachV2Option(checkMainnet),
  },
  {
    id: 'v2-amount-string',
    level: ['payable', 'error'],
    requirement:
      'Every amount is a decimal string of whole atomic units, and at most the supply of the token.',
    fix: 'Write amount as a string of decimal digits, in atomic units of the token, such as "10000" for 0.01 USDC.',
    reference: { source: 'V2', clause: '5.1.2, amount' },
    check: checkEachV2Option(checkAmount),
  },
  {
    id: 'v2-amount-positive',
    level: ['payable', 'warning'],
    requirement: 'Every amount is greater than zero.',
    fix: 'Request at least one atomic unit, or serve the resource without a challenge.',
    check: checkEachV2Option(checkAmountPositive),
  },
  {
    id: 'v2-no-max-amount',
    level: ['payable', 'error'],
    requirement: 'Every option uses amount, not the version 1 name maxAmountRequired.',
    fix: 'Rename maxAmountRequired to amount.',
    reference: { source: 'V2', clause: '5.1.2, amount' },
    check: checkEachV2Option(checkNoMaxAmount),
  },
  {
    id: 'v2-unknown-keys',
    level: ['hygiene', 'warning'],
    requirement: 'Every option has only members that version 2 defines.',
    fix: 'Move descriptions of the resource to resource and scheme data to extra. Remove the other members.',
    reference: { source: 'V2', clause: '5.1.2' },
    check: checkEachV2Option(checkMembers),
  },
];
