const SPECS = 'https://github.com/x402-foundation/x402/blob/main/specs';

/**
 * Sources that the rules cite: protocol documents, the reference clients, the CDP directory, and Touchstone's own
 * judgement.
 */
export const SOURCES = {
  V2: { title: 'x402 v2 specification', url: `${SPECS}/x402-specification-v2.md` },
  V2_HTTP: { title: 'x402 v2 HTTP transport', url: `${SPECS}/transports-v2/http.md` },
  V1: { title: 'x402 v1 specification', url: `${SPECS}/x402-specification-v1.md` },
  V1_HTTP: { title: 'x402 v1 HTTP transport', url: `${SPECS}/transports-v1/http.md` },
  EXACT_EVM: { title: 'x402 exact scheme on EVM', url: `${SPECS}/schemes/exact/scheme_exact_evm.md` },
  EXACT_SVM: { title: 'x402 exact scheme on Solana', url: `${SPECS}/schemes/exact/scheme_exact_svm.md` },
  BAZAAR: { title: 'x402 discovery extension', url: `${SPECS}/extensions/bazaar.md` },
  SIWX: { title: 'x402 sign-in-with-x extension', url: `${SPECS}/extensions/sign-in-with-x.md` },
  PAYMENT_ID: {
    title: 'x402 payment-identifier extension',
    url: `${SPECS}/extensions/payment_identifier.md`,
  },
  BUILDER_CODE: { title: 'x402 builder-code extension', url: `${SPECS}/extensions/builder_code.md` },
  V2_CLIENT: {
    title: 'version 2 client, @x402/core and @x402/evm 2.27',
    url: 'https://www.npmjs.com/package/@x402/core/v/2.27.0',
  },
  SVM_CLIENT: {
    title: 'version 2 client on Solana, @x402/svm 2.27',
    url: 'https://www.npmjs.com/package/@x402/svm/v/2.27.0',
  },
  V1_CLIENT: {
    title: 'version 1 client, x402 and x402-fetch 1.2',
    url: 'https://www.npmjs.com/package/x402/v/1.2.0',
  },
  CDP: { title: 'CDP discovery directory', url: 'https://docs.cdp.coinbase.com/x402/bazaar' },
  CAIP2: { title: 'CAIP-2', url: 'https://chainagnostic.org/CAIPs/caip-2' },
  CAIP19: { title: 'CAIP-19', url: 'https://chainagnostic.org/CAIPs/caip-19' },
  EIP55: { title: 'ERC-55', url: 'https://eips.ethereum.org/EIPS/eip-55' },
  EIP712: { title: 'EIP-712', url: 'https://eips.ethereum.org/EIPS/eip-712' },
  HTTP: { title: 'RFC 9110', url: 'https://www.rfc-editor.org/rfc/rfc9110' },
  CACHING: { title: 'RFC 9111', url: 'https://www.rfc-editor.org/rfc/rfc9111' },
  JSON: { title: 'RFC 8259', url: 'https://www.rfc-editor.org/rfc/rfc8259' },
  CORS: { title: 'Fetch standard', url: 'https://fetch.spec.whatwg.org/' },
  TOUCHSTONE: { title: "Touchstone's own rule", url: '' },
} as const;

/** Citation of one clause of a source. Reports and the command line print it with each rule. */
export interface Reference {
  readonly source: keyof typeof SOURCES;
  /** Section or member, as in `5.1.2` or `decodePaymentRequiredHeader`; empty for the whole document. */
  readonly clause: string;
}

/** Formats a reference as one line: title, clause and URL. */
export function describeReference({ source, clause }: Reference): string {
  const { title, url } = SOURCES[source];
  const citation = clause === '' ? title : `${title}, ${clause}`;
  return url === '' ? citation : `${citation}: ${url}`;
}
