import type { EcosystemEventKind } from '@touchstone/contract';

/**
 * Texts about one kind of events. They describe the kind, and contain no evidence about an endpoint. They are in the
 * past tense, because a reader can see them long after the event.
 */
export interface EventText {
  readonly label: string;
  /** Sentence about one endpoint. */
  readonly sentence: string;
  /** Predicate of a sentence about several endpoints of a host, such as "12 endpoints of x.example …". */
  readonly predicate: string;
  /** Definition of the kind, in one or two sentences. */
  readonly meaning: string;
}

/** Texts of all kinds of events. */
export const EVENT_TEXTS: Readonly<Record<EcosystemEventKind, EventText>> = {
  'takeover-suspected': {
    label: 'Takeover suspected',
    sentence: 'This endpoint began to ask for payments to another address.',
    predicate: 'began to ask for payments to another address.',
    meaning:
      'The endpoint began to ask for payments to another address. An attacker who takes over an endpoint does this, but so does a provider who moves to a new wallet. Touchstone cannot tell which one it was: ask the provider before you pay.',
  },
  'price-spike': {
    label: 'Price spike',
    sentence: 'The advertised price rose to at least ten times its 30-day median.',
    predicate: 'raised their price to at least ten times its 30-day median.',
    meaning:
      'The advertised price rose to at least ten times its median of the last 30 days. A payment limit in your client protects you.',
  },
  delisted: {
    label: 'Delisted',
    sentence: 'This endpoint left every directory that listed it.',
    predicate: 'left every directory that listed them.',
    meaning:
      'The endpoint left every directory that listed it. Touchstone keeps probing it. Its page shows whether it is listed again.',
  },
  outage: {
    label: 'Outage',
    sentence: 'This endpoint was up before, and then failed two probes in a row.',
    predicate: 'were up before, and then failed two probes in a row.',
    meaning:
      'An endpoint that was up in the last 30 days failed two probes in a row. Its page shows whether it is up again.',
  },
};
