/**
 * Kind of a failed RPC call. It determines how the caller reacts.
 *
 * - `too-large`: the result would be too large. Request a smaller range.
 * - `slow`: the call timed out. Request a smaller range, or use another provider.
 * - `rate-limited`: the provider demands a pause. Retry after the pause.
 * - `unavailable`: the provider did not send a usable response. Retry.
 * - `unusable`: the provider's responses are wrong or incomplete. Use another provider.
 * - `reverted`: the called contract refused the call. Other providers would return the same.
 */
export type RpcFailureKind = 'too-large' | 'slow' | 'rate-limited' | 'unavailable' | 'unusable' | 'reverted';

/**
 * Texts and codes of JSON-RPC errors by kind. The first kind that matches counts: a text about a range often names rates
 * too. Sources: error references of Alchemy, Ankr, dRPC, Infura and QuickNode, the codes of proxyd, which serves the
 * public RPC URLs of Base and other OP Stack networks, and EIP-4444 (deleted blocks).
 */
const RPC_ERRORS: readonly {
  readonly kind: RpcFailureKind;
  readonly text: RegExp;
  readonly codes: readonly number[];
}[] = [
  // The first kind, because the contract chooses the rest of the text, and the text could name any other kind.
  { kind: 'reverted', text: /^(?:vm (?:exception|execution)|execution reverted)/i, codes: [3] },
  {
    // A server that lags behind the other servers of its provider lacks the last blocks.
    kind: 'unavailable',
    text: /header not found|unknown block|beyond (the )?(current|latest|head)|not available for slot|blocks specified in filter|in progress/i,
    codes: [],
  },
  { kind: 'unusable', text: /\bpruned\b/i, codes: [4_444] },
  {
    kind: 'too-large',
    text: /\branges?\b|too (large|big|wide)|too many (results|logs|blocks|addresses|topics)|more than [\d,]+ (results|logs|blocks)|(response|result) size|max(imum)? results|addresses or topics/i,
    codes: [-32_614, -32_020],
  },
  {
    kind: 'rate-limited',
    text: /too many requests|rate.?limit|request (rate|limit|count)|per second|compute units|throughput|over capacity/i,
    codes: [429, -32_012, -32_016, -32_029, -32_097],
  },
  { kind: 'slow', text: /time(d )?.?out|query duration/i, codes: [-32_015] },
  {
    kind: 'unavailable',
    text: /internal (server )?error|tempora|unavailable|upstream|backend|unhealthy|behind|try again|retry|overload/i,
    codes: [-32_603, -32_002, -32_010, -32_011, -32_013, -32_018],
  },
];

/** Error of a JSON-RPC response. */
export interface RpcError {
  readonly code?: number | undefined;
  readonly message?: string | undefined;
}

/**
 * Returns the kind of a JSON-RPC error. An unknown error counts as a request that was too large, because error texts
 * differ between providers: a smaller request shows if the size was the cause.
 *
 * @param status HTTP status of the response. An unknown error with a status from 500 counts as `unavailable`.
 */
export function classifyRpcError({ code, message = '' }: RpcError, status: number): RpcFailureKind {
  const known = RPC_ERRORS.find(
    ({ text, codes }) => text.test(message) || (code !== undefined && codes.includes(code)),
  );
  return known?.kind ?? (status >= 500 ? 'unavailable' : 'too-large');
}
