/** How an address or asset looks for its network; `unknown` where this project knows no shape to hold it to. */
export type Shape = 'ok' | 'caip19' | 'bad' | 'unknown';

interface Shapes {
  readonly asset: RegExp;
  readonly payTo: RegExp;
}

const EVM = /^0x[0-9a-fA-F]{40}$/;
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/** By CAIP-2 namespace. Source: x402 exact scheme specifications (EVM, SVM) and the address formats of the chains. */
const SHAPES = new Map<string, Shapes>([
  ['eip155', { asset: EVM, payTo: EVM }],
  ['solana', { asset: BASE58, payTo: BASE58 }],
  ['algorand', { asset: /^[0-9]{1,20}$/, payTo: /^[A-Z2-7]{58}$/ }],
  ['stellar', { asset: /^C[A-Z2-7]{55}$/, payTo: /^[GC][A-Z2-7]{55}$/ }],
]);

/** Addresses nobody can spend from: what is paid to them is destroyed. */
const BURN = new Set([
  '0x0000000000000000000000000000000000000000',
  '0x000000000000000000000000000000000000dead',
  '0xdead000000000000000042069420694206942069',
  '11111111111111111111111111111111',
  '1nc1nerator11111111111111111111111111111111',
]);

function shapesOf(network: string): Shapes | undefined {
  return SHAPES.get(network.slice(0, Math.max(0, network.indexOf(':'))));
}

/**
 * @param network CAIP-2 id
 * @param asset as advertised; a CAIP-19 id is `caip19`, which clients do not understand
 */
export function assetShape(network: string, asset: string): Shape {
  const shapes = shapesOf(network);
  if (shapes === undefined) return 'unknown';
  if (shapes.asset.test(asset)) return 'ok';
  return asset.startsWith(`${network}/`) ? 'caip19' : 'bad';
}

/**
 * @param network CAIP-2 id
 * @param payTo as advertised
 */
export function payToShape(network: string, payTo: string): Shape {
  const shapes = shapesOf(network);
  if (shapes === undefined) return 'unknown';
  return shapes.payTo.test(payTo) ? 'ok' : 'bad';
}

/** True for the address of an EVM account or contract, whatever its checksum. */
export function isEvmAddress(value: unknown): value is string {
  return typeof value === 'string' && EVM.test(value);
}

/** True for a Solana address or mint. */
export function isBase58Address(value: unknown): value is string {
  return typeof value === 'string' && BASE58.test(value);
}

/** True when money sent there is destroyed. */
export function isBurnAddress(payTo: string): boolean {
  return BURN.has(payTo.startsWith('0x') ? payTo.toLowerCase() : payTo);
}
