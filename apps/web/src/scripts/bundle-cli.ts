import { writeFile } from 'node:fs/promises';
import { bundleScript, SCRIPTS } from './bundle-script.ts';

/**
 * Writes the scripts of pages to the public folder. The command runs before the build and before the development
 * server.
 */
for (const name of Object.keys(SCRIPTS) as (keyof typeof SCRIPTS)[]) {
  await writeFile(new URL(`../../public/${name}`, import.meta.url), await bundleScript(name));
}
