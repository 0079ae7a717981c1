import { createPrivateKey, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { DAY_MS } from '@touchstone/common';
import { readDataFile, writeDataFile } from '../data-folder/data-file.ts';
import { StartupError } from '../startup-error.ts';
import {
  createAuthority,
  createSelfSignedCertificate,
  createValidity,
  issueCertificate,
} from './certificate.ts';
import type { KeyedCertificate } from './certificate.ts';

/** Certificates of the TLS server, and the authority that its clients must trust. */
export interface Certificates {
  /** PEM file of the authority. */
  readonly caFile: string;
  /** Contents of that file. */
  readonly ca: string;
  /** Valid certificate for every simulated host. */
  readonly wildcard: KeyedCertificate;
  readonly expired: KeyedCertificate;
  readonly wrongHost: KeyedCertificate;
  readonly selfSigned: KeyedCertificate;
}

const AUTHORITY_DAYS = 3_650;
const LEAF_DAYS = 397;
/** Remaining validity below which the wildcard certificate is renewed, in days. */
const RENEW_BEFORE_DAYS = 60;
const WILDCARD = '*.sandbox.test';

const readPair = async (dataDir: string, name: string): Promise<KeyedCertificate | null> => {
  const cert = await readDataFile(join(dataDir, `${name}.pem`));
  const key = await readDataFile(join(dataDir, `${name}.key`));
  return cert === null || key === null ? null : { cert, key };
};

/** Writes the key before the certificate: a missing certificate marks the pair as unfinished. */
const writePair = async (
  dataDir: string,
  name: string,
  pair: KeyedCertificate,
): Promise<KeyedCertificate> => {
  await writeDataFile(join(dataDir, `${name}.key`), pair.key);
  await writeDataFile(join(dataDir, `${name}.pem`), pair.cert, 0o644);
  return pair;
};

/** Returns the certificate of a pair, or null when either part is damaged or the key does not match. */
const parsePair = ({ cert, key }: KeyedCertificate): X509Certificate | null => {
  try {
    const certificate = new X509Certificate(cert);
    return certificate.checkPrivateKey(createPrivateKey(key)) ? certificate : null;
  } catch {
    return null;
  }
};

const openAuthority = async (dataDir: string): Promise<KeyedCertificate> => {
  const stored = await readPair(dataDir, 'ca');
  if (!stored) {
    const created = await createAuthority('x402 sandbox authority', createValidity(AUTHORITY_DAYS));
    return writePair(dataDir, 'ca', created);
  }
  if (!parsePair(stored))
    throw new StartupError(`ca.pem and ca.key in ${dataDir} do not match; remove both to create new ones`);
  return stored;
};

const isFresh = (leaf: X509Certificate, authority: X509Certificate): boolean =>
  leaf.checkIssued(authority) &&
  leaf.verify(authority.publicKey) &&
  Date.parse(leaf.validTo) - Date.now() > RENEW_BEFORE_DAYS * DAY_MS;

const openWildcard = async (dataDir: string, authority: KeyedCertificate): Promise<KeyedCertificate> => {
  const stored = await readPair(dataDir, 'wildcard');
  const leaf = stored && parsePair(stored);
  if (leaf && isFresh(leaf, new X509Certificate(authority.cert))) return stored;
  return writePair(
    dataDir,
    'wildcard',
    await issueCertificate(authority, [WILDCARD], createValidity(LEAF_DAYS)),
  );
};

const createExpiredValidity = () => ({
  notBefore: new Date(Date.now() - 120 * DAY_MS),
  notAfter: new Date(Date.now() - 30 * DAY_MS),
});

/**
 * Opens the authority and the wildcard certificate of a data folder. The authority is created at the first start. The
 * wildcard certificate is created then, and again when it is damaged or expires within 60 days. The invalid certificates
 * are created at every start, because no client trusts them.
 * @throws StartupError when a file is damaged, or cannot be read or written
 */
export const openCertificates = async (dataDir: string): Promise<Certificates> => {
  const authority = await openAuthority(dataDir);
  return {
    caFile: join(dataDir, 'ca.pem'),
    ca: authority.cert,
    wildcard: await openWildcard(dataDir, authority),
    expired: await issueCertificate(authority, [WILDCARD], createExpiredValidity()),
    wrongHost: await issueCertificate(authority, ['parked.hosting.test'], createValidity(LEAF_DAYS)),
    selfSigned: await createSelfSignedCertificate(WILDCARD, createValidity(LEAF_DAYS)),
  };
};
