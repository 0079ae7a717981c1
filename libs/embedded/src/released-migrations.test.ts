import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { MIGRATIONS } from './migrate.ts';

const RELEASED = new URL('../released-migrations.json', MIGRATIONS);
/** Map from file name to SHA-256 hash of each released migration file. */
const released = z.record(z.string(), z.hex().length(64)).parse(JSON.parse(readFileSync(RELEASED, 'utf8')));
const files = readdirSync(MIGRATIONS).filter((file) => file.endsWith('.sql'));

const hashFile = (file: string): string =>
  createHash('sha256')
    .update(readFileSync(new URL(file, MIGRATIONS)))
    .digest('hex');

describe('released migrations', () => {
  it.each(Object.entries(released))(
    '%s is unchanged; add a new migration instead of editing it',
    (file, hash) => {
      expect(hashFile(file)).toBe(hash);
    },
  );

  it('come before every new migration', () => {
    const last = Object.keys(released).toSorted().at(-1) ?? '';
    const added = files.filter((file) => !(file in released));
    expect(added.filter((file) => file < last)).toEqual([]);
  });
});
