import { readFileSync, writeFileSync } from 'node:fs';
import { completeLockfile } from './complete-lockfile.ts';
import { findMissingPackages, type Lockfile } from './find-missing-packages.ts';
import { findUnhashedPackages } from './find-unhashed-packages.ts';

/** Program of `npm run lockfile`. It completes package-lock.json after `npm install`. */
const file = new URL('../../package-lock.json', import.meta.url);
// The cast is safe, because npm wrote this file. Fields that the type omits are kept.
const lockfile = JSON.parse(readFileSync(file, 'utf8')) as Lockfile;
const missing = findMissingPackages(lockfile);
const completed = completeLockfile(lockfile);
writeFileSync(file, `${JSON.stringify(completed, null, 2)}\n`);
console.log(
  missing.length === 0
    ? 'package-lock.json is complete.'
    : `package-lock.json: ${missing.length} packages added.`,
);
const unhashed = findUnhashedPackages(completed);
if (unhashed.length > 0)
  console.log(
    `Without integrity hash, because this registry does not offer them: ${unhashed.join(', ')}. ` +
      'Choose a version that it offers for all platforms.',
  );
