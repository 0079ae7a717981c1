import { disputeInputSchema } from '@touchstone/contract/operations/dispute/schemas';
import { listMistakes } from '@touchstone/contract/shared/validation-messages';
import { createDisputeMessage } from '@touchstone/pipeline/disputes/check-wallet-proof';
import { FIELD_LABELS, type DisputeFields } from './dispute-fields.ts';

/** Creates the body of the API request with the values of the form. */
export function toRequestBody(
  { resource, subject, text, wallet }: DisputeFields,
  { signature, signedAt }: { readonly signature: string; readonly signedAt: string },
) {
  return { resource, subject, text, proof: { wallet, signature, signed_at: signedAt } };
}

/** Message to sign; or the mistakes in the values of the form. */
export type PreparedDispute =
  | { readonly kind: 'message'; readonly message: string; readonly signedAt: string }
  | { readonly kind: 'mistakes'; readonly mistakes: readonly string[] };

/** Creates the message that a wallet signs for the values of the form. @param signedAt ISO 8601, UTC */
export function prepareDispute(fields: DisputeFields, baseUrl: string, signedAt: string): PreparedDispute {
  // Any signature of a valid form, because the signature is not known yet.
  const body = toRequestBody(fields, { signature: '0x00', signedAt });
  const parsed = disputeInputSchema.safeParse({ body, query: {} });
  if (!parsed.success) {
    const mistakes = listMistakes(parsed.error.issues, { body, query: {} });
    return { kind: 'mistakes', mistakes: mistakes.map(({ message }) => nameField(message)) };
  }
  const { resource, subject, text, wallet } = fields;
  const message = createDisputeMessage(baseUrl, { resource, subject, text, wallet, signedAt });
  return { kind: 'message', message, signedAt };
}

const LABELS: Readonly<Record<string, string>> = FIELD_LABELS;

/** Replaces the path of a member at the start of a message by the label of its field. */
function nameField(message: string): string {
  return message.replace(/^`body\.(?:proof\.)?(\w+)`/, (path, name: string) => {
    const label = Object.hasOwn(LABELS, name) ? LABELS[name] : undefined;
    return label === undefined ? path : `“${label}”`;
  });
}
