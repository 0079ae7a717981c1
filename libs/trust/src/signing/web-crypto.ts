/**
 * The functions of `crypto.subtle` that signing uses, in browsers and in Node. They are passed as an argument, because this
 * package performs no I/O and uses no platform globals.
 */
export type Subtle = Pick<InstanceType<typeof SubtleCrypto>, 'digest' | 'importKey' | 'sign' | 'verify'>;

/** Name of the algorithm in WebCrypto, in report signatures and in JOSE (RFC 9864). */
export const ED25519 = 'Ed25519';
