import { readOperationalMetrics } from '@touchstone/store';
import { Gauge, Registry } from 'prom-client';
import { logError } from '../request-log.ts';
import { getSecretDatabase } from '../database/databases.ts';
import { shareResult } from '../process-value.ts';
import { type GaugeSamples, toDatabaseGauges } from './database-gauges.ts';

/** Maximum age of the stored figures, in milliseconds. The limit protects the database from frequent scrapes. */
const MAX_AGE_MS = 5_000;

/**
 * Renders the figures of the database in the text format of Prometheus. Concurrent and repeated calls share one query.
 * If the query fails, `touchstone_database_up` is 0, and the other figures are left out.
 */
export function renderDatabaseMetrics(): Promise<string> {
  return shareResult('database-metrics', MAX_AGE_MS, async () => renderGauges(await readGauges()));
}

async function readGauges(): Promise<readonly GaugeSamples[]> {
  const now = Date.now();
  const startedAt = performance.now();
  let gauges: readonly GaugeSamples[] = [];
  let isUp = true;
  try {
    gauges = toDatabaseGauges(await readOperationalMetrics(getSecretDatabase(), now), now);
  } catch (error) {
    isUp = false;
    logError({ failed: 'read the figures for /api/metrics' }, error);
  }
  return [
    {
      name: 'touchstone_database_up',
      help: '1 if the figures of the database could be read, else 0.',
      samples: [{ value: isUp ? 1 : 0 }],
    },
    {
      name: 'touchstone_database_read_seconds',
      help: 'Duration of the query that reads the figures of the database.',
      samples: [{ value: (performance.now() - startedAt) / 1000 }],
    },
    ...gauges,
  ];
}

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
