import { readMember, readText } from '@touchstone/x402/json';
import { fetchJson } from '../statement/fetch-json.ts';
import { toAuthorization, type Trace, type TracedAuthorization } from './trace.ts';

interface RpcTraceOptions {
  /** URL of a JSON-RPC provider for each network (CAIP-2 id). */
  readonly urls: ReadonlyMap<string, URL>;
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
}

const PERMIT2 = '0x000000000022d473030f116ddee9f6b43ac78ba3';
/** Selector of `authorizationState(address,bytes32)` (EIP-3009). */
const AUTHORIZATION_STATE = '0xe94a0102';
/** Selector of `nonceBitmap(address,uint256)` (Permit2). */
const NONCE_BITMAP = '0x4fe02b44';
/** Number of blocks after which a block counts as confirmed. */
const CONFIRMATIONS = 12n;
const MAX_RESPONSE_BYTES = 1_048_576;
const ADDRESS = /^0x[0-9a-f]{40}$/;
const WORD = /^0x[0-9a-f]{64}$/;
const QUANTITY = /^0x[0-9a-f]{1,64}$/;
const DECIMAL = /^[0-9]{1,78}$/;

/**
 * Creates a function that reads the state of a payment from the operator's own JSON-RPC provider. A used nonce counts as
 * settled, because only the payer can cancel an authorization.
 */
export function createRpcTrace({ urls, fetch, timeoutMs }: RpcTraceOptions): Trace {
  return async (payment) => {
    const authorization = toAuthorization(payment);
    const url = urls.get(authorization?.network ?? '');
    if (authorization === null || url === undefined) return null;
    const call = async (method: string, params: readonly unknown[]): Promise<unknown> => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      const result = await fetchJson({ fetch, url, body, timeoutMs, maxBytes: MAX_RESPONSE_BYTES });
      return 'problem' in result ? undefined : readMember(result.value, 'result');
    };
    const query = toNonceCall(authorization);
    if (query === null) return null;
    const head = readQuantity(await call('eth_blockNumber', []));
    if (head === null || head < CONFIRMATIONS) return null;
    const latest = query.isUsed(await call('eth_call', [query.call, 'latest']));
    if (latest === null) return null;
    if (latest) return { state: 'settled', transaction: null };
    const number = `0x${(head - CONFIRMATIONS).toString(16)}`;
    const [block, confirmed] = await Promise.all([
      call('eth_getBlockByNumber', [number, false]),
      call('eth_call', [query.call, number]),
    ]);
    const seconds = readQuantity(readText(block, 'timestamp'));
    if (seconds === null || query.isUsed(confirmed) !== false) return null;
    const { validBefore } = authorization;
    const isExpired = validBefore !== null && seconds * 1_000n >= BigInt(validBefore);
    return { state: isExpired ? 'expired' : 'open', transaction: null };
  };
}

interface NonceCall {
  readonly call: { readonly to: string; readonly data: string };
  /** Returns true if the result shows that the nonce was used; null for a result that cannot be read. */
  readonly isUsed: (result: unknown) => boolean | null;
}

/** Creates the call that reads whether a nonce was used. Returns null for malformed values. */
function toNonceCall({ payer, nonce, asset }: TracedAuthorization): NonceCall | null {
  const [owner, token, text] = [payer.toLowerCase(), asset.toLowerCase(), nonce.toLowerCase()];
  if (!ADDRESS.test(owner)) return null;
  const account = owner.slice(2).padStart(64, '0');
  if (WORD.test(text)) {
    if (!ADDRESS.test(token)) return null;
    const data = `${AUTHORIZATION_STATE}${account}${text.slice(2)}`;
    return { call: { to: token, data }, isUsed: (result) => readBit(result, 0n) };
  }
  if (!DECIMAL.test(text)) return null;
  const value = BigInt(text);
  const word = (value >> 8n).toString(16).padStart(64, '0');
  const data = `${NONCE_BITMAP}${account}${word}`;
  return { call: { to: PERMIT2, data }, isUsed: (result) => readBit(result, value & 0xffn) };
}

function readBit(result: unknown, position: bigint): boolean | null {
  if (typeof result !== 'string' || !WORD.test(result)) return null;
  return ((BigInt(result) >> position) & 1n) === 1n;
}

function readQuantity(value: unknown): bigint | null {
  return typeof value === 'string' && QUANTITY.test(value) ? BigInt(value) : null;
}
