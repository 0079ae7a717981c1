import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { getProcessValue } from '../process-value.ts';

/** Upper bounds of the durations, in seconds. A report with a live probe takes up to 30 seconds. */
const DURATION_BUCKETS_S = [0.01, 0.05, 0.1, 0.5, 1, 5, 30];

/** Returns the registry of the metrics of this process: its memory, the lag of its event loop, and its requests. */
export function getProcessRegistry(): Registry {
  return getProcessValue('process-metrics', () => {
    const registry = new Registry();
    collectDefaultMetrics({ register: registry });
    registry.registerMetric(getRequestDurations());
    return registry;
  });
}

/**
 * Returns the durations of the requests that this process handled. Only the web server in src/serving/main.ts records
 * these durations.
 */
export function getRequestDurations(): Histogram<'operation' | 'status'> {
  return getProcessValue(
    'request-durations',
    () =>
      new Histogram({
        name: 'touchstone_request_duration_seconds',
        help: 'Duration of requests of the API by operation and status, in seconds.',
        labelNames: ['operation', 'status'],
        buckets: DURATION_BUCKETS_S,
        registers: [],
      }),
  );
}
