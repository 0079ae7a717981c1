import type { Component } from '@touchstone/contract';

/** Components that depend on what an operator has configured, and how. */
export const DEPENDS_ON_SETUP: Readonly<Partial<Record<Component, string>>> = {
  activity:
    'It is read from the chain on networks that this service was given an RPC for; elsewhere it leaves the weighting.',
};
