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
  recordClaimChecks,
  verifyClaim,
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

it('leases due claims once, and ends those whose proof is gone or stays unreadable', async () => {
  const hosts = [await addHost(), await addHost(), await addHost()];
  const letters = ['g', 'h', 'i'];
  for (const [index, letter] of letters.entries()) await verify(hosts[index] ?? '', letter);
  const now = T0 + 2 * DAY_MS;
  const lease = () => claimDueClaims(database.db, { now, leaseUntil: now + 60_000, limit: 10 });
  const leased = (await lease()).map(({ id }) => id);
  expect(leased).toEqual(expect.arrayContaining(letters.map(toId)));
  expect(await lease()).toEqual([]);

  const record = (at: number) =>
    recordClaimChecks(
      database.db,
      [
        { id: toId('g'), result: 'found', proof: 'file' },
        { id: toId('h'), result: 'missing' },
        { id: toId('i'), result: 'unreadable' },
      ],
      { now: at, nextCheckAt: at + DAY_MS, unreadableBefore: at - 3 * DAY_MS },
    );
  expect(await record(now)).toEqual([hosts[1]]);
  expect(await find('g')).toMatchObject({ proof: 'file', checkedAt: now, unreadableSince: null });
  expect(await find('h')).toMatchObject({ status: 'ended', endReason: 'proof-removed', endedAt: now });
  expect(await find('i')).toMatchObject({ status: 'active', unreadableSince: now });
  expect(await record(now + 3 * DAY_MS - 1)).toEqual([]);
  expect(await record(now + 3 * DAY_MS)).toEqual([hosts[2]]);
  expect(await find('i')).toMatchObject({ status: 'ended', endReason: 'unreadable' });
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
