import { DAY_MS, HOUR_MS } from '@touchstone/common';
import { claimEditedSchema, type ClaimEdited } from '@touchstone/contract';
import { claimEditRequestSchema } from '@touchstone/contract/operations/claim/settings';
import { endClaim, findClaim, readReportSources, verifyClaim, type StoredClaim } from '@touchstone/store';
import { score } from '@touchstone/trust';
import { beforeEach, describe, expect, it } from 'vitest';
import { toClaimTag } from '../pages.ts';
import { scoreEndpoints } from '../scoring/score-batch.ts';
import { createEndpointSummary } from '../summaries/create-endpoint-summary.ts';
import { createTestReportContext, listAndProbe, readFigures } from '../testing/reports.ts';
import { storeChanges, useWatchWorld } from '../testing/watch-world.ts';
import { challenge } from '../testing/world.ts';
import { deliverEvents } from '../watches/deliver-events.ts';
import { createTrustReport } from '../reports/trust-report.ts';
import { editClaim } from './edit-claim.ts';
import { findStatementMistake } from './plan-statements.ts';
import { recheckEndpoint } from './recheck-endpoint.ts';

const world = useWatchWorld();
let endpointId = '';
let claims = 0;
let claim: StoredClaim;

const readClaim = async (id = claim.id): Promise<StoredClaim> => {
  const found = await findClaim(world.context.db, id);
  if (found === null) throw new Error('The claim is not stored.');
  return found;
};

beforeEach(async () => {
  world.handlers.set('/paid', challenge);
  endpointId = await listAndProbe(world, world.toUrl('/paid'));
  claims += 1;
  const id = `c_${'abcdefghijklmnopqrstuvwxyz'.charAt(claims).repeat(26)}`;
  const found = { id, host: world.host, proofKey: 'key', proof: 'dns' } as const;
  const times = { now: world.time, nextCheckAt: world.time + HOUR_MS };
  await verifyClaim(world.context.db, found, { ...times, replaced: null });
  claim = await readClaim(id);
});

const createContext = () => ({ ...world.context, now: () => world.time, watches: world.watchContext });

async function edit(request: object) {
  return editClaim(createContext(), await readClaim(), {
    edit: claimEditRequestSchema.parse(request),
    client: '192.0.2.1',
  });
}
async function expectEdited(request: object): Promise<ClaimEdited> {
  const result = await edit(request);
  if (result.kind === 'problem') throw new Error(result.detail);
  return claimEditedSchema.parse(result.body);
}
const summarize = async (resource = world.toUrl('/paid')) => {
  const context = { db: world.context.db, baseUrl: 'https://touchstone.example', vantage: 'Test lab' };
  const request = { resource, endpointId: null, payTo: null, network: null };
  return createEndpointSummary({ ...context, now: () => world.time }, request);
};
const toIso = (offsetMs: number) => new Date(world.time + offsetMs).toISOString();
const statement = (subject: string, text = 'A new endpoint.') => ({
  resource: world.toUrl('/paid'),
  subject,
  text,
});

describe('the statements of a provider', () => {
  it('are about a part of the present verdict, and appear in the summary', async () => {
    const { settings } = await expectEdited({ statements: [statement('low-confidence')] });
    const stated = { subject: 'low-confidence', text: 'A new endpoint.' };
    expect(settings.statements).toEqual([{ ...stated, resource: world.toUrl('/paid'), stated_at: toIso(0) }]);
    expect((await summarize())?.endpoint?.provider).toEqual({
      claimedSince: toIso(0),
      statements: [{ ...stated, statedAt: toIso(0) }],
      maintenance: [],
    });
    expect(world.changedTags).toEqual([toClaimTag(world.host)]);
  });

  it('are refused for anything that the endpoint does not have, with what it has', async () => {
    const result = await edit({ statements: [statement('low-confidence'), statement('down-now')] });
    expect(result).toMatchObject({ code: 'invalid-request', errors: [{ path: 'statements.1.subject' }] });
    expect(result).toHaveProperty(
      'detail',
      expect.stringMatching(/received "down-now"\. At present it has: .*low-confidence/),
    );
    expect((await readClaim()).settings.statements).toEqual([]);
  });

  it('stay when their subject is gone', async () => {
    const { db } = world.context;
    await db.from('statements').insert({
      ...{ claim_id: claim.id, endpoint_id: endpointId, subject: 'down-now' },
      ...{ text: 'It is back.', stated_at: toIso(0) },
    });
    await expectEdited({ statements: [statement('down-now', 'It is back.')] });
    expect((await readClaim()).settings.statements).toHaveLength(1);
  });

  it.each([
    [
      'twice about one subject',
      () => [statement('low-confidence'), statement('low-confidence')],
      'statements.1',
    ],
    [
      'of an endpoint of another host',
      () => [{ ...statement('slow'), resource: 'https://x.example.org/' }],
      'statements.0.resource',
    ],
  ])('are refused %s', async (_, createStatements, path) => {
    expect(await edit({ statements: createStatements() })).toMatchObject({
      ...{ code: 'invalid-request', errors: [{ path }] },
    });
  });

  it('are refused for more than 20 further endpoints in one request', async () => {
    const toStatement = (_: unknown, index: number) => ({
      endpointId: `e${index}`,
      subject: 'slow',
      text: '',
    });
    const requested = Array.from({ length: 21 }, toStatement);
    expect(await findStatementMistake(world.context.db, [], requested)).toMatchObject({
      errors: [{ path: 'statements' }],
    });
    expect(await findStatementMistake(world.context.db, requested, requested)).toBeNull();
  });

  it('are refused for a URL outside the catalog', async () => {
    const unknown = { ...statement('slow'), resource: world.toUrl('/other') };
    expect(await edit({ statements: [unknown] })).toMatchObject({ code: 'unknown-resource' });
  });
});

describe('maintenance of a provider', () => {
  it('is in the summary until it ends', async () => {
    const window = { starts_at: toIso(HOUR_MS), ends_at: toIso(2 * HOUR_MS), text: 'Upgrade.' };
    const { settings } = await expectEdited({ maintenance: [window] });
    expect(settings.maintenance).toEqual([{ ...window, resource: null, announced_at: toIso(0) }]);
    const readWindows = async () => (await summarize())?.endpoint?.provider?.maintenance;
    expect(await readWindows()).toMatchObject([{ startsAt: window.starts_at, text: 'Upgrade.' }]);
    world.time += 2 * HOUR_MS;
    expect(await readWindows()).toEqual([]);
    expect(await edit({ maintenance: [window, { ...window, text: 'Other.' }] })).toMatchObject({
      errors: [{ path: 'maintenance.1' }],
    });
  });
});

describe('the opt-out of a provider', () => {
  it('makes the endpoints of the host unknown to payers, and is reversible', async () => {
    expect((await expectEdited({ opt_out: true })).settings.opted_out_at).toBe(toIso(0));
    for (const path of ['/paid', '/unlisted'])
      expect(await summarize(world.toUrl(path))).toMatchObject({ endpoint: null, optedOutAt: toIso(0) });
    for (const path of ['/paid', '/unlisted']) {
      const outcome = await createTrustReport(createTestReportContext(world), {
        resource: world.toUrl(path),
      });
      expect(outcome).toMatchObject({ code: 'not-probeable' });
    }
    expect(world.requestedUrls).toEqual([]);
    expect((await expectEdited({ opt_out: false })).settings.opted_out_at).toBeNull();
    await scoreEndpoints(world.context, [endpointId], world.time);
    expect(await summarize()).toMatchObject({ endpoint: { endpointId }, optedOutAt: null });
  });

  it('changes at most four times a day', async () => {
    for (const isOptedOut of [true, false, true, false]) await expectEdited({ opt_out: isOptedOut });
    await expectEdited({ opt_out: false, contact: 'a@example.com' });
    expect(await edit({ opt_out: true })).toMatchObject({ code: 'rate-limited' });
  });

  it('counts no request with a mistake', async () => {
    const mistaken = { opt_out: true, statements: [statement('down-now')] };
    for (let request = 0; request < 5; request += 1)
      expect(await edit(mistaken)).toMatchObject({ code: 'invalid-request' });
    expect((await expectEdited({ opt_out: true })).settings.opted_out_at).toBe(toIso(0));
  });
});

describe('the notices of a provider', () => {
  const HOOK = 'https://one.example.net/hook-abcdef';
  const countWatches = async () => {
    const { data } = await world.context.db.from('watches').select('events').eq('claim_id', claim.id);
    return data?.length;
  };

  it('report a changed payTo to the tested webhook, without more probes, until they are removed', async () => {
    const { settings, webhook_secret: secret } = await expectEdited({ notices: { webhook_url: HOOK } });
    expect(secret).toMatch(/^whsec_/);
    expect(settings.notices).toEqual({
      ...{ channel: 'webhook', url: 'https://one.example.net/…', disabled_reason: null },
      resources: [world.toUrl('/paid')],
    });
    const { data } = await world.context.db.from('schedules').select('watched').eq('endpoint_id', endpointId);
    expect(data).toEqual([{ watched: false }]);
    // Notices are about outages and changes of payTo only.
    await storeChanges(world.watchContext, world.toUrl('/paid'), 1);
    const toTerms = (payTo: string) => ({ version: 2, options: [{ network: 'eip155:8453', payTo }] });
    await world.context.db.from('changes').insert({
      ...{ endpoint_id: endpointId, at: toIso(2000), kind: 'payto_change' },
      ...{ before: toTerms('0xaa'), after: toTerms('0xbb') },
    });
    world.time += 60_000;
    await deliverEvents(world.jobContext);
    const kinds = world.receivers.listEvents('one.example.net').map(({ type }) => type);
    expect(kinds).toEqual(['payto_change']);

    expect((await expectEdited({ notices: null })).settings.notices).toBeNull();
    expect(await countWatches()).toBe(0);
  });

  it('keep their present URL if the test of a new URL fails', async () => {
    expect((await expectEdited({ notices: { slack_url: HOOK } })).webhook_secret).toBeNull();
    world.receivers.handlers.set('two.example.net', (response) => response.writeHead(404).end());
    const failing = { webhook_url: 'https://two.example.net/hook', resources: [world.toUrl('/paid')] };
    expect(await edit({ notices: failing, contact: 'a@example.com' })).toMatchObject({
      ...{ code: 'delivery-unreachable', errors: [{ path: 'notices.webhook_url' }] },
    });
    expect((await readClaim()).settings).toMatchObject({
      contact: null,
      notices: { label: 'https://one.example.net/…' },
    });
  });

  it('end with the claim, but a week later if somebody else takes the host', async () => {
    await expectEdited({ notices: { webhook_url: HOOK } });
    const { db } = world.context;
    const times = { nextCheckAt: world.time, now: world.time };
    const proved = { host: claim.host, proofKey: 'key', proof: 'file' } as const;
    const verify = (id: string, replaced: string) =>
      verifyClaim(db, { ...proved, id }, { ...times, replaced });
    const readEnd = async () => (await db.from('watches').select('expires_at').eq('claim_id', claim.id)).data;
    const thief = `c_${'z'.repeat(26)}`;
    await verify(thief, claim.id);
    const day = toIso(7 * DAY_MS).slice(0, 10);
    expect(await readEnd()).toMatchObject([{ expires_at: expect.stringContaining(day) as string }]);
    await verify(claim.id, thief);
    expect(await readEnd()).toMatchObject([{ expires_at: expect.stringContaining('9999-12-31') as string }]);
    await endClaim(db, { id: claim.id, now: world.time });
    expect(await countWatches()).toBe(0);
  });
});

it('an edit changes no score', async () => {
  const readScore = async () => {
    await scoreEndpoints(world.context, [endpointId], world.time);
    const source = (await readReportSources(world.context.db, [endpointId])).get(endpointId);
    return source && { inputs: source.inputs, verdict: score(source.inputs) };
  };
  const before = await readScore();
  await expectEdited({
    contact: 'https://example.com/security',
    statements: [statement('low-confidence')],
    maintenance: [{ starts_at: toIso(HOUR_MS), ends_at: toIso(2 * HOUR_MS), text: 'Upgrade.' }],
  });
  expect(await readScore()).toEqual(before);
  expect(before).toBeDefined();
  await expectEdited({ opt_out: true });
  await expectEdited({ opt_out: false });
  expect(await readScore()).toEqual(before);
});

it('a claim that has ended gives nothing', async () => {
  const ended = { ...claim, status: 'ended' as const };
  const request = { edit: claimEditRequestSchema.parse({ contact: null }), client: '' };
  expect(await editClaim(createContext(), ended, request)).toMatchObject({ code: 'claim-not-verified' });
  expect(await recheckEndpoint(createTestReportContext(world), ended, world.toUrl('/paid'))).toMatchObject({
    code: 'claim-not-verified',
  });
});

describe('a probe on request of a provider', () => {
  const recheck = (path = '/paid') =>
    recheckEndpoint(createTestReportContext(world), claim, world.toUrl(path));

  it('renews the score, counts in no uptime figure, and is possible every ten minutes', async () => {
    const before = await readFigures(world, endpointId);
    world.handlers.set('/paid', (response) => response.writeHead(503).end());
    world.time += HOUR_MS / 2;
    expect(await recheck()).toMatchObject({
      kind: 'result',
      body: { is_live: true, outcome: 'server-error', http_status: 503, probed_at: toIso(0) },
    });
    expect(world.requestedUrls.length).toBeGreaterThan(0);
    const { probes, scored, up } = await readFigures(world, endpointId);
    expect(before).toMatchObject({ probes, scored, up });
    expect(await recheck()).toMatchObject({ code: 'rate-limited' });
    world.time += HOUR_MS / 6;
    expect(await recheck()).toMatchObject({ kind: 'result' });
  });

  it('adds no endpoint to the catalog, and probes no other host', async () => {
    expect(await recheck('/unlisted')).toMatchObject({ code: 'unknown-resource' });
    expect(
      await recheckEndpoint(createTestReportContext(world), claim, world.toUrl('/paid', 'other')),
    ).toMatchObject({ code: 'invalid-request' });
    expect(world.requestedUrls).toEqual([]);
  });
});
