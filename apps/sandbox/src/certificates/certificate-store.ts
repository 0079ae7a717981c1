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
  type KeyedCertificate,
} from './certificate.ts';

/** Certificates of the TLS server, and the certificate authority that TLS clients must trust. */
export interface Certificates {
  /** Path of the PEM file with the certificate of the authority. */
  readonly caFile: string;
  /** Certificate of the authority, PEM. */
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

async function readPair(dataDir: string, name: string): Promise<KeyedCertificate | null> {
  const cert = await readDataFile(join(dataDir, `${name}.pem`));
  const key = await readDataFile(join(dataDir, `${name}.key`));
  return cert === null || key === null ? null : { cert, key };
}

/**
 * Writes the key file before the certificate file. After a crash between the two writes, the certificate file is
 * missing, so the next start creates both files again.
 */
async function writePair(dataDir: string, name: string, pair: KeyedCertificate): Promise<KeyedCertificate> {
  await writeDataFile(join(dataDir, `${name}.key`), pair.key);
  await writeDataFile(join(dataDir, `${name}.pem`), pair.cert, 0o644);
  return pair;
}

/**
 * Parses the certificate of a pair. Returns null when the certificate or the key is damaged, or when they do not belong
 * together.
 */
function parsePair({ cert, key }: KeyedCertificate): X509Certificate | null {
  try {
    const certificate = new X509Certificate(cert);
    return certificate.checkPrivateKey(createPrivateKey(key)) ? certificate : null;
  } catch {
    return null;
  }
}

async function openAuthority(dataDir: string): Promise<KeyedCertificate> {
  const stored = await readPair(dataDir, 'ca');
  if (!stored) {
    const created = await createAuthority('x402 sandbox authority', createValidity(AUTHORITY_DAYS));
    return writePair(dataDir, 'ca', created);
  }
  if (!parsePair(stored))
    throw new StartupError(`ca.pem and ca.key in ${dataDir} do not match; remove both to create new ones`);
  return stored;
}

function isFresh(leaf: X509Certificate, authority: X509Certificate): boolean {
  return (
    leaf.checkIssued(authority) &&
    leaf.verify(authority.publicKey) &&
    Date.parse(leaf.validTo) - Date.now() > RENEW_BEFORE_DAYS * DAY_MS
  );
}

async function openWildcard(dataDir: string, authority: KeyedCertificate): Promise<KeyedCertificate> {
  const stored = await readPair(dataDir, 'wildcard');
  const leaf = stored && parsePair(stored);
  if (leaf && isFresh(leaf, new X509Certificate(authority.cert))) return stored;
  return writePair(
    dataDir,
    'wildcard',
    await issueCertificate(authority, [WILDCARD], createValidity(LEAF_DAYS)),
  );
}

/** Age of the expired certificate's end in days. It fits the sandbox story of an expired certificate of day 4 of 14. */
const EXPIRED_DAYS = 10;

function createExpiredValidity() {
  return {
    notBefore: new Date(Date.now() - 100 * DAY_MS),
    notAfter: new Date(Date.now() - EXPIRED_DAYS * DAY_MS),
  };
}

/**
 * Opens the certificates of a data folder. The certificate authority and the wildcard certificate are created at the
 * first start and kept. The wildcard certificate is replaced when it is damaged, expires within 60 days or was issued
 * by another authority. The deliberately invalid certificates are created at every start.
 * @throws StartupError when the authority's files are damaged, or when a file cannot be read or written
 */
export async function openCertificates(dataDir: string): Promise<Certificates> {
  const authority = await openAuthority(dataDir);
  return {
    caFile: join(dataDir, 'ca.pem'),
    ca: authority.cert,
    wildcard: await openWildcard(dataDir, authority),
    expired: await issueCertificate(authority, [WILDCARD], createExpiredValidity()),
    wrongHost: await issueCertificate(authority, ['parked.hosting.test'], createValidity(LEAF_DAYS)),
    selfSigned: await createSelfSignedCertificate(WILDCARD, createValidity(LEAF_DAYS)),
  };
}
