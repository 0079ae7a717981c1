import { X509Certificate } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_MS } from '@touchstone/common';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTemporaryFolder } from '../testing/test-sandbox.ts';
import { createAuthority, issueCertificate, createValidity, openCertificates } from './certificates.ts';

let folder: Awaited<ReturnType<typeof createTemporaryFolder>>;
beforeEach(async () => (folder = await createTemporaryFolder()));
afterEach(() => folder.remove());

function read(name: string) {
  return readFile(join(folder.path, name), 'utf8');
}

async function replaceWildcard(days: number) {
  const authority = { cert: await read('ca.pem'), key: await read('ca.key') };
  const leaf = await issueCertificate(authority, '*.sandbox.test', createValidity(days));
  await writeFile(join(folder.path, 'wildcard.pem'), leaf.cert);
  await writeFile(join(folder.path, 'wildcard.key'), leaf.key);
  return leaf;
}

test('creates an authority and a wildcard certificate signed by it at the first start, with P-256 keys', async () => {
  const { caFile, wildcard } = await openCertificates(folder.path);
  const authority = new X509Certificate(await readFile(caFile));
  const leaf = new X509Certificate(wildcard.cert);
  expect(authority.ca).toBe(true);
  expect(leaf.ca).toBe(false);
  expect(leaf.verify(authority.publicKey)).toBe(true);
  expect(leaf.checkHost('skyfall.sandbox.test')).toBe('*.sandbox.test');
  expect(leaf.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' });
});

test('makes private keys readable by the owner only', async () => {
  await openCertificates(folder.path);
  for (const name of ['ca.key', 'wildcard.key'])
    expect((await stat(join(folder.path, name))).mode & 0o777).toBe(0o600);
});

test('keeps the authority and a wildcard certificate that expires late', async () => {
  await openCertificates(folder.path);
  const before = await read('ca.pem');
  const leaf = await replaceWildcard(200);
  const { wildcard } = await openCertificates(folder.path);
  expect(await read('ca.pem')).toBe(before);
  expect(wildcard).toEqual(leaf);
});

test('renews a wildcard certificate that expires soon, with the same authority', async () => {
  await openCertificates(folder.path);
  const before = await read('ca.pem');
  const leaf = await replaceWildcard(20);
  const { wildcard } = await openCertificates(folder.path);
  expect(await read('ca.pem')).toBe(before);
  expect(wildcard).not.toEqual(leaf);
  expect(await read('wildcard.pem')).toBe(wildcard.cert);
  expect(Date.parse(new X509Certificate(wildcard.cert).validTo)).toBeGreaterThan(Date.now() + 300 * DAY_MS);
});

test('renews a damaged wildcard certificate, and one of another authority', async () => {
  const first = await openCertificates(folder.path);
  const other = await createAuthority('x402 sandbox authority', createValidity(100));
  await writeFile(join(folder.path, 'wildcard.key'), other.key);
  const second = await openCertificates(folder.path);
  expect(second.wildcard).not.toEqual(first.wildcard);
  expect(await read('wildcard.key')).toBe(second.wildcard.key);
  await writeFile(join(folder.path, 'ca.pem'), other.cert);
  await writeFile(join(folder.path, 'ca.key'), other.key);
  const { cert } = (await openCertificates(folder.path)).wildcard;
  expect(cert).not.toBe(second.wildcard.cert);
  expect(new X509Certificate(cert).verify(new X509Certificate(other.cert).publicKey)).toBe(true);
});

test.each(['ca.pem', 'ca.key'])(
  'fails with a damaged %s, because clients would not trust a new authority',
  async (name) => {
    await openCertificates(folder.path);
    await writeFile(join(folder.path, name), 'damaged');
    await expect(openCertificates(folder.path)).rejects.toThrow(
      `ca.pem and ca.key in ${folder.path} do not match`,
    );
  },
);
