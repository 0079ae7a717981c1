/** Statement of a payer about what it got for a payment. Each value is exactly the value in the request. */
export interface OutcomeStatement {
  /** Origin of this service, such as `https://touchstone.example`. */
  readonly origin: string;
  readonly resource: string;
  /** CAIP-2 id of an EVM network. */
  readonly network: string;
  readonly payer: string;
  /** Nonce of the authorization (EIP-3009); null if `transaction` names the payment. */
  readonly nonce: string | null;
  readonly transaction: string | null;
  readonly delivered: boolean;
  /** Status of the response to the paid request; null without a response. */
  readonly httpStatus: number | null;
  /** SHA-256 of the response body in hex; null if the payer did not compute it. */
  readonly bodySha256: string | null;
  /** ISO 8601, UTC, with milliseconds. */
  readonly observedAt: string;
}

/** Domain (EIP-712) of an outcome. */
export const OUTCOME_DOMAIN = { name: 'Touchstone outcome', version: '1' } as const;

const TYPES = {
  Outcome: [
    { name: 'service', type: 'string' },
    { name: 'resource', type: 'string' },
    { name: 'network', type: 'string' },
    { name: 'payer', type: 'address' },
    { name: 'nonce', type: 'bytes32' },
    { name: 'transaction', type: 'bytes32' },
    { name: 'delivered', type: 'bool' },
    { name: 'httpStatus', type: 'uint16' },
    { name: 'bodySha256', type: 'bytes32' },
    { name: 'observedAt', type: 'string' },
  ],
} as const;

/** Type of an outcome, as EIP-712 encodes it. */
export const OUTCOME_TYPE = `Outcome(${TYPES.Outcome.map(({ name, type }) => `${type} ${name}`).join(',')})`;

const ZERO_WORD: `0x${string}` = `0x${'0'.repeat(64)}`;

/**
 * Returns the typed data (EIP-712) that a payer signs to report an outcome. The domain has no chain id, because the
 * message names the network: a wallet signs it on any network. The message names the service, so the signature is valid
 * for no other service. EIP-712 has no null: zero stands for a missing value.
 */
export function createOutcomeTypedData(statement: OutcomeStatement) {
  const { origin, httpStatus, bodySha256, resource, network, delivered, observedAt } = statement;
  return {
    domain: OUTCOME_DOMAIN,
    types: TYPES,
    primaryType: 'Outcome',
    message: {
      service: origin,
      resource,
      network,
      payer: toHex(statement.payer),
      nonce: statement.nonce === null ? ZERO_WORD : toHex(statement.nonce),
      transaction: statement.transaction === null ? ZERO_WORD : toHex(statement.transaction),
      delivered,
      httpStatus: httpStatus ?? 0,
      bodySha256: bodySha256 === null ? ZERO_WORD : toHex(`0x${bodySha256}`),
      observedAt,
    },
  } as const;
}

/** Returns a hexadecimal text in lower case, because signing programs refuse a wrong checksum of an address. */
function toHex(text: string): `0x${string}` {
  // The cast is safe: the schema of the request and the callers ensure the prefix.
  return text.toLowerCase() as `0x${string}`;
}
