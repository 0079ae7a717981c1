import { z } from 'zod';
import { MAX_MAINTENANCE_WINDOWS, MAX_STATEMENTS_PER_ENDPOINT } from '../../shared/claim-limits.ts';
import { text, time } from '../../shared/scalars.ts';

const statement = z.strictObject({
  subject: text('name').describe('Flag, compliance rule or event that the statement is about.'),
  text: text('sentence').describe('Words of the provider in plain text. Unverified text.'),
  statedAt: time.describe('Time of the statement.'),
});

const maintenance = z.strictObject({
  startsAt: time.describe('Start of the maintenance window.'),
  endsAt: time.describe('End of the maintenance window.'),
  text: text('sentence').describe('Words of the provider in plain text. Unverified text.'),
  announcedAt: time.describe('Time of the announcement, which is before the start.'),
});

/** Announcements of the provider who has claimed the host of an endpoint. */
export const provider = z.strictObject({
  claimedSince: time.describe('Time since which the provider has proven control of the host.'),
  statements: z
    .array(statement.describe('One statement.'))
    .max(MAX_STATEMENTS_PER_ENDPOINT)
    .describe('Statements of the provider about the verdict. They change no score.'),
  maintenance: z
    .array(maintenance.describe('One maintenance window.'))
    .max(MAX_MAINTENANCE_WINDOWS)
    .describe(
      'Announced maintenance that has not ended, earliest first. Failed probes count toward uptime during maintenance, too.',
    ),
});
