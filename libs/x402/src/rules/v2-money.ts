import { assetShape, hasChecksum, isBurnAddress, isEvmAddress, payToShape } from '../address.ts';
import type { EntryFields } from '../entry.ts';
import type { Envelope } from '../envelope.ts';
import { isFalseUsdc } from '../false-usdc.ts';
import { isKnownScheme, isOnEvm } from './option-kind.ts';
import { eachEntry, eachV2, expect, onV2, type Outcome, type Rule } from './rule.ts';
import { quote } from '../text.ts';
import { TOKENS } from '../token-table.ts';
import { bareAsset, canonicalUsdc, findStray, findToken } from '../tokens.ts';

const SHORTEST_SECONDS = 10;
const LONGEST_SECONDS = 3_600;

function checkAssetShape({ network, asset }: EntryFields): Outcome {
  if (typeof asset !== 'string' || asset === '')
    return { message: `asset is ${quote(asset)}; it must name a token.` };
  const shape = typeof network === 'string' ? assetShape(network, asset) : 'unknown';
  if (shape === 'unknown') return 'skip';
  if (shape === 'ok') return 'pass';
  return shape === 'caip19'
    ? { message: `asset is ${quote(asset)}; clients expect the bare address in it.`, severity: 'warning' }
    : { message: `asset is ${quote(asset)}, which is no token address on ${quote(network)}.` };
}

/** The network and asset of an option whose asset is an address of its network; null where another rule speaks. */
function placeOf({ network, asset }: EntryFields): { network: string; asset: string } | null {
  if (typeof network !== 'string' || typeof asset !== 'string') return null;
  return assetShape(network, asset) === 'ok' ? { network, asset } : null;
}

/** Token addresses as their issuers write them: with a checksum that holds, so that it need not be hashed again. */
const CHECKSUMMED = new Set(
  TOKENS.map(({ asset }) => asset).filter((asset) => isEvmAddress(asset) && hasChecksum(asset) === 'ok'),
);

function checkChecksum(name: string, address: unknown): Outcome {
  if (!isEvmAddress(address)) return 'skip';
  if (CHECKSUMMED.has(address)) return 'pass';
  const checksum = hasChecksum(address);
  if (checksum === 'ok') return 'pass';
  return checksum === 'bad'
    ? {
        message: `${name} is ${quote(address)}, whose capitals do not match its checksum: a digit may be wrong.`,
      }
    : { message: `${name} is ${quote(address)}, without a checksum.`, severity: 'info' };
}

/** Graver where no option is left that a stock client pays, and where the token goes by the name of another. */
function checkAssetDefault(fields: EntryFields, isOnlyWay: boolean): Outcome {
  const place = placeOf(fields);
  if (place === null || !isKnownScheme(fields.scheme)) return 'skip';
  const { network, asset } = place;
  if (findStray(network, asset) !== null) return 'skip';
  if (isInDefault(fields)) return 'pass';
  const { name, symbol } = fields.extra ?? {};
  if (isFalseUsdc({ network, asset, names: [name, symbol] })) {
    const usdc = canonicalUsdc(network)?.asset ?? '';
    return {
      message: `The token ${quote(asset)} calls itself USDC and is not: on ${quote(network)} that is ${usdc}.`,
      severity: 'error',
    };
  }
  const message = `Stock clients refuse to pay in ${quote(asset)} on ${quote(network)} unless they are told to trust it.`;
  return isOnlyWay ? { message, severity: 'error' } : { message };
}

function isInDefault(fields: EntryFields): boolean {
  const place = placeOf(fields);
  return place !== null && findToken(place.network, place.asset)?.clientDefault === true;
}

function checkAssetsDefault(v2: Envelope): Outcome {
  const isOnlyWay = !v2.entries.some((entry) => entry !== null && isInDefault(entry.fields));
  return eachEntry(v2, ({ fields }) => checkAssetDefault(fields, isOnlyWay));
}

function checkAssetNetwork(fields: EntryFields): Outcome {
  const place = placeOf(fields);
  if (place === null) return 'skip';
  const { network, asset } = place;
  const stray = findStray(network, asset);
  if (stray !== null) {
    const message = `asset is ${quote(asset)}, the ${stray.symbol} of ${stray.network}; on ${quote(network)} it is no such token.`;
    return { message };
  }
  return findToken(network, asset) === null ? 'skip' : 'pass';
}

function checkPayToShape({ scheme, network, payTo }: EntryFields): Outcome {
  if (typeof payTo !== 'string' || payTo === '')
    return { message: `payTo is ${quote(payTo)}; it must name the payee.` };
  // A scheme of the seller's own may name the payee by a role, such as "merchant".
  if (!isKnownScheme(scheme) || typeof network !== 'string') return 'skip';
  const shape = payToShape(network, payTo);
  if (shape === 'unknown') return 'skip';
  return expect(shape === 'ok', () => `payTo is ${quote(payTo)}, which is no address on ${quote(network)}.`);
}

/**
 * Shared with version 1: true when a payee is the token it is paid in.
 *
 * @param network CAIP-2 id
 */
export function paysTheToken(payTo: string, network: string, asset: unknown): boolean {
  if (typeof asset !== 'string') return false;
  const token = bareAsset(network, asset);
  return network.startsWith('eip155:') ? payTo.toLowerCase() === token.toLowerCase() : payTo === token;
}

function checkPayToBurn({ payTo }: EntryFields): Outcome {
  if (typeof payTo !== 'string' || payTo === '') return 'skip';
  return expect(!isBurnAddress(payTo), () => `payTo is ${quote(payTo)}, from which nobody can spend.`);
}

function checkPayToIsAsset({ network, payTo, asset }: EntryFields): Outcome {
  if (typeof network !== 'string' || typeof payTo !== 'string' || payTo === '') return 'skip';
  if (typeof asset !== 'string' || isBurnAddress(payTo)) return 'skip';
  return expect(
    !paysTheToken(payTo, network, asset),
    () => `payTo is ${quote(payTo)}, the token itself, which keeps what is sent to it.`,
  );
}

/** A timeout that is added to the clock and signed; a fraction or an endless one cannot be. */
function isTimeout(seconds: unknown): seconds is number {
  return Number.isSafeInteger(seconds) && Number(seconds) > 0;
}

function checkTimeoutRange({ maxTimeoutSeconds }: EntryFields): Outcome {
  if (!isTimeout(maxTimeoutSeconds)) return 'skip';
  return expect(
    maxTimeoutSeconds >= SHORTEST_SECONDS && maxTimeoutSeconds <= LONGEST_SECONDS,
    () =>
      `maxTimeoutSeconds is ${String(maxTimeoutSeconds)}, outside ${String(SHORTEST_SECONDS)} to ${String(LONGEST_SECONDS)}.`,
  );
}

/** Rules on what each option of version 2 is paid in, to whom, and how soon. */
export const V2_MONEY_RULES: readonly Rule[] = [
  {
    id: 'v2-asset-shape',
    axis: 'payable',
    severity: 'error',
    holds: 'Every asset is a token address of its network.',
    fix: 'Set asset to the bare contract address, mint or id of the token on that network.',
    reference: { source: 'V2', clause: '5.1.2, asset' },
    check: eachV2(checkAssetShape),
  },
  {
    id: 'v2-asset-checksum',
    axis: 'hygiene',
    severity: 'warning',
    holds: 'Every asset on EVM carries its checksum.',
    fix: 'Copy the token address with the capitals its issuer publishes.',
    reference: { source: 'EIP55', clause: '' },
    check: eachV2((fields) => (isOnEvm(fields) ? checkChecksum('asset', fields.asset) : 'skip')),
  },
  {
    id: 'v2-asset-default',
    axis: 'payable',
    severity: 'warning',
    holds: 'Every asset is one stock clients pay in without being told to trust it.',
    fix: 'Offer an option in the USDC of the network, which every stock client pays in.',
    reference: { source: 'V2_CLIENT', clause: 'applySpendControls' },
    check: onV2(checkAssetsDefault),
  },
  {
    id: 'v2-asset-network',
    axis: 'payable',
    severity: 'error',
    holds: 'No asset is the token of another network.',
    fix: 'Use the address the token has on the network of the option.',
    reference: { source: 'V2', clause: '11.2' },
    check: eachV2(checkAssetNetwork),
  },
  {
    id: 'v2-payto-shape',
    axis: 'payable',
    severity: 'error',
    holds: 'Every payTo is an address of its network.',
    fix: 'Set payTo to the address of the wallet that is to be paid on that network.',
    reference: { source: 'V2', clause: '5.1.2, payTo' },
    check: eachV2(checkPayToShape),
  },
  {
    id: 'v2-payto-checksum',
    axis: 'hygiene',
    severity: 'warning',
    holds: 'Every payTo on EVM carries its checksum.',
    fix: 'Copy the wallet address with its capitals, and make sure it is the right one.',
    reference: { source: 'EIP55', clause: '' },
    check: eachV2((fields) => (isOnEvm(fields) ? checkChecksum('payTo', fields.payTo) : 'skip')),
  },
  {
    id: 'v2-payto-burn',
    axis: 'payable',
    severity: 'error',
    holds: 'No payTo destroys what it is paid.',
    fix: 'Set payTo to a wallet whose key the seller holds.',
    reference: { source: 'HOUSE', clause: '' },
    check: eachV2(checkPayToBurn),
  },
  {
    id: 'v2-payto-is-asset',
    axis: 'payable',
    severity: 'error',
    holds: 'No payTo is the token that is paid in.',
    fix: 'Set payTo to the wallet of the seller, not to the contract of the token.',
    reference: { source: 'HOUSE', clause: '' },
    check: eachV2(checkPayToIsAsset),
  },
  {
    id: 'v2-timeout-number',
    axis: 'payable',
    severity: 'error',
    holds: 'Every timeout is a positive whole number of seconds.',
    fix: 'Set maxTimeoutSeconds to a JSON number of whole seconds, such as 60.',
    reference: { source: 'V2', clause: '5.1.2, maxTimeoutSeconds' },
    check: eachV2(({ maxTimeoutSeconds }) =>
      expect(
        isTimeout(maxTimeoutSeconds),
        () => `maxTimeoutSeconds is ${quote(maxTimeoutSeconds)}; it must be a whole number above zero.`,
      ),
    ),
  },
  {
    id: 'v2-timeout-range',
    axis: 'hygiene',
    severity: 'warning',
    holds: 'Every timeout leaves time to pay and does not leave a signature open for long.',
    fix: 'Set maxTimeoutSeconds to between 10 seconds and an hour.',
    reference: { source: 'HOUSE', clause: '' },
    check: eachV2(checkTimeoutRange),
  },
];
