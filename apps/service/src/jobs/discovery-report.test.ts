import { expect, it } from 'vitest';
import { formatDiscoveryReport } from './discovery-report.ts';

const report = {
  directory: 'directory',
  url: 'https://directory.example/',
  complete: true,
  paused: false,
  unreached: false,
  items: 1500,
  accepted: 1490,
  duplicates: 1,
  rejected: 9,
  rejects: [
    { resource: 'game://a', reason: 'scheme game: is neither https nor http' },
    { resource: '', reason: 'no resource' },
    { resource: '', reason: 'no resource' },
  ],
  listed: 1490,
  relisted: 0,
  delisted: 0,
  note: null,
};

it('formats the counts and the reasons, the most frequent first', () => {
  expect(formatDiscoveryReport(report)).toEqual([
    '1,500 items read: 1,490 endpoints, 1 duplicate, 9 rejected',
    '     2 × no resource',
    '     1 × scheme game: is neither https nor http',
  ]);
});

it('formats the reason of an incomplete reading', () => {
  const [head] = formatDiscoveryReport({ ...report, complete: false, note: 'the directory answered 503' });
  expect(head).toContain('(incomplete: the directory answered 503)');
});

it('formats a paused reading', () => {
  const note = 'answered 503, at offset 700';
  const [head] = formatDiscoveryReport({ ...report, complete: false, paused: true, note });
  expect(head).toContain('(paused: answered 503, at offset 700)');
});

it('formats the name of the directory', () => {
  expect(formatDiscoveryReport(report, 'PayAI')[0]).toMatch(/^PayAI: 1,500 items read/);
});
