import { MAX_RESOURCE_CHARS } from '@touchstone/common';
import { z } from 'zod';
import { atomicAmount, count, link, slug, text, time, usd } from '../../shared/scalars.ts';
import {
  CHECK_AXES,
  COMPLIANCE_RESULTS,
  EXAMPLE_ASSET,
  EXAMPLE_NETWORK,
  EXAMPLE_PAY_TO,
} from '../../shared/values.ts';

/** Server stacks for which the repaired route is written. */
export const CODE_STACKS = ['express', 'hono', 'next', 'fastapi', 'go'] as const;

/** What the clients of agents do at an endpoint. */
const CLIENT_OUTCOMES = ['pays', 'setting', 'lost', 'refused', 'free', 'unreachable', 'unknown'] as const;

/** Maximum length of a quotation from a response, in UTF-16 code units. */
export const MAX_EXCERPT_CHARS = 300;
/** Maximum length of the decoded PAYMENT-REQUIRED header in a check, in UTF-16 code units. */
export const MAX_TERMS_CHARS = 3_000;
/** Maximum length of the body, and of a decoded header, in a check, in UTF-16 code units. */
export const MAX_BODY_CHARS = 1_000;

const excerpt = z.string().max(MAX_EXCERPT_CHARS);

const client = z.strictObject({
  version: z.union([z.literal(1), z.literal(2)]).describe('Version of the protocol.'),
  scheme: text('name').nullable().describe('Scheme as advertised; null when this version reads no option.'),
  network: text('address')
    .nullable()
    .describe('CAIP-2 id, or the network as advertised; null when this version reads no option.'),
  signs: z.boolean().describe('True if the reference client signs a payment.'),
  arrives: z
    .boolean()
    .describe('True if the client signs, and nothing in the response prevents the payment from settling.'),
  reason: text('sentence')
    .nullable()
    .describe('Why the client signs no payment, or why the payment does not arrive; null without a reason.'),
  settings: z
    .array(text('sentence').describe('Change of a setting.'))
    .describe('Settings that a buyer must change first; empty with default settings.'),
});

const option = z.strictObject({
  scheme: text('name').describe('Scheme as advertised.'),
  network: text('address').describe('Network as a CAIP-2 id where it is known; otherwise as advertised.'),
  asset: text('address').describe('Token as advertised.'),
  assetSymbol: text('name').nullable().describe('Symbol of the token; null for an unknown token.'),
  amount: atomicAmount.nullable().describe('Price in atomic units; null for an unreadable amount.'),
  amountUsd: usd.nullable().describe('Price in US dollars; null for an unknown token or amount.'),
  payTo: text('address').describe('Address that receives the payment, as advertised.'),
  maxTimeoutSeconds: z
    .number()
    .nullable()
    .describe('Validity of a payment in seconds; null if it is missing.'),
});

const evidence = z.strictObject({
  place: text('name').describe(
    'Part of the response, such as "header PAYMENT-REQUIRED", "body" or "status line".',
  ),
  path: text('name')
    .nullable()
    .describe('Member of the JSON in this part, such as accepts[0].network; null for the whole part.'),
  excerpt: excerpt.describe(
    'Quotation, with an ellipsis where it is cut. JSON is decoded. Invisible characters are written as escapes such as \\u{200b}. Unverified text.',
  ),
});

const fault = z.strictObject({
  id: slug.describe('Name of the rule.'),
  axis: z.enum(CHECK_AXES).describe('Subject of the rule.'),
  severity: z.enum(['error', 'warning', 'info']).describe('Severity of the fault.'),
  message: text('sentence').describe('What is wrong. May quote the response, which is unverified.'),
  fix: text('sentence').describe('What the seller should change.'),
  reference: text('sentence').describe('Source of the rule.'),
  evidence: evidence
    .nullable()
    .describe(
      'Part of the response that breaks the rule; null if the fault is an absence, or not in the response.',
    ),
});

const header = z.strictObject({
  name: text('name').describe('Name of the header.'),
  value: excerpt.describe('Value, cut at 300 characters, with escapes as in evidence. Unverified text.'),
});

const response = z.strictObject({
  headers: z.array(header.describe('One header.')).max(20).describe('Headers that matter for payments.'),
  headerBytes: count.describe('Size of all response headers, in bytes.'),
  terms: z
    .string()
    .max(MAX_TERMS_CHARS)
    .nullable()
    .describe('Decoded PAYMENT-REQUIRED header, cut at 3,000 characters; null without one. Unverified text.'),
  body: z
    .string()
    .max(MAX_BODY_CHARS)
    .nullable()
    .describe(
      'Beginning of the body, at most 1,000 characters; null without a body, and for a response without payment terms. Unverified text.',
    ),
});

const limit = z.strictObject({
  subject: text('name').describe('What is measured, such as "Response headers".'),
  measured: count.describe('Measured size.'),
  limit: count.describe('Largest size that this program accepts.'),
  unit: z.enum(['bytes', 'characters']).describe('Unit of both sizes.'),
  isExceeded: z.boolean().describe('True if the measured size is over the limit.'),
  effect: text('sentence').describe('What happens over this limit.'),
});

const timing = z.strictObject({
  resolve: z.number().nullable().describe('Name resolution, in milliseconds.'),
  connect: z.number().nullable().describe('TCP connection, in milliseconds.'),
  tls: z.number().nullable().describe('TLS handshake, in milliseconds.'),
  processing: z
    .number()
    .nullable()
    .describe('Request until the first byte of the response, in milliseconds.'),
  transfer: z.number().nullable().describe('First until last byte of the response, in milliseconds.'),
  total: z.number().describe('Whole request, in milliseconds.'),
});

const tls = z.strictObject({
  protocol: text('name').describe('Protocol version, such as TLSv1.3.'),
  validTo: time
    .nullable()
    .describe('Earliest end of validity in the certificate chain; null if it is unreadable.'),
});

const directories = z.strictObject({
  endpointPage: link.describe('URL of the page of the endpoint.'),
  status: z.enum(['listed', 'delisted']).describe('Listing as last read.'),
  names: z
    .array(text('name').describe('Name of a directory.'))
    .max(20)
    .describe('Directories that list the URL.'),
  delistedAt: time.nullable().describe('Time of the delisting; null while it is listed.'),
});

const guard = z.strictObject({
  decision: z.enum(['pay', 'warn', 'abort']).describe('warn allows the payment.'),
  reasons: z
    .array(text('sentence').describe('One reason.'))
    .describe('Reasons of the decision; empty if nothing speaks against the payment.'),
});

const code = z.strictObject({
  stack: z.enum(CODE_STACKS).describe('Server stack.'),
  isRecognized: z.boolean().describe('True if the headers of the response name this stack.'),
  repairs: z.array(slug.describe('Name of a rule.')).describe('Broken rules that the code repairs.'),
  text: z.string().max(4_000).describe('Code that declares the route with the corrected terms.'),
});

export const checkSchema = z.strictObject({
  outcome: z
    .enum(CLIENT_OUTCOMES)
    .describe(
      'What agents do: they pay; they pay after a change of a setting; they sign a payment that is lost; they refuse; they use it for free; they cannot reach it; or the response does not show it.',
    ),
  headline: text('sentence').describe('What agents do, in words.'),
  step: text('sentence')
    .nullable()
    .describe('What the seller should do first; null if there is nothing to do.'),
  resource: text('resource').describe('Checked URL.'),
  method: text('name').describe('Method of the checked response.'),
  status: z.int().nullable().describe('Status of the response; null without a response.'),
  checkedAt: time.describe(
    'Time of the check. A result is shared for ten minutes if agents pay and no rule reports an error; any other result for one minute.',
  ),
  checkPage: z
    .url()
    // The page has the percent-encoded URL as a parameter.
    .max(4 * MAX_RESOURCE_CHARS)
    .describe('Page of this check, for 24 hours.'),
  verdict: z
    .enum([...COMPLIANCE_RESULTS, 'undetermined'])
    .describe('Compliance result; undetermined if the response does not show the payment terms.'),
  clients: z
    .array(client.describe('One client.'))
    .max(20)
    .describe('Reference clients of both versions, by scheme and network.'),
  faults: z.array(fault.describe('One fault.')).describe('Failed rules, most serious first.'),
  code: code
    .nullable()
    .describe('Repaired route; null if nothing is to be repaired, or if no library serves these terms.'),
  options: z.array(option.describe('One option.')).max(20).describe('Payment options, at most 20.'),
  passed: z.array(slug.describe('Name of a rule.')).describe('Rules that the response passes.'),
  skipped: count.describe('Number of rules that do not apply.'),
  notes: z.array(text('sentence').describe('One sentence.')).describe('Further facts and advice.'),
  response: response.nullable().describe('Quotations from the response; null without a response.'),
  limits: z.array(limit.describe('One limit.')).describe('Sizes against the known limits of other programs.'),
  extensionResponses: z
    .string()
    .max(MAX_BODY_CHARS)
    .nullable()
    .describe('Decoded EXTENSION-RESPONSES header; null without one. Unverified text.'),
  timingMs: timing.describe('Durations of the first request.'),
  tls: tls.nullable().describe('TLS connection; null without TLS, or without a connection.'),
  directories: directories
    .nullable()
    .describe('Listing of the URL in directories, as last read; null for a URL that is not in the catalog.'),
  guard: guard
    .nullable()
    .describe('Decision of the guard with its default policy on the first option; null without an option.'),
});

export type EndpointCheck = z.infer<typeof checkSchema>;

/** Example of the check of an endpoint whose network has a version 1 name. */
export const CHECK_EXAMPLE: EndpointCheck = {
  outcome: 'refused',
  headline:
    'No agent pays this endpoint. The network has a version 1 name; version 2 clients need a CAIP-2 id such as eip155:8453.',
  step: 'Replace the network by its CAIP-2 id, such as eip155:8453 for base.',
  resource: 'https://api.example.com/v1/weather',
  method: 'GET',
  status: 402,
  checkedAt: '2026-11-27T12:00:00.000Z',
  checkPage: 'https://touchstone.example/check?url=https%3A%2F%2Fapi.example.com%2Fv1%2Fweather',
  verdict: 'unpayable',
  clients: [
    {
      version: 2,
      scheme: 'exact',
      network: EXAMPLE_NETWORK,
      signs: false,
      arrives: false,
      reason: 'The network has a version 1 name.',
      settings: [],
    },
  ],
  faults: [
    {
      id: 'v2-network-caip2',
      axis: 'payable',
      severity: 'error',
      message: 'network is "base"; it must be a CAIP-2 id.',
      fix: 'Replace the network by its CAIP-2 id, such as eip155:8453 for base.',
      reference: 'x402 v2 specification, 5.1.2',
      evidence: { place: 'header PAYMENT-REQUIRED', path: 'accepts[0].network', excerpt: '"base"' },
    },
  ],
  code: {
    stack: 'express',
    isRecognized: true,
    repairs: ['v2-network-caip2'],
    text: 'app.use(\n  paymentMiddleware(/* … */),\n);',
  },
  options: [
    {
      scheme: 'exact',
      network: EXAMPLE_NETWORK,
      asset: EXAMPLE_ASSET,
      assetSymbol: 'USDC',
      amount: '10000',
      amountUsd: '0.010000',
      payTo: EXAMPLE_PAY_TO,
      maxTimeoutSeconds: 60,
    },
  ],
  passed: ['http-status-402'],
  skipped: 70,
  notes: [],
  response: {
    headers: [{ name: 'x-powered-by', value: 'Express' }],
    headerBytes: 1_204,
    terms: '{"x402Version":2,"accepts":[{"scheme":"exact","network":"base"}]}',
    body: '{}',
  },
  limits: [
    {
      subject: 'Response headers',
      measured: 1_204,
      limit: 8_192,
      unit: 'bytes',
      isExceeded: false,
      effect: 'Many proxies and clients reject larger headers.',
    },
  ],
  extensionResponses: null,
  timingMs: { resolve: 12.1, connect: 20.4, tls: 41.7, processing: 88.9, transfer: 0.4, total: 163.5 },
  tls: { protocol: 'TLSv1.3', validTo: '2027-01-20T23:59:59.000Z' },
  directories: null,
  guard: { decision: 'warn', reasons: ['Touchstone does not know this endpoint.'] },
};
