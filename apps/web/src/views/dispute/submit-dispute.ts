import { disputeInputSchema } from '@touchstone/contract/operations/dispute/schemas';
import { createDispute } from '@touchstone/pipeline/disputes/create-dispute';
import { createFormHandler } from '../../api/form-route.ts';
import { disputeLimiter } from '../../api/rate-limit/limiters.ts';
import { getWalletContext } from '../../operations/wallet-context.ts';
import { formatFields, readFields } from './dispute-fields.ts';
import { toRequestBody } from './prepare-dispute.ts';

/** Stores the dispute of a sent form, and redirects to the page that shows it, or back to the form with its problem. */
export const submitDispute = createFormHandler({
  limiter: disputeLimiter,
  submit: store,
  toFormPath: (form, { code }) => toFormPath(form, code),
});

async function store(form: URLSearchParams): Promise<string> {
  const [signature, signedAt] = ['signature', 'signed_at'].map((name) => form.get(name)?.trim() ?? '');
  const body = toRequestBody(readFields(form), { signature: signature ?? '', signedAt: signedAt ?? '' });
  const parsed = disputeInputSchema.safeParse({ body, query: {} });
  if (!parsed.success) return toFormPath(form, String(parsed.error.issues[0]?.path.at(-1)));
  const result = await createDispute(getWalletContext(), parsed.data, null);
  if (result.kind === 'problem') {
    const [mistake] = result.errors ?? [];
    return toFormPath(form, mistake?.path.split('.').at(-1) ?? result.code);
  }
  const { endpoint_page: page, dispute_id: id } = result.body;
  return `${new URL(page).pathname}#${id}`;
}

/** Returns the path of the form with its values. @param problem field with a mistake, or the code of a problem */
function toFormPath(form: URLSearchParams, problem: string): string {
  return `/dispute?${formatFields({ ...readFields(form), problem })}`;
}
