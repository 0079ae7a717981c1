/**
 * Functions of `crypto.subtle` that signing needs, in browsers and in Node. Callers pass them as an argument, because
 * this package uses no platform globals.
 */
export type Subtle = Pick<InstanceType<typeof SubtleCrypto>, 'digest' | 'importKey' | 'sign' | 'verify'>;

/** Name of the signature algorithm in WebCrypto, in report signatures and in JOSE (RFC 9864). */
export const ED25519 = 'Ed25519';
