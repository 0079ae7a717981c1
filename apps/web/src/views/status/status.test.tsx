import { HOUR_MS, MINUTE_MS } from '@touchstone/common';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { extractText } from '../../testing/html-text.ts';
import type { StatusReport } from './load-status.ts';
import { Status } from './status.tsx';

const NOW = Date.parse('2026-11-01T12:00:00Z');
const RECORDED = { up: 1, down: 0, other: 0, excluded: 0 };

function render(probeLagMs: number | null, ageMs: number | null, change: Partial<StatusReport> = {}): string {
  const at = ageMs === null ? null : NOW - ageMs;
  const metrics: StatusReport['metrics'] = {
    probes: {
      ...{ dueSlots: 1, leases: 0, expiredLeases: 0, scheduled: 1_200, sampledEndpoints: 1 },
      ...{ requiredPerSecond: 1, recordedPerSecond: RECORDED },
      oldestDueAt: probeLagMs === null ? null : NOW - probeLagMs,
    },
    queues: [{ queue: 'search_texts', items: 3, oldestAt: null }],
    jobs: {
      ...{ newestScoreAt: null, oldestScoreAt: null, statisticsAt: null, partitionsUntil: null },
      directories: [{ directory: 'bazaar', startedAt: NOW, completedAt: at }],
      chains: [{ network: 'eip155:8453', readUntil: at, caughtUpAt: at, groupsBehind: 0 }],
    },
  };
  const report = { readAt: NOW, metrics, hasEmbedder: true, canSell: true, ...change };
  return extractText(renderToStaticMarkup(<Status report={report} />)).replace(/\s+/g, ' ');
}

it('shows the lag of each part of the service', () => {
  const text = render(2 * MINUTE_MS, 20 * MINUTE_MS);
  expect(text).toContain(
    'Probes ✓ Working The oldest due probe has waited 2 minutes. 1,200 endpoints scheduled.',
  );
  expect(text).toContain('Directory bazaar ✓ Working Last read 20 minutes ago, 2026-11-01 11:40 UTC');
  expect(text).toContain('✓ All parts work.');
  expect(text).toContain('Search by meaning ✓ Working 3 texts not embedded yet.');
  expect(text).toContain('Chain Base ✓ Working All payments read 20 minutes ago, 2026-11-01 11:40 UTC');
});

it('names late parts, and parts that are off', () => {
  const late = render(HOUR_MS, 13 * HOUR_MS);
  for (const name of ['Probes', 'Directory bazaar', 'Chain Base']) expect(late).toContain(`${name} ! Late`);
  expect(late).toContain('! Late: Probes, Directory bazaar, Chain Base. All other parts work.');
  const unread = render(null, null, { hasEmbedder: false, canSell: false });
  expect(unread).toContain('! Late: Directory bazaar, Chain Base. Off: Search by meaning, Sales of reports.');
  expect(unread).toContain('No probe is due.');
  expect(unread).toContain('Directory bazaar ! Late Not read completely yet.');
  expect(unread).toContain('Search by meaning ○ Off');
  expect(unread).toContain('Sales of reports ○ Off');
});
