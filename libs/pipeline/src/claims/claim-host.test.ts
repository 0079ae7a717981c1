import { DAY_MS, HOUR_MS, MINUTE_MS } from '@touchstone/common';
import { claimCreatedSchema, claimSchema, type ClaimCreated } from '@touchstone/contract';
import { createProber } from '@touchstone/probe';
import { beforeEach, describe, expect, it } from 'vitest';
import { toClaimTag } from '../pages.ts';
import { storeProbedEndpoint } from '../testing/store-endpoint.ts';
import { useWorld } from '../testing/world.ts';
import { checkClaims } from './check-claims.ts';
import { createClaim, endClaim, readClaim, verifyClaim } from './claim-host.ts';
import type { ClaimContext } from './claim-context.ts';
import { createProofReader } from './read-proof.ts';

const world = useWorld();
const [HOST, SUBDOMAIN] = ['claimed.example.com', 'pay.claimed.example.com'];
/** Text of the file of each host; null while the host does not respond. */
const files = new Map<string, string | null>();
let expired: string[] = [];

/** Creates a canary that does not respond, as while this machine has no network. */
const createDeadCanaries = () => ({
  urls: ['https://canary.example'],
  prober: createProber({ userAgent: 'test', resolver: () => Promise.reject(new Error('offline')) }),
});

const createContext = (): ClaimContext => ({
  db: world.context.db,
  now: () => world.time,
  onChanged: (tags) => Promise.resolve(void expired.push(...tags)),
  readProof: createProofReader(({ url }) => {
    const { hostname, pathname } = new URL(url);
    const body = pathname === '/.well-known/touchstone.txt' ? files.get(hostname) : undefined;
    const reply =
      body === null
        ? { httpStatus: null, body: null, bodyEnd: null, outcome: 'timeout' as const }
        : {
            httpStatus: body === undefined ? 404 : 200,
            body: body ?? '',
            bodyEnd: 'complete' as const,
            outcome: 'free' as const,
          };
    return Promise.resolve({
      ...reply,
      ...{
        url,
        method: 'GET',
        headers: [],
        failure: null,
        redirects: [],
        interimStatuses: [],
        declaredMethod: null,
      },
      ...{ latencyMs: 1, totalMs: 1, remoteAddress: null, retryAfterSeconds: null },
      phases: { resolve: 1, connect: 1, tls: 1, processing: 1, transfer: 1 },
    });
  }, undefined),
});

beforeEach(async () => {
  files.clear();
  expired = [];
  await storeProbedEndpoint(world.context.db, world.time, { resource: `https://${HOST}/paid`, host: HOST });
});

async function create(host = HOST): Promise<ClaimCreated> {
  const result = await createClaim(createContext(), { host });
  if (result.kind === 'problem') throw new Error(result.detail);
  return claimCreatedSchema.parse(result.body);
}
const credentials = ({ claim_id: id, secret }: ClaimCreated) => ({ id, secret });
const publish = (host: string, ...claims: readonly ClaimCreated[]) =>
  files.set(host, claims.map(({ proof }) => proof.line).join('\n'));
const verify = (claim: ClaimCreated, host = HOST) =>
  verifyClaim(createContext(), { ...credentials(claim), host });
async function readResult(claim: ClaimCreated) {
  const result = await readClaim(createContext(), credentials(claim));
  if (result.kind === 'problem') throw new Error(result.detail);
  return result;
}
const readStatus = async (claim: ClaimCreated) => {
  const { status, end_reason: reason } = claimSchema.parse((await readResult(claim)).body);
  return reason === null ? status : `${status}: ${reason}`;
};

/** Creates a claim of the host whose proof was found. */
async function createActive(): Promise<ClaimCreated> {
  const claim = await create();
  publish(HOST, claim);
  expect(await verify(claim)).toMatchObject({ kind: 'result' });
  return claim;
}

describe('a claim', () => {
  it('is created for a host of the catalog, and for no other name', async () => {
    expect((await create(HOST.toUpperCase())).host).toBe(HOST);
    for (const host of ['example.com', SUBDOMAIN, `evil-${HOST}`]) {
      const result = await createClaim(createContext(), { host });
      expect(result).toMatchObject({ code: 'unknown-resource' });
    }
  });

  it('is active once its line is published, and refreshes the pages of its host', async () => {
    const claim = await create();
    expect(await verify(claim)).toMatchObject({
      code: 'claim-not-verified',
      detail: `The line ${claim.proof.line} was found neither in ${claim.proof.file_url} nor in the TXT record ${claim.proof.dns_name}. ${claim.proof.file_url} returned 404.`,
    });
    expect(await readClaim(createContext(), credentials(claim))).toMatchObject({
      code: 'claim-not-verified',
    });
    expect(expired).toEqual([]);
    publish(HOST, claim);
    const result = await verify(claim);
    expect(result).toMatchObject({ kind: 'result', body: { status: 'active', found_in: 'file' } });
    expect(await verify(claim)).toEqual(result);
    expect(expired).toEqual([toClaimTag(HOST)]);
  });

  it('is not proved by the line on a subdomain, which somebody else may have taken over', async () => {
    const claim = await create();
    publish(SUBDOMAIN, claim);
    expect(await verify(claim)).toMatchObject({ code: 'claim-not-verified' });
    expect(await verify(claim, SUBDOMAIN)).toMatchObject({ code: 'unknown-resource' });
  });

  it('is shown, verified and ended only with its own secret, of which its line shows nothing', async () => {
    const [claim, other] = [await createActive(), await create()];
    for (const wrong of [
      { id: claim.claim_id, secret: other.secret },
      { id: claim.claim_id, secret: `csk_${claim.proof.reference_line.slice(-43)}` },
      { id: other.claim_id, secret: claim.secret },
      { id: 'nonsense', secret: '' },
    ]) {
      for (const operation of [readClaim, verifyClaim, endClaim])
        expect(await operation(createContext(), { ...wrong, host: HOST })).toMatchObject({
          code: 'unauthorized',
        });
    }
    expect(await readStatus(claim)).toBe('active');
  });

  it('ends as its owner wishes, and can be verified again while its line is there', async () => {
    const claim = await createActive();
    const end = () => endClaim(createContext(), credentials(claim));
    expect(await end()).toMatchObject({ body: { status: 'ended', end_reason: 'ended-by-owner' } });
    expect(await end()).toMatchObject({ kind: 'result' });
    expect(expired).toEqual([toClaimTag(HOST), toClaimTag(HOST)]);
    expect(await verify(claim)).toMatchObject({ body: { status: 'active' } });
  });
});

describe('claims of one host', () => {
  it('replace each other only after the line of the first one is gone', async () => {
    const [first, second] = [await createActive(), await create()];
    publish(HOST, first, second);
    expect(await verify(second)).toMatchObject({
      detail:
        'Another claim of this host is active, and its line is still published. Remove that line, and verify again.',
    });
    expect(await readStatus(first)).toBe('active');
    publish(HOST, second);
    expect(await verify(second)).toMatchObject({ kind: 'result' });
    expect([await readStatus(first), await readStatus(second)]).toEqual(['ended: replaced', 'active']);
  });

  it('replace no claim whose line could not be looked for in every place', async () => {
    const [first, second] = [await createActive(), await create()];
    const readProof = (isOwnFailure: boolean) => () =>
      Promise.resolve({
        ...{ found: new Map([[second.claim_id, 'dns' as const]]), isComplete: false, isCertain: false },
        ...{ isOwnFailure, remarks: ['The file returned 503.'] },
      });
    const verifySecond = (isOwnFailure: boolean) =>
      verifyClaim(
        { ...createContext(), readProof: readProof(isOwnFailure) },
        { ...credentials(second), host: HOST },
      );
    expect(await verifySecond(false)).toMatchObject({
      code: 'claim-not-verified',
      detail: expect.stringMatching(/not every place.*returned 503/) as string,
    });
    expect(await verifySecond(true)).toMatchObject({ code: 'rate-limited', retryAfterSeconds: 60 });
    expect(await readStatus(first)).toBe('active');
  });

  it('become active one at a time when they are verified at once', async () => {
    const claims = [await create(), await create(), await create()];
    publish(HOST, ...claims);
    const results = await Promise.all(claims.map((claim) => verify(claim)));
    expect(results.filter(({ kind }) => kind === 'result')).toHaveLength(1);
  });

  it('cost nothing until their proof is found, however many are created', async () => {
    const count = async () =>
      (await world.context.db.from('claims').select('*', { count: 'exact', head: true })).count;
    const before = await count();
    for (let number = 0; number < 50; number += 1) await create();
    expect(await count()).toBe(before);
  });
});

describe('the daily check', () => {
  const check = (ms: number, change: Partial<Parameters<typeof checkClaims>[0]> = {}) => {
    world.time += ms;
    return checkClaims({ ...createContext(), ...change });
  };

  it('keeps a claim while its line is there, and ends it when the line is gone', async () => {
    const claim = await createActive();
    expect(await check(23 * HOUR_MS)).toMatchObject({ checked: 0 });
    expect(await check(HOUR_MS)).toMatchObject({ checked: 1, ended: 0 });
    files.set(HOST, 'deliveries: refuse');
    expect(await check(DAY_MS)).toMatchObject({ checked: 1, ended: 1 });
    expect(await readStatus(claim)).toBe('ended: proof-removed');
    expect(expired).toEqual([toClaimTag(HOST), toClaimTag(HOST)]);
  });

  it('tolerates an outage of the host for three days', async () => {
    const claim = await createActive();
    files.set(HOST, null);
    for (let day = 0; day < 3; day += 1) expect(await check(DAY_MS)).toMatchObject({ checked: 1, ended: 0 });
    publish(HOST, claim);
    expect(await check(DAY_MS)).toMatchObject({ ended: 0 });
    files.set(HOST, null);
    for (let day = 0; day < 3; day += 1) expect(await check(DAY_MS)).toMatchObject({ ended: 0 });
    expect(await check(DAY_MS)).toMatchObject({ ended: 1 });
    expect(await readStatus(claim)).toBe('ended: unreadable');
  });

  it('records the checks of other claims if the check of one claim cannot be recorded', async () => {
    const resource = `https://${SUBDOMAIN}/paid`;
    await storeProbedEndpoint(world.context.db, world.time, { resource, host: SUBDOMAIN });
    const [claim, other] = [await createActive(), await create(SUBDOMAIN)];
    publish(SUBDOMAIN, other);
    await verify(other, SUBDOMAIN);
    const errors: string[] = [];
    const readProof = (_: string, [due]: readonly { readonly id: string }[]) => {
      const proof = due?.id === claim.claim_id ? 'nowhere' : 'dns';
      const found = new Map([[due?.id ?? '', proof as 'dns']]);
      return Promise.resolve({ found, isComplete: true, isCertain: true, isOwnFailure: false, remarks: [] });
    };
    const logError = (message: string) => void errors.push(message);
    expect(await check(DAY_MS, { readProof, logError })).toMatchObject({ checked: 2, ended: 0 });
    expect(await readResult(other)).toMatchObject({ body: { found_in: 'dns' } });
    expect(await readResult(claim)).toMatchObject({ body: { found_in: 'file', status: 'active' } });
    expect(errors).toEqual([expect.stringContaining(`${claim.claim_id} of ${HOST} was not recorded`)]);
    await endClaim(createContext(), credentials(other));
  });

  it.each([
    ['its request could not be sent', { isOwnFailure: true }, {}],
    ['no canary responds', { isOwnFailure: false }, { canaries: createDeadCanaries() }],
  ])('is repeated after its lease, and counts as none, when %s', async (_, reading, change) => {
    const claim = await createActive();
    const readProof: ClaimContext['readProof'] = () =>
      Promise.resolve({ found: new Map(), isComplete: false, isCertain: false, remarks: [], ...reading });
    expect(await check(DAY_MS, { ...change, readProof })).toMatchObject({ checked: 1, ended: 0 });
    const { body } = await readResult(claim);
    expect(body).toMatchObject({ status: 'active', unreadable_since: null, checked_at: body.verified_at });
    expect(await check(9 * MINUTE_MS)).toMatchObject({ checked: 0 });
    expect(await check(MINUTE_MS)).toMatchObject({ checked: 1 });
  });
});
