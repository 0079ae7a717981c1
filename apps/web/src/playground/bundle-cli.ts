import { writeFile } from 'node:fs/promises';
import { bundlePlayground } from './bundle.ts';

/** Writes the script of the playground where the site serves it; the build and the development server begin with it. */
await writeFile(new URL('../../public/playground.js', import.meta.url), await bundlePlayground());
