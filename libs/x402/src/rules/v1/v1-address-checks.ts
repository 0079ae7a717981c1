import type { Entry } from '../../challenge/envelope.ts';
import { findChecksumFailure } from '../../clients/v1-payment.ts';
import { quote } from '../../json/untrusted-json.ts';
import { checkAssetFormat, checkPayToFormat, isBase58Address, isEvmAddress } from '../../networks/address.ts';
import { isInV1Client, toCaip2 } from '../../networks/networks.ts';
import { completeV1Option } from '../offered-options.ts';
import type { Outcome } from '../rule.ts';
import {
  checkAssetNetwork,
  checkAssetUsdc,
  checkPayToBurn,
  checkPayToIsAsset,
} from '../v2/asset-payee-rules.ts';

/** Returns the CAIP-2 id of a version 1 network; empty when the network is not a string. */
function toCaip2Network({ network }: Entry): string {
  return typeof network === 'string' ? toCaip2(network) : '';
}

/**
 * Returns true for an EVM or base58 address. Version 1 clients accept both kinds on a network that they do not support.
 */
function isAddress(text: string): boolean {
  return isEvmAddress(text) || isBase58Address(text);
}

/** Checks that the payee is an address on its network whose owner can spend the payment. */
export function checkPayTo(fields: Entry): Outcome {
  const { payTo, asset } = fields;
  if (typeof payTo !== 'string' || payTo === '')
    return { message: `payTo is ${quote(payTo)}; it must be the address of the payee.` };
  const network = toCaip2Network(fields);
  const format = checkPayToFormat(network, payTo);
  if (!(format === 'unknown' ? isAddress(payTo) : format === 'valid'))
    return { message: `payTo is ${quote(payTo)}, which is not an address on ${quote(fields.network)}.` };
  const checksumFailure = format === 'unknown' ? null : findChecksumFailure(payTo);
  if (checksumFailure !== null) return { message: checksumFailure };
  const outcome = checkPayToBurn(fields);
  return outcome === 'pass' && typeof asset === 'string'
    ? checkPayToIsAsset({ ...fields, network })
    : outcome;
}

/** Checks that the asset is the address of a token on its network, and the USDC of the network if it is named so. */
export function checkAsset(fields: Entry): Outcome {
  const { asset } = fields;
  if (typeof asset !== 'string' || asset === '')
    return { message: `asset is ${quote(asset)}; it must be a token address.` };
  const format = checkAssetFormat(toCaip2Network(fields), asset);
  if (!(format === 'unknown' ? isAddress(asset) : format === 'valid'))
    return { message: `asset is ${quote(asset)}, which is not a token address on ${quote(fields.network)}.` };
  // The rule `v1-network-enum` reports other networks, which may be the reason why the token is not the right one.
  const network = typeof fields.network === 'string' ? fields.network : '';
  if (!network.includes(':') && !isInV1Client(network.toLowerCase())) return 'pass';
  const option = completeV1Option(fields);
  const outcomes = [checkAssetNetwork(option), checkAssetUsdc(option)];
  return outcomes.find((outcome) => typeof outcome === 'object') ?? 'pass';
}
