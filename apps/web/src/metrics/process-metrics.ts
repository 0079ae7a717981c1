import { collectDefaultMetrics, Registry } from 'prom-client';
import { getProcessValue } from '../process-value.ts';

/** Returns the registry of the metrics of this process, such as its memory and the lag of its event loop. */
export function getProcessRegistry(): Registry {
  return getProcessValue('process-metrics', () => {
    const registry = new Registry();
    collectDefaultMetrics({ register: registry });
    return registry;
  });
}
