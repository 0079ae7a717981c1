import { copyFile, readdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { EXPLORER_SCRIPT } from '../operations/documents/explorer-script.ts';

/**
 * Copies the API explorer and its license to the public folder, so that the site needs no requests to third parties.
 * Copies of older versions are deleted.
 */
const explorer = import.meta.resolve('openapi-explorer/dist/browser/openapi-explorer.min.js');
const license = new URL('../../LICENSE', explorer);
const published = new URL('../../public/', import.meta.url);
for (const name of await readdir(published)) {
  if (/^openapi-explorer.*\.js$/.test(name)) await rm(new URL(name, published));
}
await copyFile(fileURLToPath(explorer), new URL(`.${EXPLORER_SCRIPT}`, published));
await copyFile(fileURLToPath(license), new URL('openapi-explorer.LICENSE.txt', published));
