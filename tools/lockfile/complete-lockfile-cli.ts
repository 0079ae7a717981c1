import { readFileSync, writeFileSync } from 'node:fs';
import { completeLockfile } from './complete-lockfile.ts';
import { missingPackages, type Lockfile } from './missing-packages.ts';

/** `npm run lockfile`: completes package-lock.json after an `npm install` that wrote it. */
const file = new URL('../../package-lock.json', import.meta.url);
// Written by npm beside this script; what else it holds is kept as it is.
const lockfile = JSON.parse(readFileSync(file, 'utf8')) as Lockfile;
const missing = missingPackages(lockfile);
writeFileSync(file, `${JSON.stringify(completeLockfile(lockfile), null, 2)}\n`);
console.log(
  missing.length === 0
    ? 'package-lock.json is complete.'
    : `package-lock.json: ${missing.length} packages added.`,
);
