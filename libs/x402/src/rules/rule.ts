import type { Entry, EntryFields } from '../entry.ts';
import type { Envelope } from '../envelope.ts';
import type { BodyReading, HeaderReading } from '../read-header.ts';
import type { Listing } from '../read-listing.ts';
import type { SchemaFaults } from '../schema/find-schema-faults.ts';
import type { Reference } from './sources.ts';
import type { CheckAxis, CheckSeverity, Dialect, PaymentOption } from '../types.ts';

/** What a second unpaid request of the same kind was answered. */
export interface SecondAnswer {
  readonly status: number;
  /** Of the envelope the options are of; null when there is none. */
  readonly version: 1 | 2 | null;
  readonly options: readonly PaymentOption[];
}

/** All that a rule may look at: one answer, read once. */
export interface Subject {
  readonly url: string;
  /** Why no answer came; null when one did, and then `status` is 0 and all else is empty. */
  readonly silence: string | null;
  readonly status: number;
  /** Of the request, in capitals; null when it is not known. */
  readonly method: string | null;
  /** Header values by lower-case name, one for each field. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly header: HeaderReading;
  readonly body: BodyReading;
  /** The header's envelope unless it is of version 1. */
  readonly v2: Envelope | null;
  /** The body's object when it attempts version 1. */
  readonly v1: Envelope | null;
  /** True when either client would pay what the body says, were there no header. */
  readonly bodyPayable: boolean;
  /** What is wrong with the schema of the version 2 envelope's discovery extension; null where it has none. */
  readonly schemaFaults: SchemaFaults | null;
  readonly dialects: readonly Dialect[];
  /** What a second unpaid request was answered; null when there was none. */
  readonly again: SecondAnswer | null;
  readonly listing: Listing | null;
  /** Milliseconds since the epoch; null when the time of the answer is not known. */
  readonly at: number | null;
}

/** Why a rule failed, and where that weighs other than the rule usually does. */
export interface Failure {
  readonly message: string;
  readonly severity?: CheckSeverity;
  readonly axis?: CheckAxis;
}

export type Outcome = 'pass' | 'skip' | Failure;

/** A row of the table of compliance rules. */
export interface Rule {
  readonly id: string;
  readonly axis: CheckAxis;
  readonly severity: CheckSeverity;
  /** What is true of an answer that passes, in one sentence. */
  readonly holds: string;
  /** What a seller has to change when it does not hold, in one sentence. */
  readonly fix: string;
  readonly reference: Reference;
  /** True for a rule that also judges an answer which is no challenge and holds no envelope. */
  readonly always?: true;
  readonly check: (subject: Subject) => Outcome;
}

/** `pass`, or a failure with this message. One that quotes what was sent is only put together when it is needed. */
export function expect(
  condition: boolean,
  message: string | (() => string),
  change: Omit<Failure, 'message'> = {},
): Outcome {
  if (condition) return 'pass';
  return { message: typeof message === 'string' ? message : message(), ...change };
}

/** A check of the version 2 envelope; skipped where there is none. */
export function onV2(judge: (v2: Envelope) => Outcome): Rule['check'] {
  return ({ v2 }) => (v2 === null ? 'skip' : judge(v2));
}

/** A check of the version 1 envelope; skipped where there is none. */
export function onV1(judge: (v1: Envelope) => Outcome): Rule['check'] {
  return ({ v1 }) => (v1 === null ? 'skip' : judge(v1));
}

/** A check of every option of the version 2 envelope. */
export function eachV2(judge: (fields: EntryFields) => Outcome): Rule['check'] {
  return ({ v2 }) => eachEntry(v2, ({ fields }) => judge(fields));
}

/** A check of every option of the version 1 envelope. */
export function eachV1(judge: (fields: EntryFields) => Outcome): Rule['check'] {
  return ({ v1 }) => eachEntry(v1, ({ fields }) => judge(fields));
}

/**
 * Judges every entry of `accepts` and makes one outcome of it: the same fault in forty entries is one finding.
 * The gravest failure is reported, with the number of entries that failed, and of how many where `accepts` is longer
 * than what is read of it. Entries that are no objects are left to the rule on the list itself.
 *
 * @returns `skip` when no entry could be judged
 */
export function eachEntry(envelope: Envelope | null, judge: (entry: Entry) => Outcome): Outcome {
  if (envelope === null) return 'skip';
  let [judged, failed, place] = [0, 0, 0];
  let gravest: Failure | null = null;
  for (const [index, entry] of envelope.entries.entries()) {
    const outcome = entry === null ? 'skip' : judge(entry);
    if (outcome === 'skip') continue;
    judged += 1;
    if (outcome === 'pass') continue;
    failed += 1;
    if (gravest !== null && gravity(outcome) <= gravity(gravest)) continue;
    [gravest, place] = [outcome, index];
  }
  if (gravest === null) return judged === 0 ? 'skip' : 'pass';
  return { ...gravest, message: gravest.message + shareOf(envelope, failed, place) };
}

function shareOf({ entries, length }: Envelope, failed: number, place: number): string {
  if (length < 2) return '';
  const read = length > entries.length ? `the first ${String(entries.length)}` : String(length);
  return ` (accepts[${String(place)}]; ${String(failed)} of ${read} options)`;
}

/** An own severity of error outweighs the rule's, any other is a relief from it. */
function gravity({ severity }: Failure): number {
  if (severity === undefined) return 1;
  return severity === 'error' ? 2 : 0;
}
