import { MAX_RESOURCE_CHARS } from '@touchstone/common';
import { z } from 'zod';
import {
  MAX_CONTACT_CHARS,
  MAX_MAINTENANCE_HOURS,
  MAX_MAINTENANCE_WINDOWS,
  MAX_NOTICE_ENDPOINTS,
  MAX_STATEMENTS,
  MIN_MAINTENANCE_NOTICE_MINUTES,
} from '../../shared/claim-limits.ts';
import { requestedResource } from '../../shared/requests.ts';
import { text, time } from '../../shared/scalars.ts';
import { deliveryUrl } from '../watch/requests.ts';
import { createStatementText } from '../../shared/statement-text.ts';

const CONTACT_EXPECTATION = `must be an e-mail address or an https URL of at most ${String(MAX_CONTACT_CHARS)} visible ASCII characters, or null`;
const SUBJECT_EXPECTATION =
  'must be the name of a flag, the id of a compliance rule or the id of an event, such as down-now';
const TIME_EXPECTATION = 'must be a time in UTC by ISO 8601, such as 2026-06-01T22:00:00Z';
const EDIT_EXPECTATION =
  'must be an object with at least one of `contact`, `opt_out`, `statements`, `maintenance` and `notices`';

/** Returns true for an e-mail address or an https URL in visible ASCII characters. */
function isContact(value: string): boolean {
  if (!/^[!-~]+$/.test(value)) return false;
  const url = URL.parse(value);
  if (url?.protocol === 'https:') return url.username === '' && url.hostname.includes('.');
  return z.email().safeParse(value).success;
}

const contact = z
  .string({ error: CONTACT_EXPECTATION })
  .max(MAX_CONTACT_CHARS, { error: CONTACT_EXPECTATION })
  .refine(isContact, { error: CONTACT_EXPECTATION })
  .nullable();

/** Returns false for a time of a day that does not exist. */
function isDate(value: string): boolean {
  const time = Date.parse(value);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value.slice(0, 16));
}

const requestedTime = z
  .string({ error: TIME_EXPECTATION })
  .regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,3})?)?Z$/, {
    error: TIME_EXPECTATION,
  })
  .refine((value) => isDate(value), { error: TIME_EXPECTATION })
  .transform((value) => new Date(value).toISOString());

const subject = z
  .string({ error: SUBJECT_EXPECTATION })
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, { error: SUBJECT_EXPECTATION })
  .max(64, { error: SUBJECT_EXPECTATION });

const statementRequest = z.strictObject({
  resource: requestedResource,
  subject: subject.describe(
    'Flag or failed compliance rule that the endpoint has, or id of an event on its page.',
  ),
  text: createStatementText().describe(
    'One line of plain text without links, addresses and other ways of contact.',
  ),
});

const maintenanceRequest = z.strictObject({
  resource: requestedResource
    .nullable()
    .default(null)
    .describe('Endpoint of the maintenance; null for all endpoints of the host.'),
  starts_at: requestedTime.describe(
    `Start, at least ${String(MIN_MAINTENANCE_NOTICE_MINUTES)} minutes after the announcement.`,
  ),
  ends_at: requestedTime.describe(`End, at most ${String(MAX_MAINTENANCE_HOURS)} hours after the start.`),
  text: createStatementText().describe('Reason: one line of plain text without links.'),
});

const NOTICES_EXPECTATION = 'must be null, or an object with either `webhook_url` or `slack_url`';

const noticesRequest = z
  .strictObject({
    webhook_url: deliveryUrl.exactOptional().describe('Signed webhook: an https URL on a public host.'),
    slack_url: deliveryUrl.exactOptional().describe('Incoming webhook of Slack or Discord.'),
    resources: z
      .array(requestedResource)
      .min(1)
      .max(MAX_NOTICE_ENDPOINTS)
      .exactOptional()
      .describe('Endpoints of the host; by default all, if there are at most 20.'),
  })
  .refine(({ webhook_url, slack_url }) => (webhook_url === undefined) !== (slack_url === undefined), {
    error: NOTICES_EXPECTATION,
  })
  .nullable();

/** Body of a request that changes what a claim gives. */
export const claimEditRequestSchema = z
  .strictObject({
    contact: contact
      .exactOptional()
      .describe('Contact for security reports, which the page of the host shows; null removes the contact.'),
    opt_out: z
      .boolean()
      .exactOptional()
      .describe(
        'True stops probing and listing of all endpoints of the host. Their pages then state the opt-out and have no score. False ends the opt-out.',
      ),
    statements: z
      .array(statementRequest)
      .max(MAX_STATEMENTS)
      .exactOptional()
      .describe('Complete list of your statements about parts of verdicts.'),
    maintenance: z
      .array(maintenanceRequest)
      // The list may repeat windows that have started.
      .max(3 * MAX_MAINTENANCE_WINDOWS)
      .exactOptional()
      .describe('Complete list of the maintenance windows that have not started. Started windows stay.'),
    notices: noticesRequest
      .exactOptional()
      .describe(
        'URL that gets free messages about an outage, its end and a changed payTo. The URL is tested first. Null ends the notices.',
      ),
  })
  .refine((edit) => Object.keys(edit).length > 0, { error: EDIT_EXPECTATION })
  .meta({ minProperties: 1 });

/** Parsed body of a request that changes what a claim gives. */
export type ClaimEditRequest = z.output<typeof claimEditRequestSchema>;

const resource = z.string().max(MAX_RESOURCE_CHARS);

/** Settings of a claim in a response. */
export const claimSettingsSchema = z.strictObject({
  contact: text('name').nullable().describe('Contact for security reports; null without one.'),
  opted_out_at: time
    .nullable()
    .describe('Time since which the host has opted out of probing and listing; null without an opt-out.'),
  statements: z
    .array(
      z
        .strictObject({
          resource: resource.describe('URL of the endpoint.'),
          subject: text('name').describe('Flag, compliance rule or event.'),
          text: text('sentence').describe('Your words, as the page of the endpoint shows them.'),
          stated_at: time.describe('Time of the statement.'),
        })
        .describe('One statement.'),
    )
    .describe('Your statements about parts of verdicts.'),
  maintenance: z
    .array(
      z
        .strictObject({
          resource: resource.nullable().describe('URL of the endpoint; null for all endpoints of the host.'),
          starts_at: time.describe('Start.'),
          ends_at: time.describe('End.'),
          text: text('sentence').describe('Your words, as pages show them.'),
          announced_at: time.describe('Time of the announcement.'),
        })
        .describe('One maintenance window.'),
    )
    .describe('Maintenance windows of the last 40 days and announced ones, earliest first.'),
  notices: z
    .strictObject({
      channel: z.enum(['webhook', 'slack', 'discord']).describe('Kind of the URL.'),
      url: text('resource').describe('Shortened URL, because the URL of a chat is a secret.'),
      disabled_reason: z
        .enum(['gone', 'failing', 'refused'])
        .nullable()
        .describe('Why messages stopped; null while they are sent. Set the URL again to resume.'),
      resources: z.array(resource.describe('URL of an endpoint.')).describe('Endpoints of the notices.'),
    })
    .nullable()
    .describe('Free notices about outages and changed payTo addresses; null without notices.'),
});
export type ClaimSettings = z.infer<typeof claimSettingsSchema>;

/** Example of what a claim gives before its first edit. */
export const CLAIM_SETTINGS_EXAMPLE: ClaimSettings = {
  contact: null,
  opted_out_at: null,
  statements: [],
  maintenance: [],
  notices: null,
};

export const CLAIM_EDIT_EXAMPLE = {
  contact: 'security@example.com',
  maintenance: [
    {
      resource: null,
      starts_at: '2026-06-07T22:00:00.000Z',
      ends_at: '2026-06-07T23:00:00.000Z',
      text: 'Database upgrade.',
    },
  ],
} satisfies z.input<typeof claimEditRequestSchema>;
