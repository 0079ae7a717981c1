import { copyFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Puts the explorer of the API reference where the site serves it itself, so that its readers ask nobody else. */
const explorer = createRequire(import.meta.url).resolve(
  'openapi-explorer/dist/browser/openapi-explorer.min.js',
);
await copyFile(explorer, fileURLToPath(new URL('../../public/openapi-explorer.js', import.meta.url)));
