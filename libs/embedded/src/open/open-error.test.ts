import { expect, it } from 'vitest';
import { toStartError } from './open-error.ts';

const fileError = (code: string) => Object.assign(new Error(`${code}: it failed`), { code });

it.each([
  ['PANIC:  could not write to file "pg_wal/xlogtemp.1": No space left on device', 'disk-full', true],
  ['FATAL:  out of memory', 'other', true],
  ['FATAL:  could not open file "base/1/2": Too many open files', 'other', true],
  ['FATAL:  could not open file "base/1/2": No file descriptors available', 'other', true],
  ['PANIC:  could not locate a valid checkpoint record', 'damaged', false],
] as const)('the start that ended with %s has the reason %s', (message, reason, canRetry) => {
  const error = toStartError('/data/db', ['LOG:  starting', message], new Error('unreachable'));
  expect(error).toMatchObject({ reason, canRetry });
});

it.each([
  [fileError('ENOSPC'), 'disk-full', true],
  [fileError('EMFILE'), 'other', true],
  [fileError('EACCES'), 'unwritable', false],
  [new Error('WebAssembly.Memory(): could not allocate memory'), 'other', true],
] as const)(
  'the start that failed with %s without a message of PostgreSQL has the reason %s',
  (cause, reason, canRetry) => {
    expect(toStartError('/data/db', ['LOG:  starting'], cause)).toMatchObject({ reason, canRetry });
  },
);
