import { DAY_MS } from '@touchstone/common';
import { expect, it } from 'vitest';
import { T0, useTestDatabase } from '../testing/fixtures.ts';
import {
  claimDueClaims,
  deleteEndedClaims,
  endClaim,
  findActiveClaim,
  findClaim,
  isClaimable,
  recordClaimCheck,
  verifyClaim,
  type ClaimCheck,
} from './claims.ts';

const database = useTestDatabase();

const toId = (letter: string) => `c_${letter.repeat(26)}`;
const HOST = 'claims.example.com';

let hosts = 0;
/** Adds an endpoint on a new host to the catalog, and returns the host. */
async function addHost(): Promise<string> {
  hosts += 1;
  const host = `${hosts}.${HOST}`;
  const { error } = await database.db.from('endpoints').insert({
    id: `claimhost${'abcdefghijklmnopqrst'[hosts] ?? ''}`,
    resource: `https://${host}/paid`,
    host,
    slug: `claim-${hosts}`,
    templated: false,
    first_seen_at: new Date(T0).toISOString(),
  });
  expect(error).toBeNull();
  return host;
}

const verify = (
  host: string,
  letter: string,
  { replaced = null, now = T0 + 1 }: { readonly replaced?: string | null; readonly now?: number } = {},
) =>
  verifyClaim(
    database.db,
    { id: toId(letter), host, proofKey: `key ${letter}`, proof: 'dns' },
    { replaced, nextCheckAt: now + DAY_MS, now },
  );
const find = (letter: string) => findClaim(database.db, toId(letter));

it('is possible for the hosts of the catalog only', async () => {
  const host = await addHost();
  const names = [host, `sub.${host}`, HOST];
  expect(await Promise.all(names.map((name) => isClaimable(database.db, name)))).toEqual([
    true,
    false,
    false,
  ]);
});

it('keeps one active claim of a host, which another claim replaces only if the caller names it', async () => {
  const [host, otherHost] = [await addHost(), await addHost()];
  expect(await verify(host, 'd')).toBe('active');
  expect(await verify(host, 'd', { now: T0 + 5 })).toBe('active');
  expect(await verify(otherHost, 'd')).toBe('other-host');
  expect(await verify(host, 'e')).toBe('taken');
  expect(await verify(host, 'e', { replaced: toId('a') })).toBe('taken');
  expect(await verify(host, 'e', { replaced: toId('d') })).toBe('active');
  expect(await find('d')).toMatchObject({ status: 'ended', endReason: 'replaced', verifiedAt: T0 + 1 });
  expect(await findActiveClaim(database.db, host)).toMatchObject({ id: toId('e'), proof: 'dns' });
});

it('makes a claim that has ended active again', async () => {
  const host = await addHost();
  await verify(host, 'f');
  expect(await endClaim(database.db, { id: toId('f'), now: T0 + 9 })).toEqual([host]);
  expect(await endClaim(database.db, { id: toId('f'), now: T0 + 10 })).toEqual([]);
  expect(await find('f')).toMatchObject({ status: 'ended', endReason: 'ended-by-owner', endedAt: T0 + 9 });
  expect(await verify(host, 'f', { now: T0 + 11 })).toBe('active');
  expect(await find('f')).toMatchObject({ verifiedAt: T0 + 11, endedAt: null, endReason: null });
});

/** Leases all due claims, and returns the end of the lease. */
async function lease(now: number): Promise<number> {
  const leaseUntil = now + 60_000;
  await claimDueClaims(database.db, { now, leaseUntil, limit: 100 });
  return leaseUntil;
}

/** Leases the due claims, and records their checks a second later. */
async function check(now: number, ...checks: readonly ClaimCheck[]) {
  const times = { now, leaseUntil: await lease(now), nextCheckAt: now + DAY_MS };
  const record = (one: ClaimCheck) =>
    recordClaimCheck(database.db, one, { ...times, unreadableBefore: now - 3 * DAY_MS });
  return (await Promise.all(checks.map(record))).flat();
}

it('leases due claims once', async () => {
  await verify(await addHost(), 'g');
  const now = T0 + 2 * DAY_MS;
  const claimDue = () => claimDueClaims(database.db, { now, leaseUntil: now + 60_000, limit: 10 });
  expect(await claimDue()).toContainEqual({ id: toId('g'), host: `${hosts}.${HOST}`, proofKey: 'key g' });
  expect(await claimDue()).toEqual([]);
});

it('ends claims whose proof is gone, or stays unreadable for three days', async () => {
  const hosts = [await addHost(), await addHost(), await addHost()];
  for (const [index, letter] of ['k', 'l', 'm'].entries()) await verify(hosts[index] ?? '', letter);
  const now = T0 + 2 * DAY_MS;
  const unreadable = { id: toId('m'), result: 'unreadable' } as const;
  expect(
    await check(
      now,
      { id: toId('k'), result: 'found', proof: 'file' },
      { id: toId('l'), result: 'missing' },
      unreadable,
    ),
  ).toEqual([hosts[1]]);
  expect(await find('k')).toMatchObject({ proof: 'file', checkedAt: now, unreadableSince: null });
  expect(await find('l')).toMatchObject({ status: 'ended', endReason: 'proof-removed', endedAt: now });
  expect(await find('m')).toMatchObject({ status: 'active', unreadableSince: now });
  for (const day of [1, 2]) expect(await check(now + day * DAY_MS, unreadable)).toEqual([]);
  expect(await check(now + 3 * DAY_MS, unreadable)).toEqual([hosts[2]]);
  expect(await find('m')).toMatchObject({ status: 'ended', endReason: 'unreadable' });
});

it('counts no pause of the checks as time in which a proof was unreadable', async () => {
  await verify(await addHost(), 'n');
  const unreadable = { id: toId('n'), result: 'unreadable' } as const;
  await check(T0 + DAY_MS + 1, unreadable);
  const later = T0 + 9 * DAY_MS;
  expect(await check(later, unreadable)).toEqual([]);
  expect(await find('n')).toMatchObject({ status: 'active', unreadableSince: later });
});

it('keeps a claim that its owner verifies during the check', async () => {
  const host = await addHost();
  await verify(host, 'o');
  const now = T0 + 2 * DAY_MS;
  const leaseUntil = await lease(now);
  await verify(host, 'o', { now });
  const times = { now, leaseUntil, nextCheckAt: now + DAY_MS, unreadableBefore: now };
  const missing = { id: toId('o'), result: 'missing' } as const;
  expect(await recordClaimCheck(database.db, missing, times)).toEqual([]);
  expect(await find('o')).toMatchObject({ status: 'active' });
});

it('keeps ten ended claims of a host that is claimed a thousand times', async () => {
  const host = await addHost();
  const ids = Array.from({ length: 20 }, (_, index) => `c_p${String.fromCharCode(97 + index).repeat(25)}`);
  for (const [index, id] of ids.entries()) {
    const now = T0 + index;
    const times = { replaced: ids[index - 1] ?? null, nextCheckAt: now + DAY_MS, now };
    await verifyClaim(database.db, { id, host, proofKey: '', proof: 'dns' }, times);
  }
  const stored = await database.db.from('claims').select('id').eq('host', host).order('verified_at');
  expect(stored.data?.map(({ id }) => id)).toEqual(ids.slice(-11));
});

it('deletes claims some time after their end', async () => {
  const host = await addHost();
  await verify(host, 'j');
  await endClaim(database.db, { id: toId('j'), now: T0 - DAY_MS });
  const deleteBefore = (before: number) => deleteEndedClaims(database.db, { before, limit: 10 });
  expect(await deleteBefore(T0 - DAY_MS)).toBe(0);
  expect(await deleteBefore(T0 - DAY_MS + 1)).toBe(1);
  expect(await find('j')).toBeNull();
});
