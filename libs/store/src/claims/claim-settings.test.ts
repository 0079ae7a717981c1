import { DAY_MS, HOUR_MS, MINUTE_MS } from '@touchstone/common';
import { expect, it } from 'vitest';
import {
  applyOptOuts,
  endClaim,
  findClaim,
  readReportSubject,
  readSummarySource,
  verifyClaim,
} from '../index.ts';
import { readPageNames } from '../sitemap/sitemap.ts';
import { openHosts } from '../testing/hosts.ts';
import { makeEndpoint, makeId, makeSnapshotRow, T0, toIso, useTestDatabase } from '../testing/fixtures.ts';
import { editClaim, type ClaimEdit } from './claim-settings.ts';
import { pruneRows } from '../retention/retention.ts';
import { saveSnapshots } from '../scoring/scoring.ts';

const database = useTestDatabase();
const NOW = T0 + 2 * HOUR_MS;

let numbers = 0;
/** Adds two endpoints with snapshots on a new host, and an active claim of the host. */
async function claimHost({ letter }: { readonly letter: string }) {
  const ids = [makeId((numbers += 1)), makeId((numbers += 1))];
  const host = `${letter}.settings.test`;
  const claimId = `c_${letter.repeat(26)}`;
  const list = (at: number, moreIds: readonly string[] = []) =>
    database.discover(
      letter,
      at,
      [...ids, ...moreIds].map((id) => makeEndpoint(id, { host, resource: `https://${host}/${id}` })),
    );
  await list(T0);
  for (const id of ids) await database.publish(id, T0 + HOUR_MS, { snapshot: { host } });
  const claim = { id: claimId, host, proofKey: letter, proof: 'dns' } as const;
  const verify = (now: number) =>
    verifyClaim(database.db, claim, { replaced: null, nextCheckAt: NOW + DAY_MS, now });
  await verify(T0 + HOUR_MS);
  return {
    ...{ host, claimId, list, verify, first: ids[0] ?? '', second: ids[1] ?? '' },
    edit: (edit: ClaimEdit, now = NOW) => editClaim(database.db, { id: claimId, edit, now }),
    readSettings: async () => (await findClaim(database.db, claimId))?.settings,
    end: () => endClaim(database.db, { id: claimId, now: NOW + HOUR_MS }),
  };
}

const readProvider = (id: string) => database.openStore().readEndpointProvider(id);

it('replaces statements, and keeps the time of an unchanged text', async () => {
  const { first, second, edit, readSettings, end } = await claimHost({ letter: 'a' });
  const other = await claimHost({ letter: 'b' });
  const down = { endpointId: first, subject: 'down-now', text: 'We moved.' };
  const slow = { endpointId: second, subject: 'slow', text: 'A new region follows.' };
  expect(await edit({ statements: [down, slow, { ...down, endpointId: other.first }] })).toBe(true);
  expect((await readProvider(first))?.notes?.statements).toEqual([
    { subject: 'down-now', text: 'We moved.', statedAt: toIso(NOW) },
  ]);
  expect((await readProvider(other.first))?.notes?.statements).toEqual([]);
  await edit({ statements: [down, { ...slow, text: 'Done.' }] }, NOW + 1000);
  expect((await readSettings())?.statements.map(({ text, statedAt }) => [text, statedAt])).toEqual([
    ['We moved.', toIso(NOW)],
    ['Done.', toIso(NOW + 1000)],
  ]);
  await edit({ statements: [down] });
  expect((await readProvider(second))?.notes?.statements).toEqual([]);
  await end();
  expect(await readProvider(first)).toMatchObject({ notes: null });
  expect(await edit({ statements: [down] })).toBe(false);
});

it('announces maintenance, and keeps windows that have started', async () => {
  const { first, second, edit, readSettings } = await claimHost({ letter: 'c' });
  const toWindow = (startsAt: number, endpointId: string | null = null) => ({
    ...{ endpointId, text: 'Upgrade', startsAt: toIso(startsAt), endsAt: toIso(startsAt + HOUR_MS) },
  });
  const soon = toWindow(NOW + 10 * MINUTE_MS);
  const later = toWindow(NOW + DAY_MS, second);
  await edit({ maintenance: [soon, later] });
  await edit({ maintenance: [soon, later] }, NOW + MINUTE_MS);
  expect((await readSettings())?.maintenance.map(({ announcedAt }) => announcedAt)).toEqual([
    toIso(NOW),
    toIso(NOW),
  ]);
  const readStarts = async (id: string) =>
    (await readProvider(id))?.notes?.maintenance.map(({ startsAt }) => startsAt);
  expect(await readStarts(first)).toEqual([soon.startsAt]);
  expect(await readStarts(second)).toEqual([soon.startsAt, later.startsAt]);
  await edit({ maintenance: [] }, NOW + 30 * MINUTE_MS);
  expect(await readStarts(second)).toEqual([soon.startsAt]);
  await edit({ maintenance: [toWindow(NOW)] }, NOW + 30 * MINUTE_MS);
  expect(await readStarts(second)).toEqual([soon.startsAt]);
});

it('keeps windows that have started when the claim ends and is verified again', async () => {
  const { first, edit, end, verify, readSettings } = await claimHost({ letter: 'i' });
  const toWindow = (startsAt: number) => ({
    ...{ endpointId: null, text: 'Upgrade', startsAt: toIso(startsAt), endsAt: toIso(startsAt + DAY_MS) },
  });
  const [started, future] = [toWindow(NOW + MINUTE_MS), toWindow(NOW + DAY_MS)];
  await edit({ maintenance: [started, future] });
  await end();
  await verify(NOW + 2 * HOUR_MS);
  expect((await readSettings())?.maintenance).toMatchObject([{ startsAt: started.startsAt }]);
  expect((await readProvider(first))?.notes?.maintenance).toMatchObject([{ startsAt: started.startsAt }]);
  await pruneRows(database.db, { maintenance_windows: Date.parse(started.endsAt) + 1 }, 10);
  expect((await readSettings())?.maintenance).toEqual([]);
});

it('stores the contact of a host, until the claim ends', async () => {
  const { host, edit, end } = await claimHost({ letter: 'd' });
  await edit({ contact: 'security@example.com' });
  const readClaim = () => database.openStore().readHostClaim(host);
  expect(await readClaim()).toEqual({ claimedSince: toIso(T0 + HOUR_MS), contact: 'security@example.com' });
  await edit({ optOut: false });
  expect((await readClaim())?.contact).toBe('security@example.com');
  await edit({ contact: null });
  expect((await readClaim())?.contact).toBeNull();
  await end();
  expect(await readClaim()).toBeNull();
});

it('stops probing and listing after an opt-out, also of new endpoints, until it is reversed', async () => {
  const hosts = openHosts(database, 'settings');
  const { host, first, second, list, edit, readSettings } = await claimHost({ letter: 'e' });
  const open = database.openStore();
  const isClaimed = async (now: number) =>
    (await hosts.claim(now)).some(({ resource }) => resource.startsWith(`https://${host}/`));
  expect(await isClaimed(NOW)).toBe(true);
  await database.db.from('leases').delete().in('endpoint_id', [first, second]);

  await database.publish(second, NOW, { snapshot: { host, recommendation: 'avoid' } });
  expect(await readProvider(second)).toMatchObject({ avoidedOn: null });
  await edit({ optOut: true });
  expect((await readSettings())?.optedOutAt).toBe(toIso(NOW));
  expect(await readProvider(second)).toMatchObject({ avoidedOn: toIso(NOW).slice(0, 10) });
  expect(await isClaimed(NOW + DAY_MS)).toBe(false);
  expect(await open.readSnapshot(first)).toBeNull();
  expect(await open.hasProvider(host)).toBe(false);
  expect(await readProvider(first)).toMatchObject({
    ...{ optedOutAt: toIso(NOW), avoidedOn: null },
    resource: `https://${host}/${first}`,
  });
  expect(await open.findPageTarget(first)).toMatchObject({ optedOutAt: toIso(NOW) });
  const names = await readPageNames(database.db, { kind: 'endpoint', after: '', limit: 1000 });
  expect(names).toContain(first);

  const added = makeId((numbers += 1));
  await list(NOW + HOUR_MS, [added]);
  await database.publish(first, NOW + HOUR_MS, { snapshot: { host } });
  await database.publish(added, NOW + HOUR_MS, { snapshot: { host } });
  expect(await open.readSnapshot(first)).toBeNull();
  expect(await open.readSnapshot(added)).toBeNull();
  expect(await isClaimed(NOW + DAY_MS)).toBe(false);
  const place = { host, pathUrl: `https://${host}/unknown` };
  expect(
    await readSummarySource(database.db, { endpointId: 'zzzzzzzzzz', place, network: null, payTo: null }),
  ).toMatchObject({ snapshot: null, optedOutAt: toIso(NOW) });
  const request = { endpointId: 'zzzzzzzzzz', ...place, now: NOW, provisionalUntil: NOW };
  expect(await readReportSubject(database.db, request)).toMatchObject({
    endpoint: null,
    optedOutAt: toIso(NOW),
  });

  // A paid watch of the endpoint was sold before the opt-out.
  await database.db.from('schedules').update({ watched: true }).eq('endpoint_id', second);
  expect(await isClaimed(NOW + 2 * DAY_MS)).toBe(true);
  await database.db.from('schedules').update({ watched: false }).eq('endpoint_id', second);
  await database.db.from('leases').delete().in('endpoint_id', [first, second]);

  await edit({ optOut: false }, NOW + 2 * HOUR_MS);
  const queue = await database.readQueue(NOW + 2 * HOUR_MS);
  expect(queue).toEqual(expect.arrayContaining([first, second, added]));
  for (const id of [first, added]) await database.publish(id, NOW + 3 * HOUR_MS, { snapshot: { host } });
  expect(await open.readSnapshot(first)).not.toBeNull();
  expect(await open.readSnapshot(added)).not.toBeNull();
  expect(await isClaimed(NOW + 3 * DAY_MS)).toBe(true);
  expect(await readProvider(first)).toMatchObject({ optedOutAt: null });
});

it('lets the endpoints of a large host follow an opt-out in batches, and stops its probes at once', async () => {
  const hosts = openHosts(database, 'settings');
  const { host, first, second, edit } = await claimHost({ letter: 'j' });
  const claimed = async (now: number) =>
    (await hosts.claim(now)).filter(({ resource }) => resource.startsWith(`https://${host}/`)).length;
  /** Sets both endpoints to the state that a batch for other endpoints leaves them in. */
  const leaveOut = (values: { readonly removed_at: string | null; readonly opted_out: boolean }) =>
    database.db.from('endpoints').update(values).in('id', [first, second]);
  const readOptOuts = async () =>
    (await Promise.all([first, second].map(readProvider))).map((provider) => provider?.optedOutAt);

  await edit({ optOut: true });
  await leaveOut({ removed_at: null, opted_out: false });
  expect(await claimed(NOW + DAY_MS)).toBe(0);
  const place = { host, pathUrl: `https://${host}/${first}` };
  const request = { endpointId: first, ...place, now: NOW, provisionalUntil: NOW };
  expect(await readReportSubject(database.db, request)).toMatchObject({ endpoint: { removed: true } });
  expect(await applyOptOuts(database.db, 1)).toEqual([host]);
  expect((await readOptOuts()).filter((at) => at === toIso(NOW))).toHaveLength(1);
  expect(await applyOptOuts(database.db, 1)).toEqual([host]);
  expect(await readOptOuts()).toEqual([toIso(NOW), toIso(NOW)]);
  expect(await applyOptOuts(database.db, 1)).toEqual([]);

  await edit({ optOut: false });
  await leaveOut({ removed_at: toIso(NOW), opted_out: true });
  expect(await applyOptOuts(database.db, 500)).toEqual([host]);
  expect(await readOptOuts()).toEqual([null, null]);
  expect(await claimed(NOW + 2 * DAY_MS)).toBe(2);
});

it('ends an opt-out with its claim, and keeps endpoints that the operator removed', async () => {
  const { first, second, edit, end } = await claimHost({ letter: 'f' });
  await database.db
    .from('endpoints')
    .update({ removed_at: toIso(NOW) })
    .eq('id', second);
  await edit({ optOut: true });
  expect(await readProvider(second)).toBeNull();
  await end();
  expect((await readProvider(first))?.optedOutAt).toBeNull();
  expect(await database.openStore().findPageTarget(second)).toBe('removed');
});

it('keeps a restored endpoint in the queue if its score was computed before', async () => {
  const { first, edit } = await claimHost({ letter: 'g' });
  await edit({ optOut: true });
  const hidden = makeSnapshotRow(first, 50, { public: false });
  await edit({ optOut: false });
  await saveSnapshots(database.db, NOW + HOUR_MS, [hidden]);
  expect(await database.readQueue(NOW + HOUR_MS)).toContain(first);
});

it('still shows a changed wallet of an endpoint whose provider opted out, without a verdict', async () => {
  const { first, host, edit } = await claimHost({ letter: 'h' });
  const score = (at: number, kinds: readonly string[]) => {
    const facts = { alerts: kinds.map((kind) => ({ kind, since: null, changedAt: null })) };
    const detail = { scoringVersion: '1.0.0', inputs: {}, facts };
    return saveSnapshots(database.db, at, [makeSnapshotRow(first, 90, { snapshot: { host }, detail })]);
  };
  await score(NOW - 2000, []);
  await score(NOW - 1000, ['takeover-suspected', 'outage']);
  const query = { kinds: [], endpointId: first, before: null, limit: 10 };
  const open = database.openStore();
  expect((await open.readEcosystemEvents(query)).events.map(({ kind }) => kind).sort()).toEqual([
    'outage',
    'takeover-suspected',
  ]);
  await edit({ optOut: true });
  expect((await open.readEcosystemEvents(query)).events).toMatchObject([
    { kind: 'takeover-suspected', grade: '?', recommendation: 'unverified', failingSince: null },
  ]);
  expect((await open.readEcosystemEvents({ ...query, endpointId: null, host })).events).toHaveLength(1);
  expect(await open.countEcosystemEvents({ endpointId: first })).toMatchObject({
    'takeover-suspected': 1,
    outage: 0,
  });
});
