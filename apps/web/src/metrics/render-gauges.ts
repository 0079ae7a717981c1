import { Gauge, Registry } from 'prom-client';
import type { GaugeSamples } from './database-gauges.ts';

/** Renders gauges in the text format of Prometheus. */
export function renderGauges(gauges: readonly GaugeSamples[]): Promise<string> {
  const registry = new Registry();
  for (const { name, help, samples } of gauges) {
    const [first] = samples;
    if (first === undefined) continue;
    const gauge = new Gauge({
      name,
      help,
      labelNames: Object.keys(first.labels ?? {}),
      registers: [registry],
    });
    for (const { labels = {}, value } of samples) gauge.set({ ...labels }, value);
  }
  return registry.metrics();
}
