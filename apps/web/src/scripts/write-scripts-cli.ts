import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { bundleModules, bundleScript, SCRIPTS, SHARED_FILE } from './bundle-script.ts';

/**
 * Writes the scripts of pages to the public folder, and removes files that the present scripts do not use. The
 * command runs before the build and before the development server.
 */
const PUBLIC_FOLDER = new URL('../../public/', import.meta.url);

await mkdir(PUBLIC_FOLDER, { recursive: true });
for (const name of await readdir(PUBLIC_FOLDER)) {
  if (SHARED_FILE.test(name)) await rm(new URL(name, PUBLIC_FOLDER));
}
for (const name of Object.keys(SCRIPTS) as (keyof typeof SCRIPTS)[]) {
  await writeFile(new URL(name, PUBLIC_FOLDER), await bundleScript(name));
}
for (const { name, code } of await bundleModules()) await writeFile(new URL(name, PUBLIC_FOLDER), code);
