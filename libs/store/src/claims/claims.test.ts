import { DAY_MS } from '@touchstone/common';
import { expect, it } from 'vitest';
import { T0, useTestDatabase } from '../testing/fixtures.ts';
import {
  claimDueClaims,
  createClaim,
  endClaim,
  expireClaims,
  findActiveClaim,
  findClaim,
  findClaimSecretHash,
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
    id: `claim${String(hosts)
      .padStart(5, 'a')
      .replace(/[018-9]/g, 'b')}`,
    resource: `https://${host}/paid`,
    host,
    slug: `claim-${hosts}`,
    templated: false,
    first_seen_at: new Date(T0).toISOString(),
  });
  expect(error).toBeNull();
  return host;
}

const create = (host: string, letter: string, maxPending = 5) =>
  createClaim(
    database.db,
    {
      id: toId(letter),
      host,
      secretHash: `hash ${letter}`,
      proofKey: `key ${letter}`,
      verifyUntil: T0 + 7 * DAY_MS,
    },
    { maxPending, now: T0 },
  );
const verify = (letter: string, replaced: string | null = null, now = T0 + 1) =>
  verifyClaim(database.db, { id: toId(letter), proof: 'dns', replaced, nextCheckAt: now + DAY_MS, now });
const find = (letter: string) => findClaim(database.db, toId(letter));

it('creates claims of known hosts only, and a limited number of pending claims of each', async () => {
  const host = await addHost();
  expect(await create('unknown.example.com', 'a')).toBe('unknown-host');
  expect(await create(`sub.${host}`, 'a')).toBe('unknown-host');
  expect(await create(host, 'a', 2)).toBe('created');
  expect(await create(host, 'b', 2)).toBe('created');
  expect(await create(host, 'c', 2)).toBe('too-many');
  expect(await findClaimSecretHash(database.db, toId('a'))).toBe('hash a');
  expect(await findClaimSecretHash(database.db, toId('c'))).toBeNull();
  expect(await find('a')).toMatchObject({ host, status: 'pending', verifiedAt: null, proof: null });
});

it('activates one claim of a host, which another claim replaces only if its proof is gone', async () => {
  const host = await addHost();
  await create(host, 'd');
  await create(host, 'e');
  expect(await verify('d')).toBe('active');
  expect(await verify('d', null, T0 + 5)).toBe('active');
  expect(await verify('e')).toBe('taken');
  expect(await verify('e', toId('a'))).toBe('taken');
  expect(await verify('e', toId('d'))).toBe('active');
  expect(await find('d')).toMatchObject({ status: 'ended', endReason: 'replaced', verifiedAt: T0 + 1 });
  expect(await verify('d')).toBe('ended');
  expect(await findActiveClaim(database.db, host)).toMatchObject({ id: toId('e'), proof: 'dns' });
});

it('refuses the verification after the time for it, and ends and later deletes the claim', async () => {
  const host = await addHost();
  await create(host, 'f');
  const late = T0 + 7 * DAY_MS;
  expect(await verify('f', null, late)).toBe('ended');
  const expire = (deleteBefore: number) => expireClaims(database.db, { now: late, deleteBefore, limit: 10 });
  expect(await expire(late)).toBe(1);
  expect(await find('f')).toMatchObject({ status: 'ended', endReason: 'not-verified' });
  expect(await expire(late + 1)).toBe(3);
  expect(await find('f')).toBeNull();
});

it('leases due claims once, and ends those whose proof is gone or stays unreadable', async () => {
  const checkedHosts = [await addHost(), await addHost(), await addHost()];
  const letters = ['g', 'h', 'i'];
  for (const [index, letter] of letters.entries()) {
    await create(checkedHosts[index] ?? '', letter);
    await verify(letter);
  }
  const now = T0 + 2 * DAY_MS;
  const lease = () => claimDueClaims(database.db, { now, leaseUntil: now + 60_000, limit: 10 });
  const leased = (await lease())
    .map(({ id }) => id)
    .filter((id) => letters.some((letter) => id === toId(letter)));
  expect(leased.sort()).toEqual(letters.map(toId));
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
  expect(await record(now)).toEqual([checkedHosts[1]]);
  expect(await find('g')).toMatchObject({ proof: 'file', checkedAt: now, unreadableSince: null });
  expect(await find('h')).toMatchObject({ status: 'ended', endReason: 'proof-removed', endedAt: now });
  expect(await find('i')).toMatchObject({ status: 'active', unreadableSince: now });
  expect(await record(now + 3 * DAY_MS - 1)).toEqual([]);
  expect(await record(now + 3 * DAY_MS)).toEqual([checkedHosts[2]]);
  expect(await find('i')).toMatchObject({ status: 'ended', endReason: 'unreadable' });
});

it('ends a claim as its owner wishes, once', async () => {
  const host = await addHost();
  await create(host, 'j');
  await verify('j');
  const end = (now: number) => endClaim(database.db, { id: toId('j'), now });
  expect(await end(T0 + 9)).toEqual([host]);
  expect(await end(T0 + 10)).toEqual([]);
  expect(await find('j')).toMatchObject({ status: 'ended', endReason: 'ended-by-owner', endedAt: T0 + 9 });
});
