/** Ways in which receivers fail. */
const FAULTS = [
  // Status 500 for the first two attempts of every third message.
  'unstable',
  // No response to the first attempt of the message `UNANSWERED`, so the attempt ends by its timeout.
  'slow',
  // The connection is closed instead of a response to the first attempt of every fifth message.
  'closed',
  // Status 429 with `Retry-After`, for the first attempt of every fifth message.
  'busy',
  // Status 500 for every attempt of two messages.
  'rejecting',
  // Status 503 for every attempt of every message.
  'dead',
  // Status 410 from the message `REMOVED_FROM` on.
  'removed',
] as const;
export type Fault = (typeof FAULTS)[number];

/** Value of `Retry-After` in a response with status 429, in seconds. */
export const PAUSE_SECONDS = 30;
/** Sequence of the first message to which a removed receiver responds with status 410. */
const REMOVED_FROM = 18;
/** Sequence of the message whose first attempt gets no response. Only the last round of the benchmark has it. */
const UNANSWERED = 20;
/** Sequences of the messages that a rejecting receiver never accepts. */
const REJECTED: readonly number[] = [5, 13];

/** Returns the fault of a destination, by its number. One third of the destinations have a fault; null for the others. */
export function selectFault(destination: number): Fault | null {
  if (destination % 3 !== 0) return null;
  return FAULTS[(destination / 3) % FAULTS.length] ?? null;
}

/** Reaction of a receiver to one attempt: the status of its response, or no response. */
export type Reaction = number | 'no-response' | 'closed';

const ACCEPTED = 200;

/** Reactions of each fault to attempt number `attempt` (from 1) of the message `sequence`. */
const REACTIONS: Readonly<Record<Fault, (sequence: number, attempt: number) => Reaction>> = {
  unstable: (sequence, attempt) => (sequence % 3 === 0 && attempt <= 2 ? 500 : ACCEPTED),
  slow: (sequence, attempt) => (sequence === UNANSWERED && attempt === 1 ? 'no-response' : ACCEPTED),
  closed: (sequence, attempt) => (sequence % 5 === 0 && attempt === 1 ? 'closed' : ACCEPTED),
  busy: (sequence, attempt) => (sequence % 5 === 1 && attempt === 1 ? 429 : ACCEPTED),
  rejecting: (sequence) => (REJECTED.includes(sequence) ? 500 : ACCEPTED),
  dead: () => 503,
  removed: (sequence) => (sequence >= REMOVED_FROM ? 410 : ACCEPTED),
};

/** Returns the reaction of a destination to one attempt. */
export function selectReaction(destination: number, sequence: number, attempt: number): Reaction {
  const fault = selectFault(destination);
  return fault === null ? ACCEPTED : REACTIONS[fault](sequence, attempt);
}
