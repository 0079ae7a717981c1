import { PGlite } from '@electric-sql/pglite';
import { EXTENSIONS } from './extensions.ts';
import { migratedTemplate } from './testing/migrated-template.ts';
import { readPreviousMigrations } from './testing/upgrade/previous-release.ts';
import { describeUpgrade } from './testing/upgrade/upgrade-cases.ts';

/** Folder of the archive of the previous release. In another folder, because storing an archive deletes older ones. */
const CACHE = new URL('../../../node_modules/.cache/touchstone-previous/', import.meta.url);

describeUpgrade('an embedded database of the previous release', async () => {
  const template = await migratedTemplate({ migrations: readPreviousMigrations(), cache: CACHE });
  const driver = await PGlite.create({ extensions: EXTENSIONS, loadDataDir: template });
  return { driver, close: () => driver.close() };
});
