import { formatTimestamp } from '@touchstone/common';
import type { WatchEventType } from '@touchstone/contract';
import { z } from 'zod';
import { call, unwrap, type Db } from '../client/client.ts';
import { isoTimestampSchema } from '../client/values.ts';
import type { NewDestination } from '../watches/watches.ts';

const statementSchema = z.object({
  /** Flag, compliance rule or event of the endpoint. */
  subject: z.string(),
  text: z.string(),
  statedAt: isoTimestampSchema,
});
/** Statement of a provider about a part of the verdict, in its words. Times are in ISO 8601 (UTC). */
export type Statement = z.infer<typeof statementSchema>;

const windowSchema = z.object({
  startsAt: isoTimestampSchema,
  endsAt: isoTimestampSchema,
  text: z.string(),
  announcedAt: isoTimestampSchema,
});
/** Maintenance window that a provider announced before its start. */
export type MaintenanceWindow = z.infer<typeof windowSchema>;

/** Schema of what the provider of an endpoint announces. The windows are sorted, and some have ended. */
export const providerNotesSchema = z.object({
  claimedSince: isoTimestampSchema,
  statements: z.array(statementSchema),
  maintenance: z.array(windowSchema),
});
export type ProviderNotes = z.infer<typeof providerNotesSchema>;

const endpointProviderSchema = z.object({
  resource: z.string(),
  /** Time at which the provider opted out of probing and listing; null without an opt-out. */
  optedOutAt: isoTimestampSchema.nullable(),
  /** Day (UTC) of the last score before the opt-out, if its recommendation was `avoid`; null otherwise. */
  avoidedOn: z.iso.date().nullable(),
  /** Null if no provider has claimed the host. */
  notes: providerNotesSchema.nullable(),
});
/** What pages show of the provider of an endpoint. */
type EndpointProvider = z.infer<typeof endpointProviderSchema>;

const hostClaimSchema = z.object({ claimedSince: isoTimestampSchema, contact: z.string().nullable() });
/** Active claim of a host. `contact`: untrusted contact for security reports. */
export type HostClaim = z.infer<typeof hostClaimSchema>;

/** Schema of what a claim gives, for its owner. */
export const claimSettingsSchema = z.object({
  contact: z.string().nullable(),
  optedOutAt: isoTimestampSchema.nullable(),
  statements: z.array(statementSchema.extend({ endpointId: z.string(), resource: z.string() })),
  /** Windows in the order of their starts; endpoint and URL are null for all endpoints of the host. */
  maintenance: z.array(
    windowSchema.extend({ endpointId: z.string().nullable(), resource: z.string().nullable() }),
  ),
  /** Free notices; `label` is the public form of their URL. Null without notices. */
  notices: z
    .object({
      channel: z.enum(['webhook', 'slack', 'discord']),
      label: z.string(),
      disabledReason: z.enum(['gone', 'failing', 'refused']).nullable(),
      resources: z.array(z.string()),
    })
    .nullable(),
});
export type ClaimSettings = z.infer<typeof claimSettingsSchema>;

/** Returns what pages show of the provider of an endpoint; null for an unknown or removed endpoint. */
export async function readEndpointProvider(db: Db, endpointId: string): Promise<EndpointProvider | null> {
  return endpointProviderSchema.nullable().parse(await call(db, 'endpoint_provider', { endpointId }));
}

/** Returns the active claim of a host; null without a claim. */
export async function readHostClaim(db: Db, host: string): Promise<HostClaim | null> {
  return hostClaimSchema.nullable().parse(await call(db, 'host_claim', { host }));
}

/** Returns the ids of the first `limit` endpoints of a host that can be probed, in the order of their URLs. */
export async function listHostEndpoints(db: Db, host: string, limit: number): Promise<readonly string[]> {
  const response = await db
    .from('endpoints')
    .select('id')
    .eq('host', host)
    .is('removed_at', null)
    .not('probe_url', 'is', null)
    .order('resource')
    .limit(limit);
  return unwrap('list endpoints of a host', response).map(({ id }) => id);
}

/** Returns those of the given endpoint ids that are endpoints of a host and were not removed by the operator. */
export async function readHostEndpoints(
  db: Db,
  host: string,
  endpointIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (endpointIds.length === 0) return new Set();
  const response = await db
    .from('endpoints')
    .select('id')
    .eq('host', host)
    .in('id', endpointIds)
    .or('removed_at.is.null,opted_out.is.true');
  return new Set(unwrap('read endpoints of a host', response).map(({ id }) => id));
}

export interface NewStatement {
  readonly endpointId: string;
  readonly subject: string;
  readonly text: string;
}

export interface NewMaintenanceWindow {
  /** Null for all endpoints of the host. */
  readonly endpointId: string | null;
  /** Time in ISO 8601, like `endsAt`. */
  readonly startsAt: string;
  readonly endsAt: string;
  readonly text: string;
}

/** Watches that send the notices of a claim to one destination. `signingKey` is encrypted. */
export interface NewNotices {
  readonly watches: readonly {
    readonly id: string;
    readonly endpointId: string;
    readonly secretHash: string;
  }[];
  readonly signingKey: string;
  readonly events: readonly WatchEventType[];
  readonly destination: NewDestination;
}

/** Change of what a claim gives. Absent members stay as they are, and lists are complete. */
export interface ClaimEdit {
  readonly contact?: string | null;
  readonly optOut?: boolean;
  readonly statements?: readonly NewStatement[];
  readonly maintenance?: readonly NewMaintenanceWindow[];
  readonly notices?: NewNotices | null;
}

/**
 * Changes what an active claim gives. Maintenance windows that have started stay, and endpoints of other hosts are left
 * out.
 *
 * @param now Milliseconds since the epoch.
 * @returns False if the claim is not active.
 */
export async function editClaim(
  db: Db,
  { id, edit, now }: { readonly id: string; readonly edit: ClaimEdit; readonly now: number },
): Promise<boolean> {
  return z.boolean().parse(await call(db, 'edit_claim', { id, edit, now: formatTimestamp(now) }));
}
