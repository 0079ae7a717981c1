import {
  chooseBulkSize,
  findOperation,
  MAX_BODY_BYTES,
  MAX_BULK_RESOURCES,
  toBulkPath,
  type BulkSize,
} from '@touchstone/contract';
import { parseUsd } from '../buy/quote/usdc-amount.ts';

/** One purchase of a list: the URLs of one request. */
export interface BulkPurchase {
  readonly resources: readonly string[];
  readonly path: string;
  /** Price of the contract, in atomic units of USDC. */
  readonly price: bigint;
}

/** Length of an empty request body, `{"resources":[]}`, in bytes. */
const EMPTY_BODY_BYTES = 16;

/**
 * Divides a list of URLs into purchases. Each has at most 500 URLs and a body of at most 64 KiB, and uses the smallest
 * operation that fits.
 */
export function planPurchases(resources: readonly string[]): readonly BulkPurchase[] {
  const groups: string[][] = [];
  let bytes = Infinity;
  for (const resource of resources) {
    const added = Buffer.byteLength(JSON.stringify(resource)) + 1;
    const group = groups.at(-1);
    if (group === undefined || group.length >= MAX_BULK_RESOURCES || bytes + added > MAX_BODY_BYTES) {
      groups.push([resource]);
      bytes = EMPTY_BODY_BYTES + added;
    } else {
      group.push(resource);
      bytes += added;
    }
  }
  return groups.map(createPurchase);
}

function createPurchase(resources: readonly string[]): BulkPurchase {
  const size = chooseBulkSize(resources.length);
  return { resources, path: toBulkPath(size), price: findBulkPrice(size) };
}

/** Returns the price of a bulk operation, in atomic units of USDC. */
export function findBulkPrice(size: BulkSize): bigint {
  const path = toBulkPath(size);
  const price = parseUsd(findOperation('POST', path)?.priceUsd ?? '');
  if (price === null) throw new Error(`The contract has no price for ${path}`);
  return price;
}
