import {
  createChallenge,
  createChallengeV1,
  type DescribedOperation,
  type PaymentRequiredV1,
} from '@touchstone/contract';
import { findCanonicalUsdc, findNetwork } from '@touchstone/x402';
import type { PaymentRequired } from '@x402/core/types';
import { getAddress } from 'viem';
import { readPathParameters } from '../request/read-input.ts';
import type { SellerOptions } from '../types.ts';

/** A paid operation, and the path of one request for this operation. */
export interface OperationTarget {
  readonly operation: DescribedOperation;
  readonly path: string;
}

/** Challenge of an operation, in both versions of x402. */
export interface Challenge {
  readonly v2: PaymentRequired;
  /** Null on a network that the clients of version 1 do not know. */
  readonly v1: PaymentRequiredV1 | null;
}

export type ChallengeOptions = Pick<SellerOptions, 'network' | 'payTo' | 'baseUrl' | 'maxTimeoutSeconds'>;

/**
 * Returns the USDC of a network.
 * @throws Error when no USDC with EIP-3009 support is known on the network
 */
export function findToken(network: string) {
  const token = findCanonicalUsdc(network);
  if (token === null || token.domain === null || token.isPermit2Only || !/^eip155:\d+$/.test(network)) {
    throw new Error(`X402_NETWORK: no USDC with EIP-3009 support is known on ${network}`);
  }
  // The casts are safe: the pattern above checks the network, and the token table contains addresses only.
  const caip2 = network as `eip155:${number}`;
  const asset = token.asset as `0x${string}`;
  return { ...token, network: caip2, asset, domain: token.domain };
}

/**
 * Returns a function that creates the challenge of an operation. This challenge does not contain the secret of a
 * purchase yet. All requests for a path without variable parts get the same challenge, so this challenge is created
 * only once.
 * @param baseUrl public origin of the service. The Host header of a request is untrusted and not used.
 */
export function openChallenges({ network, payTo, maxTimeoutSeconds }: ChallengeOptions, baseUrl: string) {
  const token = findToken(network);
  const terms = {
    ...token,
    // The address is written with its checksum (EIP-55), because some clients refuse an address in lower case.
    payTo: getAddress(payTo),
    validitySeconds: maxTimeoutSeconds,
  };
  const known = findNetwork(token.network);
  const v1Name = known?.isInV1Client === true ? known.v1Name : undefined;
  const challenges = new Map<DescribedOperation, Challenge>();

  function create({ operation, path }: OperationTarget): Challenge {
    const values = readPathParameters(operation.path, path);
    const parameters = operation.parameters.map((parameter) => ({
      ...parameter,
      example: values[parameter.name] ?? parameter.example,
    }));
    const challenge = createChallenge({ ...operation, parameters }, baseUrl, terms);
    const { resource, accepts, ...rest } = challenge;
    const v2 = {
      ...rest,
      resource: { ...resource, url: `${baseUrl}${path}` },
      accepts: accepts.map((offer) => ({ ...offer, network: token.network })),
    };
    return { v2, v1: v1Name === undefined ? null : createChallengeV1(operation, v2, v1Name) };
  }

  return (target: OperationTarget): Challenge => {
    const { operation, path } = target;
    const known = path === operation.path ? challenges.get(operation) : undefined;
    if (known !== undefined) return known;
    const challenge = create(target);
    if (path === operation.path) challenges.set(operation, challenge);
    return challenge;
  };
}
