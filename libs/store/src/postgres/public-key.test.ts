import { createKeys, type EmbeddedDatabase } from '@touchstone/embedded';
import { startNew } from '@touchstone/embedded/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../index.ts';
import { server, useSharedDatabase } from '../testing/postgres/shared-database.ts';
import { formatEndpointInsert, formatSnapshotInsert } from '../testing/postgres/snapshot-rows.ts';

/** Tables that the public roles may read. A policy selects the visible rows. */
const READABLE_TABLES = ['ecosystem_days', 'ecosystem_totals', 'snapshots'];
/** SQL call of each function that pages may use with the public API key of the database, by function name. */
const CALLS: Readonly<Record<string, string>> = {
  categories: 'categories()',
  corrections: 'corrections(10)',
  delivery_ledger: 'delivery_ledger(now(), 10)',
  ecosystem: 'ecosystem()',
  ecosystem_event_counts: `ecosystem_event_counts(null, 'removed222')`,
  ecosystem_events: `ecosystem_events(array['listed', 'delisted'], 10, null, null, null, 'removed222')`,
  endpoint_days: `endpoint_days('removed222')`,
  endpoint_disputes: `endpoint_disputes('removed222', 10)`,
  endpoint_provider: `endpoint_provider('removed222')`,
  explore: `explore('', '{}', 'score', 10)`,
  host_claim: `host_claim('removed222.example.com')`,
  page_target: `page_target('removed222')`,
  provider: `provider('h')`,
  provider_exists: `provider_exists('h')`,
  published_purchase: `published_purchase('p')`,
  sitemap_endpoints: `sitemap_endpoints('r')`,
  sitemap_providers: 'sitemap_providers()',
  sitemap_shards: 'sitemap_shards()',
  suggest: `suggest('removed222')`,
  uptime_days: `uptime_days(array['removed222'])`,
};
/**
 * Small functions without their own search path. PostgreSQL inlines them, or they cost less than setting the path
 * (migration `access`).
 */
const SMALL_FUNCTIONS = [
  'add_anchor_times',
  'cadence_seconds',
  'count_in_histogram',
  'is_indexable',
  'is_liveness',
  'is_newer',
  'is_wallet',
  'newest',
  'next_due',
  'next_slot',
  'normalize_wallet',
  'to_sparse_histogram',
];
/** Pairs: an SQL statement that the public roles may not run, and the database object that the statement needs. */
const REFUSED = [
  ...['ecosystem_days', 'ecosystem_totals', 'snapshots'].flatMap((name) => [
    [`insert into ${name} default values`, `table ${name}`],
    [`delete from ${name}`, `table ${name}`],
  ]),
  ['update ecosystem_days set day = day', 'table ecosystem_days'],
  [`update ecosystem_totals set figures = '{}'`, 'table ecosystem_totals'],
  ['update snapshots set public = true', 'table snapshots'],
  ['select * from endpoints', 'table endpoints'],
  [`select nextval('changes_id_seq')`, 'sequence changes_id_seq'],
  ['select refresh_ecosystem()', 'function refresh_ecosystem'],
  [`select prune_rows('{"ecosystem_days": "2030-01-01"}', 1)`, 'function prune_rows'],
  [`select * from claim_due_endpoints('anon', now(), 1, 60)`, 'function claim_due_endpoints'],
  ['select internal.compute_ecosystem()', 'schema internal'],
];

const PUBLIC_ROLES = ['anon', 'authenticated'];

type ReadRows = (sql: string) => Promise<Record<string, unknown>[]>;

/** Returns the schemas that a role may use or create objects in, except the schemas that PostgreSQL creates. */
async function readSchemas(readRows: ReadRows, role: string): Promise<unknown[]> {
  const schemas = await readRows(`
    select nspname::text as name, has_schema_privilege('${role}', oid, 'create') as creates from pg_namespace
    where nspname !~ '^pg_|^information_schema$' and has_schema_privilege('${role}', oid, 'usage, create')
    order by nspname`);
  return schemas.map(({ name, creates }) => (creates === true ? { creates: name } : name));
}

/** Defines the tests of the rights that the migrations grant to a public role. */
function testRights(role: string, readRows: ReadRows): void {
  it('may read three tables and change none', async () => {
    const tables = await readRows(`
        select relname as name, has_any_column_privilege('${role}', oid, 'select') as reads,
          has_table_privilege('${role}', oid, 'delete, truncate, trigger')
            or has_any_column_privilege('${role}', oid, 'insert, update, references') as writes,
          relrowsecurity as secured
        from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm') order by relname`);
    expect(tables.length).toBeGreaterThan(35);
    expect(tables.filter(({ reads }) => reads).map(({ name }) => name)).toEqual(READABLE_TABLES);
    expect(tables.filter(({ writes }) => writes)).toEqual([]);
    expect(tables.filter(({ secured }) => !secured)).toEqual([]);
  });

  it('may use no sequence', async () => {
    const sequences = await readRows(`
        select relname as name, has_sequence_privilege('${role}', oid, 'usage, select, update') as allowed
        from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S'`);
    expect(sequences.length).toBeGreaterThan(3);
    expect(sequences.filter(({ allowed }) => allowed)).toEqual([]);
  });

  it('may call only the functions of pages', async () => {
    const functions = await readRows(`
        select proname as name, has_function_privilege('${role}', oid, 'execute') as allowed
        from pg_proc where pronamespace = 'public'::regnamespace order by proname`);
    expect(functions.length).toBeGreaterThan(70);
    expect(functions.filter(({ allowed }) => allowed).map(({ name }) => name)).toEqual(Object.keys(CALLS));
  });

  it('may use only the public schema', async () => {
    expect(await readSchemas(readRows, role)).toEqual(['public']);
  });
}

describe('on the embedded database after its first requests', () => {
  let database: EmbeddedDatabase;
  const readRows: ReadRows = async (sql) =>
    (await database.connection.driver.query<Record<string, unknown>>(sql)).rows;
  beforeAll(async () => {
    const keys = createKeys();
    database = await startNew({ keys });
    for (const key of [keys.publishable, keys.secret]) {
      const response = await connect({ url: database.url, key }).from('snapshots').select('slug');
      expect(response.error).toBeNull();
    }
  });
  afterAll(() => database.close());

  describe.each(PUBLIC_ROLES)('the role %s', (role) => testRights(role, readRows));

  it('the role of the secret key may use the schemas of the service, and create no objects', async () => {
    expect(await readSchemas(readRows, 'service_role')).toEqual(['extensions', 'internal', 'public']);
  });
});

describe.skipIf(server === '').each(PUBLIC_ROLES)(
  'after migrations by a role that is no superuser, the role %s',
  (role) => {
    const shared = useSharedDatabase();
    beforeAll(async () => {
      for (const id of ['listed2222', 'removed222'])
        await shared.admin.exec(formatEndpointInsert(id) + formatSnapshotInsert(id));
      await shared.admin.exec(`update endpoints set removed_at = now() where id = 'removed222'`);
    });

    /** Runs a statement with the rights of a role. */
    const runAs = async (statement: string) => {
      await shared.admin.exec(`set role ${role}`);
      try {
        if (statement.startsWith('select')) return await shared.admin.rows(statement);
        await shared.admin.exec(statement);
        return [];
      } finally {
        await shared.admin.exec('reset role');
      }
    };

    it('has rights on new objects until a migration revokes them', async () => {
      // The role has default rights on new objects. Without them, the other tests would pass even if no migration
      // revoked a right.
      const kinds = await shared.admin.rows(`
          select distinct d.defaclobjtype::text as kind from pg_default_acl d, aclexplode(d.defaclacl) a
          where d.defaclnamespace = 'public'::regnamespace and a.grantee = '${role}'::regrole
            and d.defaclrole = (select relowner from pg_class where oid = 'snapshots'::regclass)
          order by kind`);
      // `S`, `f` and `r` are sequences, functions and tables.
      expect(kinds.map(({ kind }) => kind)).toEqual(['S', 'f', 'r']);
    });

    testRights(role, (sql) => shared.admin.rows(sql));

    it('calls only functions with an empty search path, except the small ones', async () => {
      const functions = await shared.admin.rows(`
        select proname as name from pg_proc
        where pronamespace in ('public'::regnamespace, 'internal'::regnamespace)
          and 'search_path=""' <> all (coalesce(proconfig, '{}'))
        order by proname`);
      expect(functions.map(({ name }) => name)).toEqual(SMALL_FUNCTIONS);
    });

    it('reads the snapshots of listed endpoints, and none of removed ones', async () => {
      const snapshots = 'select slug, public from snapshots order by slug';
      const listed = { slug: 'listed2222', public: true };
      expect(await shared.admin.rows(snapshots)).toEqual([listed, { slug: 'removed222', public: false }]);
      expect(await runAs(snapshots)).toEqual([listed]);
      expect(await runAs('select day from ecosystem_days')).toEqual([]);
      expect(await runAs('select id from ecosystem_totals')).toEqual([{ id: true }]);
    });

    it('receives no removed endpoint from the functions of pages', async () => {
      const results = new Map<string, unknown>();
      for (const [name, call] of Object.entries(CALLS)) {
        const [row] = await runAs(`select ${call} as result`);
        results.set(name, row?.['result']);
      }
      const texts = [...results].map(([name, result]) => [name, JSON.stringify(result)] as const);
      expect(texts.filter(([, text]) => text.includes('removed222'))).toEqual([]);
      expect(texts.filter(([, text]) => text.includes('listed2222')).map(([name]) => name)).toEqual([
        'explore',
      ]);
      expect(results.get('page_target')).toEqual({ slug: null, removed: true, optedOutAt: null });
    });

    it('receives a permission error for each other statement', async () => {
      for (const [statement = '', object = ''] of REFUSED) {
        const error = { code: '42501', message: `permission denied for ${object}` };
        await expect(runAs(statement), statement).rejects.toMatchObject(error);
      }
    });
  },
);
