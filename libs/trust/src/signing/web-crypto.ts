/**
 * The part of WebCrypto that signing needs, as `crypto.subtle` has it in browsers and in Node. It comes as an argument,
 * as everything does that the pure core has not itself.
 */
export type Subtle = Pick<InstanceType<typeof SubtleCrypto>, 'digest' | 'importKey' | 'sign' | 'verify'>;

/** Name of the algorithm in WebCrypto, in a report's signature and, by RFC 9864, in JOSE. */
export const ED25519 = 'Ed25519';
