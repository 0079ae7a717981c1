import { readFileSync, writeFileSync } from 'node:fs';
import { completeLockfile } from './complete-lockfile.ts';
import { findMissingPackages, type Lockfile } from './find-missing-packages.ts';

/** Program of `npm run lockfile`. It completes package-lock.json after `npm install`. */
const file = new URL('../../package-lock.json', import.meta.url);
// The cast is safe, because npm wrote this file. Fields that the type omits are kept.
const lockfile = JSON.parse(readFileSync(file, 'utf8')) as Lockfile;
const missing = findMissingPackages(lockfile);
writeFileSync(file, `${JSON.stringify(completeLockfile(lockfile), null, 2)}\n`);
console.log(
  missing.length === 0
    ? 'package-lock.json is complete.'
    : `package-lock.json: ${missing.length} packages added.`,
);
