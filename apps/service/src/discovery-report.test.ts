import { expect, it } from 'vitest';
import { discoveryReport } from './discovery-report.ts';

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

it('counts every item and names the reasons, the most frequent first', () => {
  expect(discoveryReport(report)).toEqual([
    '1,500 items read: 1,490 endpoints, 1 duplicate, 9 rejected',
    '     2 × no resource',
    '     1 × scheme game: is neither https nor http',
  ]);
});

it('says why a run is not complete', () => {
  const [head] = discoveryReport({ ...report, complete: false, note: 'the directory answered 503' });
  expect(head).toContain('(incomplete: the directory answered 503)');
});

it('says that there is more to read', () => {
  const note = 'answered 503, at offset 700';
  const [head] = discoveryReport({ ...report, complete: false, paused: true, note });
  expect(head).toContain('(so far: answered 503, at offset 700)');
});

it('names directories where there are several', () => {
  expect(discoveryReport(report, 'PayAI')[0]).toMatch(/^PayAI: 1,500 items read/);
});
