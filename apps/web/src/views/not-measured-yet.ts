import type { Component } from '@touchstone/trust';

/** Components that no endpoint has yet, and why. */
export const NOT_MEASURED_YET: Readonly<Partial<Record<Component, string>>> = {
  activity:
    'Not measured yet: settlements on chain are not read so far, so it leaves the weighting of every score.',
};
