import { z } from 'zod';
import { formatTimestamp, timestampSchema } from '../client/timestamps.ts';
import { snapshotSchema } from './snapshot.ts';

/** Schema of a timestamp from PostgreSQL or PostgREST; converts it to ISO 8601 in UTC. */
export const isoTimestampSchema = timestampSchema.transform(formatTimestamp);

/** Schema of a row of the table `snapshots`; converts the names of its columns and its times. */
export const snapshotRowSchema = z
  .record(z.string(), z.unknown())
  .transform((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name.replace('_30d', '30d').replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
        value,
      ]),
    ),
  )
  .pipe(
    snapshotSchema.extend({
      firstSeen: isoTimestampSchema,
      lastProbedAt: isoTimestampSchema.nullable(),
      delistedAt: isoTimestampSchema.nullable(),
      failingSince: isoTimestampSchema.nullable(),
      computedAt: isoTimestampSchema,
      contentChangedAt: isoTimestampSchema,
    }),
  );
