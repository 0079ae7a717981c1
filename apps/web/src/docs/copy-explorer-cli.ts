import { copyFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/**
 * Puts the explorer of the API reference, and its license, where the site serves them itself, so that its readers ask
 * nobody else.
 */
const explorer = import.meta.resolve('openapi-explorer/dist/browser/openapi-explorer.min.js');
const license = new URL('../../LICENSE', explorer);
const published = new URL('../../public/', import.meta.url);
await copyFile(fileURLToPath(explorer), new URL('openapi-explorer.js', published));
await copyFile(fileURLToPath(license), new URL('openapi-explorer.LICENSE.txt', published));
