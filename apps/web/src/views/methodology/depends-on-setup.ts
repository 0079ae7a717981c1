import type { Component } from '@touchstone/contract';

/** Notes on the score components whose measurement depends on the configuration of the operator. */
export const SETUP_NOTES: Readonly<Partial<Record<Component, string>>> = {
  activity:
    'Settlements are read from the chain on networks for which this service has an RPC provider. On other networks, activity is not measured.',
};
