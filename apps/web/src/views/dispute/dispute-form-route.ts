import { BodyTooLargeError, readBoundedText } from '@touchstone/common';
import { MAX_BODY_BYTES } from '@touchstone/contract';
import { disputeInputSchema } from '@touchstone/contract/operations/dispute/schemas';
import { createDispute } from '@touchstone/pipeline/disputes/create-dispute';
import { disputeLimiter } from '../../api/rate-limit/limiters.ts';
import { route } from '../../api/route.ts';
import { getDisputeContext } from '../../operations/dispute-context.ts';
import { formatFields, readFields, type DisputeFields } from './dispute-fields.ts';
import { toRequestBody } from './prepare-dispute.ts';

/** Stores the dispute of a sent form, and redirects to the page that shows it, or back to the form with its problem. */
async function respondToForm(request: Request): Promise<Response> {
  const form = new URLSearchParams(await readForm(request));
  const fields = readFields(form);
  const [signature, signedAt] = ['signature', 'signed_at'].map((name) => form.get(name)?.trim() ?? '');
  const body = toRequestBody(fields, { signature: signature ?? '', signedAt: signedAt ?? '' });
  const parsed = disputeInputSchema.safeParse({ body, query: {} });
  if (!parsed.success) return redirectToForm(fields, String(parsed.error.issues[0]?.path.at(-1)));
  const result = await createDispute(getDisputeContext(), parsed.data, null);
  if (result.kind === 'problem') {
    const [mistake] = result.errors ?? [];
    return redirectToForm(fields, mistake?.path.split('.').at(-1) ?? result.code);
  }
  const { endpoint_page: page, dispute_id: id } = result.body;
  return redirect(`${new URL(page).pathname}#${id}`);
}

async function readForm(request: Request): Promise<string> {
  try {
    return await readBoundedText(request.body, MAX_BODY_BYTES);
  } catch (error) {
    if (error instanceof BodyTooLargeError) return '';
    throw error;
  }
}

function redirectToForm(fields: DisputeFields, problem: string): Response {
  return redirect(`/dispute?${formatFields({ ...fields, problem })}`);
}

/** Redirects the browser with GET, so that reloading the page does not send the form again. */
function redirect(location: string): Response {
  return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } });
}

/** Handlers of the form, which the proxy sends here. */
export const disputeFormRoute = route({ POST: respondToForm }, { limiter: disputeLimiter });
