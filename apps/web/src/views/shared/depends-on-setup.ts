import type { Component } from '@touchstone/contract';

/** Notes on components that depend on the configuration of the operator. */
export const SETUP_NOTES: Readonly<Partial<Record<Component, string>>> = {
  activity:
    'Settlements are read from the chain on networks for which this service has an RPC provider. On other networks, activity is not measured.',
};
