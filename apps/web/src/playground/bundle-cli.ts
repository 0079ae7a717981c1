import { writeFile } from 'node:fs/promises';
import { bundlePlayground } from './bundle.ts';

/**
 * Writes the playground script to the public folder. The command runs before the build and before the development
 * server.
 */
await writeFile(new URL('../../public/playground.js', import.meta.url), await bundlePlayground());
