// This file does not import zod, so that scripts of pages can import it without zod.

/**
 * Texts about one kind of ecosystem event, without evidence about a specific endpoint. The texts are in the past tense,
 * because people can read the texts long after the event.
 */
interface EcosystemEventRow {
  readonly label: string;
  /** Plural name of the kind, for the description of the Atom feed. */
  readonly plural: string;
  /** Sentence about one endpoint. */
  readonly sentence: string;
  /**
   * Predicate of a sentence about several endpoints of a host. The subject is, for example, "12 endpoints of
   * x.example".
   */
  readonly predicate: string;
  /** Definition of the kind, in one or two sentences. */
  readonly meaning: string;
}

/** All kinds of ecosystem events, most severe first. `libs/pipeline/src/scoring/to-snapshot.ts` detects the events. */
export const ECOSYSTEM_EVENTS = {
  'takeover-suspected': {
    label: 'payTo changed',
    plural: 'changes of payTo',
    sentence: 'This endpoint began to ask for payments to another address.',
    predicate: 'began to ask for payments to another address.',
    meaning:
      'The endpoint began to ask for payments to another address. An attacker who takes over an endpoint does this, but so does a provider who moves to a new wallet. Touchstone cannot tell which one it was: ask the provider before you pay.',
  },
  'paid-not-delivered': {
    label: 'Paid, not delivered',
    plural: 'payments without delivery',
    sentence: 'This endpoint took the money of test purchases on two days and delivered nothing.',
    predicate: 'took the money of test purchases on two days and delivered nothing.',
    meaning:
      'Touchstone bought from the endpoint on at least two days. Each time the payment was charged and nothing was delivered. The page of the endpoint links the signed record of the latest purchase, with the transaction. One delivery ends the warning.',
  },
  'price-spike': {
    label: 'Price spike',
    plural: 'price spikes',
    sentence: 'The advertised price rose to at least ten times its 30-day median.',
    predicate: 'raised their price to at least ten times its 30-day median.',
    meaning:
      'The advertised price rose to at least ten times its median of the last 30 days. A payment limit in your client protects you.',
  },
  delisted: {
    label: 'Delisted',
    plural: 'delistings',
    sentence: 'This endpoint left every directory that listed it.',
    predicate: 'left every directory that listed them.',
    meaning:
      'The endpoint left every directory that listed it. Touchstone keeps probing it. Its page shows whether it is listed again.',
  },
  outage: {
    label: 'Outage',
    plural: 'outages',
    sentence: 'This endpoint was up before, and then failed two probes in a row.',
    predicate: 'were up before, and then failed two probes in a row.',
    meaning:
      'An endpoint that was up in the last 30 days failed two probes in a row. Its page shows whether it is up again.',
  },
} as const satisfies Readonly<Record<string, EcosystemEventRow>>;
export type EcosystemEventKind = keyof typeof ECOSYSTEM_EVENTS;

/** All kinds of ecosystem events, most severe first. */
// `Object.keys` has the type `string[]`, although the table has no other keys.
export const ECOSYSTEM_EVENT_KINDS = Object.keys(ECOSYSTEM_EVENTS) as readonly EcosystemEventKind[];

/** Time for which ecosystem events are kept, in days. */
export const ECOSYSTEM_EVENT_DAYS = 90;
