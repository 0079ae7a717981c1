import { expect, it } from 'vitest';
import { createKeys } from '../keys.ts';
import { openDatabase } from '../open/open-database.ts';
import { migratedTemplate } from '../testing/migrated-template.ts';
import { serve } from './serve.ts';

it('limits no request in time, because the request of a backup stays open until its files are copied', async () => {
  const opened = await openDatabase({ template: await migratedTemplate(), onFatal: () => undefined });
  const server = await serve(opened, { keys: createKeys(), backups: null });
  expect(server.requestTimeout).toBe(0);
  server.close();
  await opened.connection.close();
});
