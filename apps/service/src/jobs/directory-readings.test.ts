import { expect, it } from 'vitest';
import { formatDirectoryReading } from './directory-readings.ts';

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
  expect(formatDirectoryReading(report)).toEqual([
    '1,500 items read: 1,490 endpoints, 1 duplicate, 9 rejected',
    '     2 × no resource',
    '     1 × scheme game: is neither https nor http',
  ]);
});

it.each([
  ['incomplete', false],
  ['paused', true],
])('formats the reason of a reading that is %s', (name, paused) => {
  const [head] = formatDirectoryReading({ ...report, complete: false, paused, note: 'HTTP status 503' });
  expect(head).toContain(`(${name}: HTTP status 503)`);
});

it('formats the name of the directory', () => {
  expect(formatDirectoryReading(report, 'PayAI')[0]).toMatch(/^PayAI: 1,500 items read/);
});
