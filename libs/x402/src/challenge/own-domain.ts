import { readMember } from '../json/untrusted-json.ts';
import { findToken } from '../networks/tokens.ts';
import type { Entry } from './envelope.ts';

/** EIP-712 domain name of Circle Gateway, which settles many payments from deposits. Source: Circle Gateway. */
const GATEWAY_NAME = 'GatewayWalletBatched';

/** Members of a payment option that decide the EIP-712 domain of its payments. */
type DomainMembers = Pick<Entry, 'asset' | 'extra'>;

/** Returns true for a payment option for Circle Gateway. */
export function isForGateway({ extra }: Pick<DomainMembers, 'extra'>): boolean {
  return readMember(extra, 'name') === GATEWAY_NAME;
}

/**
 * Returns true for a payment option of scheme `exact` whose payments are signed for another contract than the token on
 * purpose: an option for Circle Gateway, or an option that names another `verifyingContract` and another domain than
 * the token. Clients without support for this contract sign for the token, and that payment fails. So the rules for
 * EIP-3009 payments of a token do not apply to such an option.
 *
 * @param network CAIP-2 id
 */
export function hasOwnDomain(option: DomainMembers, network: unknown): boolean {
  const { asset, extra } = option;
  // Version 2 clients sign Permit2 payments with the domain of the Permit2 contract, whatever the option names.
  if (readMember(extra, 'assetTransferMethod') === 'permit2') return false;
  if (isForGateway(option)) return true;
  const contract = readMember(extra, 'verifyingContract');
  if (typeof contract !== 'string' || typeof asset !== 'string' || typeof network !== 'string') return false;
  if (contract === '' || contract.toLowerCase() === asset.toLowerCase()) return false;
  const domain = findToken(network, asset)?.domain;
  return domain?.name !== readMember(extra, 'name') || domain?.version !== readMember(extra, 'version');
}

/** Formats the consequence for clients that select a payment option with a domain of its own, without a full stop. */
export function describeOwnDomain(option: DomainMembers): string {
  const client = isForGateway(option)
    ? 'a client with Circle Gateway'
    : 'a client that supports the verifyingContract in extra';
  return `Only ${client} pays this option. Other clients sign for the token, and that payment fails`;
}
