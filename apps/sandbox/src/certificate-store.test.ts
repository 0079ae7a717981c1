import { X509Certificate } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createAuthority, issueCertificate, validFor } from './certificate.ts';
import { openCertificates } from './certificate-store.ts';
import { temporaryFolder } from './test-world.ts';

const DAY_MS = 86_400_000;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => (folder = await temporaryFolder()));
afterEach(() => folder.remove());

const read = (name: string) => readFile(join(folder.path, name), 'utf8');
const replaceWildcard = async (days: number) => {
  const authority = { cert: await read('ca.pem'), key: await read('ca.key') };
  const leaf = await issueCertificate(authority, ['*.sandbox.test'], validFor(days));
  await writeFile(join(folder.path, 'wildcard.pem'), leaf.cert);
  await writeFile(join(folder.path, 'wildcard.key'), leaf.key);
  return leaf;
};

test('the first start makes an authority that signs the wildcard, with P-256 keys', async () => {
  const { caFile, wildcard } = await openCertificates(folder.path);
  const authority = new X509Certificate(await readFile(caFile));
  const leaf = new X509Certificate(wildcard.cert);
  expect(authority.ca).toBe(true);
  expect(leaf.ca).toBe(false);
  expect(leaf.verify(authority.publicKey)).toBe(true);
  expect(leaf.checkHost('skyfall.sandbox.test')).toBe('*.sandbox.test');
  expect(leaf.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' });
});

test('keys are for the owner only', async () => {
  await openCertificates(folder.path);
  for (const name of ['ca.key', 'wildcard.key'])
    expect((await stat(join(folder.path, name))).mode & 0o777).toBe(0o600);
});

test('a restart keeps the authority and a wildcard that is far from its end', async () => {
  await openCertificates(folder.path);
  const before = await read('ca.pem');
  const leaf = await replaceWildcard(200);
  const { wildcard } = await openCertificates(folder.path);
  expect(await read('ca.pem')).toBe(before);
  expect(wildcard).toEqual(leaf);
});

test('a wildcard near its end is renewed by the same authority', async () => {
  await openCertificates(folder.path);
  const before = await read('ca.pem');
  const leaf = await replaceWildcard(20);
  const { wildcard } = await openCertificates(folder.path);
  expect(await read('ca.pem')).toBe(before);
  expect(wildcard).not.toEqual(leaf);
  expect(await read('wildcard.pem')).toBe(wildcard.cert);
  expect(Date.parse(new X509Certificate(wildcard.cert).validTo)).toBeGreaterThan(Date.now() + 300 * DAY_MS);
});

test('a wildcard of another authority is renewed too', async () => {
  const { wildcard } = await openCertificates(folder.path);
  const stranger = await createAuthority('x402 sandbox authority', validFor(100));
  await writeFile(join(folder.path, 'ca.pem'), stranger.cert);
  await writeFile(join(folder.path, 'ca.key'), stranger.key);
  const reopened = await openCertificates(folder.path);
  expect(reopened.wildcard).not.toEqual(wildcard);
  expect(
    new X509Certificate(reopened.wildcard.cert).verify(new X509Certificate(stranger.cert).publicKey),
  ).toBe(true);
});

test('a damaged wildcard is renewed', async () => {
  const { wildcard } = await openCertificates(folder.path);
  await writeFile(join(folder.path, 'wildcard.key'), (await createAuthority('other', validFor(1))).key);
  const { wildcard: renewed } = await openCertificates(folder.path);
  expect(renewed).not.toEqual(wildcard);
  expect(await read('wildcard.key')).toBe(renewed.key);
});

test.each(['ca.pem', 'ca.key'])(
  'a damaged %s is named: nobody would trust another authority',
  async (name) => {
    await openCertificates(folder.path);
    await writeFile(join(folder.path, name), 'damaged');
    await expect(openCertificates(folder.path)).rejects.toThrow(
      `ca.pem and ca.key in ${folder.path} are no pair`,
    );
  },
);
