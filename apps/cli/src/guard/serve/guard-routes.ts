import { createHash } from 'node:crypto';
import { formatIssue } from '@touchstone/contract';
import { type Action, type Decision, type Guard, readChallengeParts } from '@touchstone/guard';
import { z } from 'zod';
import { type Handler, RequestError, type Routes } from './loopback-server.ts';

const url = z.url({ protocol: /^https?$/ });
const method = z
  .string()
  .regex(/^[A-Za-z]{1,20}$/)
  .default('GET');
/** Challenge: the header PAYMENT-REQUIRED as text, or the body of a 402 response as an object. */
const challenge = z.union([z.string().min(1), z.looseObject({})]);

const checkSchema = z.strictObject({ url, payment_required: challenge });

const authorizeSchema = z
  .strictObject({
    url,
    method,
    payment: z.string().min(1),
    payment_required: challenge.optional(),
    body: z.string().optional(),
    body_sha256: z
      .string()
      .regex(/^[0-9a-fA-F]{64}$/)
      .nullable()
      .optional(),
  })
  .refine(({ body, body_sha256 }) => body === undefined || body_sha256 === undefined, {
    path: ['body'],
    error: 'must be left out if body_sha256 is given',
  });

const recordSchema = z.strictObject({
  /** Null or empty for a payment to the service itself, which is not recorded. */
  id: z.string().nullable(),
  status: z.int().min(100).max(599).nullable(),
  content_length: z.int().min(0).nullable().default(null),
  payment_response: z.string().nullable().default(null),
});

/**
 * Creates the routes of `touchstone guard serve`. A refused payment is no error, but a result with the action `abort`.
 *
 * @param facts members of the response of `GET /health`
 * @param onDecision receives each decision on a signed payment
 */
export function createGuardRoutes(
  guard: Guard,
  facts: object,
  onDecision: (decision: Decision) => void,
): Routes {
  return {
    'GET /health': () => ({ status: 'ok', ...facts }),
    'GET /spending': async () => {
      const { totalUsd, lastDay, hosts, days } = await guard.spending();
      return { total_usd: totalUsd, last_day: lastDay, hosts, days };
    },
    'POST /check': withValues(checkSchema, (values) => checkOffers(guard, values)),
    'POST /authorize': withValues(authorizeSchema, async (values) => {
      const { decision, id, payment } = await guard.authorize({
        ...{ url: values.url, method: values.method.toUpperCase(), payment: values.payment },
        ...{ bodySha256: hashBody(values), challenge: values.payment_required },
      });
      onDecision(decision);
      return { action: decision.action, reasons: decision.reasons, id, payment };
    }),
    'POST /record': withValues(recordSchema, async ({ id, status, ...values }) => {
      if (id === null || id === '') return { recorded: false };
      const response = {
        status,
        contentLength: values.content_length,
        paymentResponse: values.payment_response,
      };
      if (!(await guard.record(id, response)))
        throw new RequestError(404, `There is no payment ${id}. Send the id that /authorize returned.`);
      return { recorded: true };
    }),
  };
}

/** Creates a handler of validated values. */
function withValues<T>(schema: z.ZodType<T>, handle: (values: T) => Promise<object>): Handler {
  return (body) => {
    const result = schema.safeParse(body);
    if (result.success) return handle(result.data);
    const [issue] = result.error.issues;
    throw new RequestError(400, issue === undefined ? 'The values are not valid.' : formatIssue(issue, body));
  };
}

/** Returns the SHA-256 of the body of a request in hex; null for a body that the client could not hash. */
function hashBody({ body, body_sha256: hash }: z.output<typeof authorizeSchema>): string | null {
  if (hash !== undefined) return hash?.toLowerCase() ?? null;
  return createHash('sha256')
    .update(body ?? '')
    .digest('hex');
}

/** Maximum number of checked offers, as in the wrappers of the guard. Each one may cost a request to the service. */
const MAX_OFFERS = 10;
const MILDEST_FIRST: readonly Action[] = ['pay', 'warn', 'abort'];

/** Decides on the offers of a challenge. The action is that of the mildest decision, because the program may choose. */
async function checkOffers(
  guard: Guard,
  { url, payment_required: source }: z.output<typeof checkSchema>,
): Promise<object> {
  const isHeader = typeof source === 'string';
  const read = readChallengeParts(isHeader ? source : null, isHeader ? undefined : source);
  const offers = read.kind === 'offers' ? read.offers.slice(0, MAX_OFFERS) : [];
  if (offers.length === 0)
    throw new RequestError(
      400,
      '`payment_required` has no payment options that can be read. Send the header PAYMENT-REQUIRED as text, or the body of the 402 response as an object.',
    );
  const checked = await Promise.all(
    offers.map(async (offer) => {
      const { action, reasons } = await guard.check({ url, ...offer });
      const { network, asset, amount, payTo } = offer;
      return { network, asset, amount, pay_to: payTo, action, reasons };
    }),
  );
  const action = MILDEST_FIRST.find((each) => checked.some((offer) => offer.action === each));
  return { action, offers: checked };
}
