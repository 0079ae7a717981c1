import { describe, expect, it } from 'vitest';
import { findSchemaProblem } from '../index.ts';
import { MIGRATIONS } from '../migrations.generated.ts';
import { useTestDatabase } from '../testing/fixtures.ts';

const LAST = MIGRATIONS.at(-1) ?? '';

const database = useTestDatabase();
const exec = (sql: string) => database.connection.driver.exec(sql);
const find = () => findSchemaProblem(database.db);

// Each test removes more of the schema, so the order of the tests matters.
describe('findSchemaProblem', () => {
  it('finds no problem with all migrations', async () => {
    expect(await find()).toBeNull();
  });

  it('accepts the migrations of a later release', async () => {
    await exec("insert into supabase_migrations.schema_migrations values ('20991231000000', null, 'later')");
    expect(await find()).toBeNull();
  });

  it('names a missing migration', async () => {
    await exec(`delete from supabase_migrations.schema_migrations where version = '${LAST.slice(0, 14)}'`);
    expect(await find()).toContain(
      `lacks 1 of the ${String(MIGRATIONS.length)} migrations of this release: ${LAST}. Stop the service, apply`,
    );
  });

  it('names the first and the last of several missing migrations', async () => {
    const second = MIGRATIONS[1] ?? '';
    await exec(`delete from supabase_migrations.schema_migrations where version >= '${second.slice(0, 14)}'`);
    expect(await find()).toContain(`: ${second} to ${LAST}.`);
  });

  it('accepts a database whose migrations are not recorded', async () => {
    await exec('drop table supabase_migrations.schema_migrations');
    expect(await find()).toBeNull();
  });

  it('recognizes a database without the functions of the service', async () => {
    await exec('drop function public.applied_migrations()');
    expect(await find()).toBe(
      `The database is empty or incomplete: it lacks the function applied_migrations. The last migration is ${LAST}. ` +
        'Stop the service, apply the migrations in supabase/migrations with `npx supabase db push`, and start it again.',
    );
  });
});
