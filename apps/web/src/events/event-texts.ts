import type { EcosystemEventKind } from '@touchstone/contract';

/** Texts about one kind of events. They describe the kind, and contain no evidence about an endpoint. */
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
    sentence: 'Payments to this endpoint go to another address than before.',
    predicate: 'ask for payments to another address than before.',
    meaning:
      'The endpoint asks for payments to another address than before. An attacker who takes over an endpoint does this, but so does a provider who moves to a new wallet. Touchstone cannot tell which one it was: ask the provider before you pay.',
  },
  'price-spike': {
    label: 'Price spike',
    sentence: 'The price is far above the usual price of this endpoint.',
    predicate: 'ask for far more than their usual price.',
    meaning:
      'The advertised price is at least ten times the median of the last 30 days. A payment limit in your client protects you.',
  },
  delisted: {
    label: 'Delisted',
    sentence: 'No directory lists this endpoint any more.',
    predicate: 'are not listed in any directory any more.',
    meaning: 'The endpoint disappeared from every directory that listed it. Touchstone keeps probing it.',
  },
  outage: {
    label: 'Outage',
    sentence: 'This endpoint was up before, and then failed two probes in a row.',
    predicate: 'were up before, and then failed two probes in a row.',
    meaning:
      'An endpoint that was up in the last 30 days failed two probes in a row. Its page shows whether it is up again.',
  },
};
