import {
  ALIAS_CODE,
  createSender,
  type Probe,
  type Resolver,
  type Sender,
  type TxtResolver,
} from '@touchstone/probe';
import { createAuthority, serve } from '@touchstone/probe/testing';
import { expect, it } from 'vitest';
import { createProofReader } from './read-proof.ts';

const HOST = 'api.example.com';
const CLAIM = { id: `c_${'a'.repeat(26)}`, proofKey: 'n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg' };
const OTHER = { id: `c_${'b'.repeat(26)}`, proofKey: 'other' };
const LINE = `touchstone-claim=${CLAIM.id}`;
const FILE = `https://${HOST}/.well-known/touchstone.txt`;
const REFERENCE_FILE = `https://${HOST}/.well-known/x402-trust.txt`;

const MISSING = { httpStatus: 404, body: 'no such file', bodyEnd: 'complete' } as const;
const toText = (body: string) => ({ httpStatus: 200, body, bodyEnd: 'complete' }) as const;

/** Creates a sender that returns the given replies by URL, and 404 for other URLs. */
function createSend(replies: Readonly<Record<string, Partial<Probe>>>): Sender {
  return ({ url }) =>
    Promise.resolve({ headers: [], failure: null, outcome: 'free', ...(replies[url] ?? MISSING) } as Probe);
}

const failTxt =
  (code: string): TxtResolver =>
  () =>
    Promise.reject(Object.assign(new Error(code), { code }));
const noTxt = failTxt('ENOTFOUND');

const read = (
  replies: Readonly<Record<string, Partial<Probe>>>,
  resolveTxt: TxtResolver | undefined = noTxt,
) => createProofReader(createSend(replies), resolveTxt)(HOST, [CLAIM, OTHER]);

it.each([
  [
    'the file, on a line of its own',
    { [FILE]: toText(`\uFEFF# ours\r\n  ${LINE} \r\ndeliveries: refuse`) },
    'file',
  ],
  [
    'the file of the reference service',
    { [REFERENCE_FILE]: toText(`x402-trust-verification=v1:${CLAIM.proofKey}\n`) },
    'reference-file',
  ],
  [
    'a file of a storage service without its type',
    { [FILE]: { ...toText(LINE), headers: [['content-type', 'binary/octet-stream']] } },
    'file',
  ],
] as const)('finds the proof in %s', async (_, replies, place) => {
  expect(await read(replies)).toMatchObject({ found: new Map([[CLAIM.id, place]]), isComplete: true });
});

it('finds the proof in a TXT record of several chunks, also while the file cannot be read', async () => {
  const records: TxtResolver = (name) =>
    Promise.resolve(name === `_touchstone.${HOST}` ? [['v=spf1'], [LINE.slice(0, 9), LINE.slice(9)]] : []);
  const { found, isComplete } = await read({ [FILE]: { httpStatus: 503 } }, records);
  expect([...found]).toEqual([[CLAIM.id, 'dns']]);
  expect(isComplete).toBe(false);
});

it.each([
  ['text around the line', toText(`see ${LINE}`), 'other lines only'],
  ['the line of another claim', toText(`touchstone-claim=c_${'z'.repeat(26)}`), 'other lines only'],
  ['the line in the wrong file', toText(`x402-trust-verification=v1:${CLAIM.proofKey}`), 'other lines only'],
  [
    'a page that is returned for every path',
    { ...toText(`<html>\n${LINE}\n</html>`), headers: [['Content-Type', 'text/html; charset=utf-8']] },
    'the content type text/html; charset=utf-8 instead of text/plain',
  ],
  [
    'a redirect to another host',
    { httpStatus: 302, body: LINE, bodyEnd: 'complete' },
    'redirects are not followed',
  ],
  ['a missing file', { ...MISSING, body: LINE }, 'returned 404'],
  ['a file that is sold like each path', { ...MISSING, httpStatus: 402 }, 'returned 402'],
  ['a long file', { ...toText(LINE), bodyEnd: 'size-limit' }, 'has more than 16 KiB'],
] as const)('does not accept %s, and says so', async (_, reply, remark) => {
  const { found, isComplete, remarks } = await read({ [FILE]: reply });
  expect(found.size).toBe(0);
  expect(isComplete).toBe(true);
  expect(remarks.join(' ')).toContain(remark);
  expect(remarks.join(' ')).toContain(`_touchstone.${HOST} has no TXT record.`);
});

it.each([
  ['a missing file', MISSING, true],
  ['another line', toText('deliveries: refuse'), true],
  [
    'a page, which can announce maintenance work',
    { ...toText(''), headers: [['Content-Type', 'text/html']] },
    false,
  ],
  ['a redirect', { ...MISSING, httpStatus: 302 }, false],
] as const)('says of %s if a proof is certainly gone', async (_, reply, expected) => {
  expect(await read({ [FILE]: reply })).toMatchObject({ isComplete: true, isCertain: expected });
});

it.each([
  ['a slow file', { ...toText(LINE), bodyEnd: 'deadline' }, 'was not read to its end'],
  ['a server error', { httpStatus: 500, body: LINE, bodyEnd: 'complete' }, 'returned 500 instead of 200'],
  [
    'no response',
    { httpStatus: null, body: null, bodyEnd: null, outcome: 'timeout' },
    'could not be read: timeout',
  ],
] as const)('cannot tell from %s whether the proof is there', async (_, reply, remark) => {
  const { found, isComplete, remarks } = await read({ [FILE]: reply });
  expect([found.size, isComplete]).toEqual([0, false]);
  expect(remarks[0]).toContain(remark);
});

it('cannot tell whether the proof is gone while the name servers do not answer', async () => {
  const { isComplete, remarks } = await read({}, failTxt('ETIMEOUT'));
  expect(isComplete).toBe(false);
  expect(remarks[1]).toBe(`The TXT record _touchstone.${HOST} could not be looked up: ETIMEOUT.`);
});

it.each([
  ['a failure of our own', 'self-failure', true],
  ['a failure of the host', 'timeout', false],
] as const)('tells %s', async (_, outcome, expected) => {
  const { isComplete, isOwnFailure } = await read({ [FILE]: { httpStatus: null, body: null, outcome } });
  expect([isComplete, isOwnFailure]).toEqual([false, expected]);
});

it('accepts no TXT record of another name', async () => {
  const { isComplete, remarks } = await read({}, failTxt(ALIAS_CODE));
  expect(isComplete).toBe(true);
  expect(remarks[1]).toBe(`_touchstone.${HOST} is an alias, whose TXT records are not accepted.`);
});

it('reads a host ten times a minute, and shares the latest reading with a thousand further requests', async () => {
  let requests = 0;
  const send: Sender = (request) => {
    requests += 1;
    return createSend({ [FILE]: toText(LINE) })(request);
  };
  const readProof = createProofReader(send, noTxt);
  const readings = await Promise.all(Array.from({ length: 1_000 }, () => readProof(HOST, [CLAIM])));
  expect(requests).toBe(10 * 2);
  expect(readings.every(({ found }) => found.has(CLAIM.id))).toBe(true);
  expect((await readProof('other.example.com', [CLAIM])).isComplete).toBe(true);
  expect(requests).toBe(11 * 2);
});

it('connects to no private address that the name resolves to later (DNS rebinding)', async () => {
  const authority = createAuthority();
  await using server = await serve((_, response) => void response.end(LINE), {
    tls: authority.issue([HOST]),
  });
  let isRebound = false;
  let lookups = 0;
  const resolver: Resolver = () => {
    lookups += 1;
    const address = { address: '127.0.0.1', family: 4, port: server.port } as const;
    // A trusted address stands for a public one, which a test cannot have.
    return Promise.resolve([isRebound ? address : { ...address, isTrusted: true }]);
  };
  const send = createSender({ userAgent: 'test', resolver, ca: [authority.cert] });
  const readProof = createProofReader(send, undefined);
  expect((await readProof(HOST, [CLAIM])).found.get(CLAIM.id)).toBe('file');
  expect([lookups, server.connections()]).toEqual([2, 2]);
  isRebound = true;
  const { found, isComplete, remarks } = await readProof(HOST, [CLAIM]);
  expect([found.size, isComplete, server.connections()]).toEqual([0, false, 2]);
  expect(remarks[0]).toContain('127.0.0.1 is not a public address');
});
