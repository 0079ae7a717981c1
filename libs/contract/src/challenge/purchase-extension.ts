/** Name of the challenge extension with the secret that identifies a buyer. */
export const PURCHASE_EXTENSION = 'touchstone-purchase';

/** Limits of the length of the secret, in characters. */
export const PURCHASE_ID_LENGTH = { min: 22, max: 128 } as const;

/** Creates the challenge extension with the secret that identifies a buyer. Clients repeat it in their payment. */
export function createPurchaseExtension(id: string) {
  const schema = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
  return { [PURCHASE_EXTENSION]: { info: { id }, schema } };
}
