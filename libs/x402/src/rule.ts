import type { Entry } from './entry.ts';
import type { Envelope } from './envelope.ts';
import type { BodyReading, HeaderReading } from './read-header.ts';
import type { CheckAxis, CheckSeverity } from './types.ts';

/** All that a rule may look at: one answer, read once. */
export interface Subject {
  readonly url: string;
  readonly status: number;
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
}

/** Why a rule failed, and where that weighs other than the rule usually does. */
export interface Failure {
  readonly message: string;
  readonly severity?: CheckSeverity;
  readonly axis?: CheckAxis;
}

export type Outcome = 'pass' | 'skip' | Failure;

export interface Rule {
  readonly id: string;
  readonly axis: CheckAxis;
  readonly severity: CheckSeverity;
  /** What is true of an answer that passes, in one sentence. */
  readonly holds: string;
  readonly check: (subject: Subject) => Outcome;
}

/** `pass`, or a failure with this message. */
export function expect(condition: boolean, message: string, change: Omit<Failure, 'message'> = {}): Outcome {
  return condition ? 'pass' : { message, ...change };
}

/**
 * Judges every entry of `accepts` and makes one outcome of it: the same fault in forty entries is one finding.
 * The gravest failure is reported, with the number of entries that failed; entries that are no objects are
 * left to the rule on the list itself.
 *
 * @returns `skip` when no entry could be judged
 */
export function eachEntry(envelope: Envelope | null, judge: (entry: Entry) => Outcome): Outcome {
  const outcomes = (envelope?.entries ?? []).flatMap((entry) => (entry === null ? [] : [judge(entry)]));
  const judged = outcomes.filter((outcome) => outcome !== 'skip');
  const failures = judged.filter((outcome) => outcome !== 'pass');
  const [gravest] = failures.toSorted((one, other) => gravity(other) - gravity(one));
  if (gravest === undefined) return judged.length === 0 ? 'skip' : 'pass';
  const share =
    outcomes.length > 1 ? ` (${String(failures.length)} of ${String(outcomes.length)} options)` : '';
  return { ...gravest, message: gravest.message + share };
}

/** An own severity of error outweighs the rule's, any other is a relief from it. */
function gravity({ severity }: Failure): number {
  if (severity === undefined) return 1;
  return severity === 'error' ? 2 : 0;
}
