import { z } from 'zod';

/** Environment variables of the route for Prometheus. */
export const metricsEnvironment = {
  METRICS_TOKEN: z
    .preprocess(
      (value) => (value === '' ? undefined : value),
      // Prometheus sends the token in an HTTP header.
      z
        .string()
        .regex(
          /^[\x21-\x7e]{16,}$/,
          'must have at least 16 characters: letters, digits and punctuation of ASCII',
        )
        .optional(),
    )
    .meta({
      isPassedInLiveMode: true,
      description:
        'bearer token of `/api/metrics`, at least 16 characters; without it, the route responds with 404 ([monitoring](operations/README.md))',
    }),
};
