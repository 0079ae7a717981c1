import {
  checkAssetFormat,
  verifyChecksum,
  isBase58Address,
  isBurnAddress,
  isEvmAddress,
  checkPayToFormat,
} from '../../networks/address.ts';
import type { Entry } from '../../challenge/envelope.ts';
import { MIN_VALIDITY_SECONDS } from '../../clients/payment-prediction.ts';
import { isFalseUsdc, findToken, findTokenOfOtherNetwork, isPayToToken } from '../../networks/tokens.ts';
import { findCanonicalUsdc, TOKENS } from '../../networks/networks.ts';
import { completeOption, isCaip2, isKnownScheme, isOnEvm, quoteNetwork } from '../offered-options.ts';
import { hasOwnDomain } from '../../challenge/own-domain.ts';
import { checkEachV2Option, passIf, raiseIfUnpayable, type Outcome, type Rule } from '../rule.ts';
import { quote } from '../../json/untrusted-json.ts';

const MIN_TIMEOUT_SECONDS = 10;
/**
 * Maximum validity of a payment signature, in seconds. During this time, anyone who has the signature can settle the
 * payment.
 */
export const MAX_TIMEOUT_SECONDS = 3_600;

type Option = ReturnType<typeof completeOption>;

/**
 * Creates a check of every version 2 option with the scheme and the network that its seller most likely means, so that
 * the faults of an option are reported together.
 */
function checkEachCompleted(check: (option: Option) => Outcome): Rule['check'] {
  return checkEachV2Option((fields) => check(completeOption(fields)));
}

function checkAssetShape({ network, asset, payTo }: Option): Outcome {
  if (typeof asset !== 'string' || asset === '')
    return { message: `asset is ${quote(asset)}; it must be a token address.` };
  const format = checkAssetFormat(network, asset);
  if (format === 'unknown') return 'skip';
  if (format === 'valid') return 'pass';
  if (isOfOtherNamespace(network, asset, payTo))
    return {
      message: `asset is ${quote(asset)} and payTo is ${quote(payTo)}; neither is an address on ${quoteNetwork(network)}, so the network may be wrong.`,
    };
  return format === 'caip19'
    ? {
        message: `asset is ${quote(asset)}, a CAIP-19 id; clients can sign a payment only for an address.`,
      }
    : { message: `asset is ${quote(asset)}, which is not a token address on ${quoteNetwork(network)}.` };
}

/** Returns true if asset and payee are addresses of one other namespace, which means that the network is wrong. */
function isOfOtherNamespace(network: string, asset: unknown, payTo: unknown): boolean {
  return [isEvmAddress, isBase58Address].some(
    (isAddress) => isAddress(asset) && isAddress(payTo) && checkAssetFormat(network, asset) === 'invalid',
  );
}

/**
 * Returns the network and the asset of an option if the asset is an address on that network. Returns null for other
 * assets, which other rules report.
 */
function getNetworkAsset({ network, asset }: Entry): { network: string; asset: string } | null {
  if (typeof network !== 'string' || typeof asset !== 'string') return null;
  return checkAssetFormat(network, asset) === 'valid' ? { network, asset } : null;
}

/**
 * Addresses of known tokens with a valid checksum. The checksums are verified only once, at startup, because
 * each verification computes a hash.
 */
const CHECKSUMMED_ASSETS = new Set(
  TOKENS.map(({ asset }) => asset).filter(
    (asset) => isEvmAddress(asset) && verifyChecksum(asset) === 'valid',
  ),
);

function checkChecksum(name: string, address: unknown, network: string): Outcome {
  if (!isEvmAddress(address) || !network.startsWith('eip155:')) return 'skip';
  if (CHECKSUMMED_ASSETS.has(address)) return 'pass';
  const checksum = verifyChecksum(address);
  if (checksum === 'valid') return 'pass';
  return checksum === 'invalid'
    ? {
        message: `${name} is ${quote(address)}; its upper- and lower-case letters do not match the ERC-55 checksum, so a digit may be wrong.`,
      }
    : { message: `${name} is ${quote(address)}, which has no ERC-55 checksum.`, severity: 'info' };
}

/** Checks the checksum of an asset. Skips the wrong token, which other rules report. */
function checkAssetChecksum(option: Option): Outcome {
  const isWrongToken = [checkAssetNetwork, checkAssetUsdc].some((check) => isFailure(check(option)));
  return isWrongToken ? 'skip' : checkChecksum('asset', option.asset, option.network);
}

/** Checks the checksum of a payee. Skips a payee that must be replaced, which other rules report. */
function checkPayToChecksum(option: Option): Outcome {
  const isWrongPayee = [checkPayToBurn, checkPayToIsAsset].some((check) => isFailure(check(option)));
  return isWrongPayee ? 'skip' : checkChecksum('payTo', option.payTo, option.network);
}

function isFailure(outcome: Outcome): boolean {
  return typeof outcome === 'object';
}

/** Checks that a token that is named USDC is the USDC of its network. Rules for version 1 use this function too. */
export function checkAssetUsdc(fields: Option): Outcome {
  const located = getNetworkAsset(fields);
  if (located === null || !isKnownScheme(fields.scheme) || hasOwnDomain(fields, fields.network))
    return 'skip';
  const { network, asset } = located;
  if (findTokenOfOtherNetwork(network, asset) !== null) return 'skip';
  return passIf(!isFalseUsdc({ network, asset, extra: fields.extra }), () => {
    const usdc = findCanonicalUsdc(network)?.asset ?? '';
    return `The token ${quote(asset)} is named USDC but is not USDC; on ${quote(network)}, USDC is ${usdc}.`;
  });
}

/** Checks that an asset is no token of another network. Rules for version 1 use this function too. */
export function checkAssetNetwork(fields: Option): Outcome {
  const located = getNetworkAsset(fields);
  // The rule `v2-network-caip2` reports another network.
  if (located === null || !isCaip2(located.network)) return 'skip';
  const { network, asset } = located;
  const stray = findTokenOfOtherNetwork(network, asset);
  if (stray !== null) {
    const message = `asset is ${quote(asset)}, the ${stray.symbol} address on ${stray.network}; it is not that token on ${quote(network)}.`;
    return { message };
  }
  return findToken(network, asset) === null ? 'skip' : 'pass';
}

function checkPayToShape({ scheme, network, asset, payTo }: Option): Outcome {
  if (typeof payTo !== 'string' || payTo === '')
    return { message: `payTo is ${quote(payTo)}; it must be the address of the payee.` };
  // A custom scheme may name the payee by a role, such as "merchant", instead of an address.
  if (!isKnownScheme(scheme)) return 'skip';
  const format = checkPayToFormat(network, payTo);
  // The rule `v2-asset-shape` reports an asset and a payee that are both addresses of another kind of network.
  if (format === 'unknown' || isOfOtherNamespace(network, asset, payTo)) return 'skip';
  return passIf(
    format === 'valid',
    () => `payTo is ${quote(payTo)}, which is not an address on ${quoteNetwork(network)}.`,
  );
}

/** Checks that the payee is no burn address. Rules for version 1 use this function too. */
export function checkPayToBurn({ payTo }: Entry): Outcome {
  if (typeof payTo !== 'string' || payTo === '') return 'skip';
  return passIf(
    !isBurnAddress(payTo),
    () => `payTo is ${quote(payTo)}, a burn address: payments to it are lost.`,
  );
}

/** Checks that the payee is not the contract of the payment token. Rules for version 1 use this function too. */
export function checkPayToIsAsset({ network, payTo, asset }: Entry): Outcome {
  if (typeof network !== 'string' || typeof payTo !== 'string' || payTo === '') return 'skip';
  if (typeof asset !== 'string' || isBurnAddress(payTo)) return 'skip';
  return passIf(
    !isPayToToken(payTo, network, asset),
    () => `payTo is ${quote(payTo)}, the token contract itself: payments to it are lost.`,
  );
}

/**
 * Returns true for a positive safe integer. Clients add the timeout to the current time to get the payment deadline.
 */
function isTimeout(seconds: unknown): seconds is number {
  return Number.isSafeInteger(seconds) && Number(seconds) > 0;
}

/** Checks that a timeout is a positive whole number. Rules for version 1 use this function too. */
export function checkTimeout({ maxTimeoutSeconds }: Entry): Outcome {
  return passIf(
    isTimeout(maxTimeoutSeconds),
    () => `maxTimeoutSeconds is ${quote(maxTimeoutSeconds)}; it must be a whole number greater than zero.`,
  );
}

/** Checks that facilitators accept a payment before its deadline. Payments on Solana have no deadline. */
function checkExpiry(fields: Entry): Outcome {
  const { maxTimeoutSeconds } = fields;
  if (!isTimeout(maxTimeoutSeconds) || !isOnEvm(completeOption(fields))) return 'skip';
  if (hasOwnDomain(fields, fields.network)) return 'skip';
  return passIf(
    maxTimeoutSeconds >= Number(MIN_VALIDITY_SECONDS),
    () =>
      `maxTimeoutSeconds is ${String(maxTimeoutSeconds)}; payments that expire in less than ${String(MIN_VALIDITY_SECONDS)} seconds fail.`,
  );
}

function checkTimeoutRange(fields: Entry): Outcome {
  const { maxTimeoutSeconds } = fields;
  if (!isTimeout(maxTimeoutSeconds) || hasOwnDomain(fields, fields.network)) return 'skip';
  return passIf(
    maxTimeoutSeconds >= MIN_TIMEOUT_SECONDS && maxTimeoutSeconds <= MAX_TIMEOUT_SECONDS,
    () =>
      `maxTimeoutSeconds is ${String(maxTimeoutSeconds)}; it should be from ${String(MIN_TIMEOUT_SECONDS)} to ${String(MAX_TIMEOUT_SECONDS)}.`,
  );
}

/** Rules for the asset, payee and timeout of each version 2 option. */
export const V2_ASSET_PAYEE_RULES: readonly Rule[] = [
  {
    id: 'v2-asset-shape',
    level: ['payable', 'error'],
    requirement: 'Every asset is a token address on its network.',
    fix: 'Set asset to the contract address, mint or id of the token on that network, without a CAIP-19 prefix.',
    reference: { source: 'V2', clause: '5.1.2, asset' },
    check: checkEachCompleted(checkAssetShape),
  },
  {
    id: 'v2-asset-checksum',
    level: ['hygiene', 'warning'],
    requirement: 'Every asset on an EVM network has a valid checksum.',
    fix: 'Copy the token address exactly as its issuer publishes it, with upper- and lower-case letters.',
    reference: { source: 'EIP55', clause: '' },
    check: checkEachCompleted(checkAssetChecksum),
  },
  {
    id: 'v2-asset-usdc',
    level: ['payable', 'error'],
    requirement: 'Every token that is named USDC is the USDC of its network.',
    fix: 'Set asset to the USDC of the network, or extra.name to the name of the token.',
    check: checkEachCompleted(checkAssetUsdc),
  },
  {
    id: 'v2-asset-network',
    level: ['payable', 'error'],
    requirement: 'Every asset is a token of its own network, not of another one.',
    fix: 'Use the address of the token on the network of the option.',
    reference: { source: 'V2', clause: '11.2' },
    check: checkEachCompleted(checkAssetNetwork),
  },
  {
    id: 'v2-payto-shape',
    level: ['payable', 'error'],
    requirement: 'Every payTo is an address on its network.',
    fix: 'Set payTo to the address of the seller on that network.',
    reference: { source: 'V2', clause: '5.1.2, payTo' },
    check: checkEachCompleted(checkPayToShape),
  },
  {
    id: 'v2-payto-checksum',
    level: ['hygiene', 'warning'],
    requirement: 'Every payTo on an EVM network has a valid checksum.',
    fix: 'Copy the wallet address with its upper- and lower-case letters, and make sure that it is the right wallet.',
    reference: { source: 'EIP55', clause: '' },
    check: checkEachCompleted(checkPayToChecksum),
  },
  {
    id: 'v2-payto-burn',
    level: ['payable', 'error'],
    requirement: 'Every payTo is an address with an owner, not a burn address.',
    fix: 'Set payTo to a wallet whose key the seller holds.',
    check: checkEachV2Option(checkPayToBurn),
  },
  {
    id: 'v2-payto-is-asset',
    level: ['payable', 'error'],
    requirement: 'Every payTo differs from the contract of the payment token.',
    fix: 'Set payTo to the address of the seller, not to the token contract.',
    check: checkEachCompleted(checkPayToIsAsset),
  },
  {
    id: 'v2-timeout-number',
    level: ['payable', 'error'],
    requirement: 'Every timeout is a positive whole number of seconds.',
    fix: 'Set maxTimeoutSeconds to a JSON number of whole seconds, such as 60.',
    reference: { source: 'V2', clause: '5.1.2, maxTimeoutSeconds' },
    check: checkEachV2Option(checkTimeout),
  },
  {
    id: 'v2-timeout-range',
    level: ['hygiene', 'warning'],
    requirement: 'Every timeout is between 10 seconds and one hour.',
    fix: 'Set maxTimeoutSeconds to 10 or more, so that buyers have time to pay, and to 3600 or less, so that signatures expire soon.',
    check: (input) => {
      const expiry = raiseIfUnpayable(checkEachV2Option(checkExpiry))(input);
      return typeof expiry === 'object' ? expiry : checkEachV2Option(checkTimeoutRange)(input);
    },
  },
];
