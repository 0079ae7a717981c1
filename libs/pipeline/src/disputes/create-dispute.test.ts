import { pad, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { createFakeChain, serveRpc } from '@touchstone/chain/testing';
import { DAY_MS, MINUTE_MS } from '@touchstone/common';
import { disputeSchema, type DisputeRequest } from '@touchstone/contract/operations/dispute/schemas';
import { answerDispute, readScoringInputs, verifyClaim } from '@touchstone/store';
import { FLAG_CATALOGUE } from '@touchstone/trust';
import { RULES } from '@touchstone/x402';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createChainSources } from '../chain-source.ts';
import { createClaimSecret, toClaimIdentity } from '../claims/claim-secret.ts';
import { BASE, listAndProbe, probeAndScore } from '../testing/reports.ts';
import { challenge, useWorld } from '../testing/world.ts';
import { createDisputeMessage, type SignedValues } from './check-wallet-proof.ts';
import { createDispute } from './create-dispute.ts';
import type { DisputeContext } from './dispute-context.ts';

const world = useWorld();
const TEXT = 'We announced the new wallet in our changelog.';
const createAccount = (key: number) => privateKeyToAccount(pad(`0x${key.toString(16)}`, { size: 32 }));
const stranger = createAccount(99);
const contract: Hex = `0x${'c0'.repeat(20)}`;

/** Account whose wallet receives the payments of the endpoint; each test has its own, because disputes are limited. */
let account = createAccount(1);
let accounts = 1;
let resource = '';
let endpointId = '';
let payTo: string = account.address;

beforeEach(async () => {
  account = createAccount((accounts += 1));
  payTo = account.address;
  world.handlers.set('/paid', (response, url) => {
    challenge(response, url, { payTo });
  });
  resource = world.toUrl('/paid');
  endpointId = await listAndProbe(world, resource);
});

const createContext = (change: Partial<DisputeContext> = {}): DisputeContext => {
  const { db, onChanged } = world.context;
  return { db, onChanged, now: () => world.time, baseUrl: BASE, vantage: 'EU', chains: [], ...change };
};

interface Signing extends Partial<SignedValues> {
  readonly signer?: ReturnType<typeof createAccount>;
  readonly origin?: string;
}

/** Creates a dispute that an account signs. The changes concern only the signed message. */
async function sign(
  request: Partial<DisputeRequest> = {},
  { signer = account, origin = BASE, ...signed }: Signing = {},
) {
  const values = { resource, subject: 'recommendation', text: TEXT, ...request };
  const signedAt = new Date(world.time).toISOString();
  const message = createDisputeMessage(origin, { ...values, wallet: account.address, signedAt, ...signed });
  const signature = await signer.signMessage({ message });
  const proof = { wallet: account.address, signature, signed_at: signedAt };
  return { ...values, proof: { ...proof, ...request.proof } } as DisputeRequest;
}

const send = (request: DisputeRequest, change: Partial<DisputeContext> = {}, secret: string | null = null) =>
  createDispute(createContext(change), request, secret);
const readDisputes = () => world.publicStore.readEndpointDisputes(endpointId, 50);

describe('a dispute of a wallet', () => {
  it('signs a message of exactly this form', () => {
    const values = { resource: 'https://api.example.com/v1/weather', subject: 'price-spike', text: 'Grüße' };
    const signed = { wallet: `0x${'Ab'.repeat(20)}`, signedAt: '2026-06-01T00:00:00.000Z' };
    expect(createDisputeMessage('https://touchstone.example/', { ...values, ...signed })).toBe(
      [
        'Touchstone dispute',
        '',
        'I state that a verdict is wrong, and publish the text below. This signature pays nothing and permits nothing else.',
        '',
        'Service: https://touchstone.example',
        'Resource: https://api.example.com/v1/weather',
        'Subject: price-spike',
        'Text: Grüße',
        `Wallet: 0x${'Ab'.repeat(20)}`,
        'Signed at: 2026-06-01T00:00:00.000Z',
      ].join('\n'),
    );
  });

  it('is stored with the report of its time, and shown on the page', async () => {
    const stored = await send(await sign());
    if (stored.kind === 'problem') throw new Error(stored.detail);
    const body = disputeSchema.parse(stored.body);
    const shown = expect.stringMatching(
      /^The recommendation is \w+, grade [A-F], score [\d.]+ of 100\.$/,
    ) as string;
    expect(body).toMatchObject({ resource, subject: 'recommendation', shown, text: TEXT, state: 'open' });
    expect(await readDisputes()).toMatchObject([
      { id: body.dispute_id, shown: body.shown, isFormerWallet: false, resource },
    ]);
    const { data } = await world.context.db
      .from('disputes')
      .select('evidence')
      .eq('id', body.dispute_id)
      .single();
    expect(data?.evidence).toMatchObject({ schemaType: 'x402-trust', resource, endpointId });
    expect(world.changedTags).toEqual([`endpoint:${endpointId}`]);
  });

  it('changes no score, open or upheld', async () => {
    await probeAndScore(world, 4);
    const readScored = () =>
      readScoringInputs(world.context.db, { now: world.time, endpointIds: [endpointId] });
    const before = await readScored();
    expect(before.inputs).toHaveLength(1);
    const stored = await send(await sign());
    if (stored.kind === 'problem') throw new Error(stored.detail);
    const answer = { id: stored.body.dispute_id, state: 'upheld', answer: 'You are right.' } as const;
    await answerDispute(world.context.db, { ...answer, now: world.time });
    expect(await readScored()).toEqual(before);
  });

  it.each<[string, Signing]>([
    ['another resource', { resource: 'https://other.example.com/' }],
    ['another service', { origin: 'https://elsewhere.example' }],
    ['another subject', { subject: 'price-spike' }],
    ['another text', { text: `${TEXT} ` }],
    ['another time', { signedAt: '2026-01-01T00:00:00.000Z' }],
    ['another wallet', { wallet: contract }],
  ])('is refused with the signature of %s, and the problem has the message to sign', async (_, signing) => {
    const refused = await send(await sign({}, signing));
    expect(refused).toMatchObject({ code: 'invalid-request', errors: [{ path: 'proof.signature' }] });
    if (refused.kind !== 'problem') return;
    const [, message = ''] = /:\n\n(Touchstone dispute\n[^]*)$/.exec(refused.detail) ?? [];
    const request = await sign();
    const proof = { ...request.proof, signature: await account.signMessage({ message }) };
    expect(await send({ ...request, proof })).toMatchObject({ kind: 'result' });
  });

  it('is refused with the signature of another key, and for a wallet that the endpoint does not advertise', async () => {
    expect(await send(await sign({}, { signer: stranger }))).toMatchObject({
      code: 'invalid-request',
      errors: [{ path: 'proof.signature' }],
    });
    const values = { wallet: stranger.address, signer: stranger };
    const request = await sign({}, values);
    const proof = { ...request.proof, wallet: stranger.address };
    expect(await send({ ...request, proof })).toMatchObject({
      code: 'invalid-request',
      errors: [{ path: 'proof.wallet' }],
    });
  });

  it('is refused with a signature of the future, and 10 minutes after it was signed', async () => {
    const request = await sign();
    const at = (ms: number) => send(request, { now: () => world.time + ms });
    const refused = { code: 'invalid-request', errors: [{ path: 'proof.signed_at' }] };
    expect(await at(10 * MINUTE_MS + 1)).toMatchObject(refused);
    expect(await at(-MINUTE_MS - 1)).toMatchObject(refused);
    expect(await at(10 * MINUTE_MS)).toMatchObject({ kind: 'result' });
  });

  it('is refused when its signature was used before, also after the answer', async () => {
    const request = await sign();
    const stored = await send(request);
    if (stored.kind === 'problem') throw new Error(stored.detail);
    const answer = { id: stored.body.dispute_id, state: 'rejected', answer: 'It was right.' } as const;
    await answerDispute(world.context.db, { ...answer, now: world.time });
    expect(await send(request)).toMatchObject({ code: 'dispute-open' });
    world.time += 1;
    expect(await send(await sign())).toMatchObject({ kind: 'result' });
  });

  it('is accepted from a former wallet for 90 days', async () => {
    payTo = stranger.address;
    await probeAndScore(world, 1);
    const changedAt = world.time;
    world.time = changedAt + 90 * DAY_MS - 1;
    expect(await send(await sign())).toMatchObject({ kind: 'result' });
    expect(await readDisputes()).toMatchObject([{ isFormerWallet: true }]);
    world.time = changedAt + 90 * DAY_MS;
    expect(await send(await sign())).toMatchObject({ errors: [{ path: 'proof.wallet' }] });
  });

  it('is accepted from a contract whose network can be read, and only then', async () => {
    payTo = contract;
    await probeAndScore(world, 1);
    const request = await sign();
    const proof = { ...request.proof, wallet: contract, signature: '0x1234' };
    const byContract = { ...request, proof };
    expect(await send(byContract)).toMatchObject({
      code: 'invalid-request',
      detail: expect.stringContaining('no access to its network') as string,
    });
    const fake = createFakeChain({ head: 5 });
    const accepted = pad('0x1626ba7e', { dir: 'right', size: 32 });
    const rpc = await serveRpc({
      respond: (method, params) => (method === 'eth_call' ? accepted : fake.respond(method, params)),
    });
    onTestFinished(async () => void (await rpc.close()));
    const chains = createChainSources(new Map([['eip155:8453', [rpc.url]]]));
    const other = createChainSources(new Map([['eip155:137', [rpc.url]]]));
    expect(await send(byContract, { chains: other })).toMatchObject({ code: 'invalid-request' });
    expect(await send(byContract, { chains })).toMatchObject({ kind: 'result' });
  });
});

describe('a dispute', () => {
  it('is refused for a part that the verdict does not contain, and for an unknown URL', async () => {
    expect(await send(await sign({ subject: 'price-spike' }))).toMatchObject({
      code: 'invalid-request',
      errors: [{ path: 'subject' }],
      detail: expect.stringContaining('contains: recommendation, ') as string,
    });
    expect(await send(await sign({ resource: world.toUrl('/unknown') }))).toMatchObject({
      code: 'unknown-resource',
    });
  });

  it.each([
    ['first-contact', FLAG_CATALOGUE.find(({ slug }) => slug === 'first-contact')?.message],
    [
      'http-https',
      `The response breaks the rule: ${RULES.find(({ id }) => id === 'http-https')?.requirement}`,
    ],
  ])('names %s in public words', async (subject, shown) => {
    expect(await send(await sign({ subject }))).toMatchObject({ body: { subject, shown } });
  });

  it('needs the secret of the active claim of the host', async () => {
    const { db } = world.context;
    const createOwner = () => {
      const secret = createClaimSecret();
      const identity = toClaimIdentity(secret);
      const times = { replaced: null, nextCheckAt: world.time + DAY_MS, now: world.time };
      const activate = (host: string) => verifyClaim(db, { ...identity, host, proof: 'file' }, times);
      return { claimId: identity.id, secret, activate };
    };
    const [owner, stranger] = [createOwner(), createOwner()];
    const toRequest = (claimId: string) => ({
      ...{ resource, subject: 'recommendation', text: TEXT },
      proof: { claim_id: claimId },
    });
    const request = toRequest(owner.claimId);
    expect(await send(request, {}, null)).toMatchObject({ code: 'unauthorized' });
    expect(await send(request, {}, stranger.secret)).toMatchObject({ code: 'unauthorized' });
    const inactive = { code: 'invalid-request', errors: [{ path: 'proof.claim_id' }] };
    expect(await send(request, {}, owner.secret)).toMatchObject(inactive);
    const other = world.toUrl('/paid', 'other');
    world.handlers.set('/paid', challenge);
    await listAndProbe(world, other);
    await stranger.activate(new URL(other).hostname);
    expect(await send(toRequest(stranger.claimId), {}, stranger.secret)).toMatchObject(inactive);
    await owner.activate(world.host);
    expect(await send(request, {}, owner.secret)).toMatchObject({ kind: 'result' });
    expect(await readDisputes()).toMatchObject([{ proof: 'claim', wallet: null }]);
    expect(await send(request, {}, owner.secret)).toMatchObject({ code: 'dispute-open' });
  });
});
