import { createPrivateKey, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { createAuthority, issueCertificate, selfSignedCertificate, validFor } from './certificate.ts';
import type { KeyedCertificate } from './certificate.ts';
import { readDataFile, writeDataFile } from './data-file.ts';
import { StartupError } from './startup-error.ts';

/** What the TLS server shows, and what its clients must trust. */
export interface Certificates {
  readonly caFile: string;
  /** What is in that file, PEM. */
  readonly ca: string;
  /** For every host of the world that is in order. */
  readonly wildcard: KeyedCertificate;
  readonly expired: KeyedCertificate;
  readonly wrongHost: KeyedCertificate;
  readonly selfSigned: KeyedCertificate;
}

const DAY_MS = 86_400_000;
const AUTHORITY_DAYS = 3_650;
const LEAF_DAYS = 397;
const RENEW_BEFORE_DAYS = 60;
const WILDCARD = '*.sandbox.test';

const readPair = async (dataDir: string, name: string): Promise<KeyedCertificate | null> => {
  const cert = await readDataFile(join(dataDir, `${name}.pem`));
  const key = await readDataFile(join(dataDir, `${name}.key`));
  return cert === null || key === null ? null : { cert, key };
};

/** The key goes first: a certificate without its key would be taken for a finished pair. */
const writePair = async (
  dataDir: string,
  name: string,
  pair: KeyedCertificate,
): Promise<KeyedCertificate> => {
  await writeDataFile(join(dataDir, `${name}.key`), pair.key);
  await writeDataFile(join(dataDir, `${name}.pem`), pair.cert, 0o644);
  return pair;
};

/** The certificate of a pair, or null when the pair is damaged or its halves do not belong together. */
const parsed = ({ cert, key }: KeyedCertificate): X509Certificate | null => {
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
    const made = await createAuthority('x402 sandbox authority', validFor(AUTHORITY_DAYS));
    return writePair(dataDir, 'ca', made);
  }
  if (!parsed(stored))
    throw new StartupError(`ca.pem and ca.key in ${dataDir} are no pair; remove both to have new ones made`);
  return stored;
};

const isFresh = (leaf: X509Certificate, authority: X509Certificate): boolean =>
  leaf.checkIssued(authority) &&
  leaf.verify(authority.publicKey) &&
  Date.parse(leaf.validTo) - Date.now() > RENEW_BEFORE_DAYS * DAY_MS;

const openWildcard = async (dataDir: string, authority: KeyedCertificate): Promise<KeyedCertificate> => {
  const stored = await readPair(dataDir, 'wildcard');
  const leaf = stored && parsed(stored);
  if (leaf && isFresh(leaf, new X509Certificate(authority.cert))) return stored;
  return writePair(dataDir, 'wildcard', await issueCertificate(authority, [WILDCARD], validFor(LEAF_DAYS)));
};

const lapsed = () => ({
  notBefore: new Date(Date.now() - 120 * DAY_MS),
  notAfter: new Date(Date.now() - 30 * DAY_MS),
});

/**
 * Opens the authority and the wildcard certificate of a data folder; makes the authority at the first start, and
 * the wildcard then and again when it nears its end or is damaged. The bad certificates are new at each start: nobody
 * trusts them.
 * @throws StartupError when a file cannot be read, written or understood
 */
export const openCertificates = async (dataDir: string): Promise<Certificates> => {
  const authority = await openAuthority(dataDir);
  return {
    caFile: join(dataDir, 'ca.pem'),
    ca: authority.cert,
    wildcard: await openWildcard(dataDir, authority),
    expired: await issueCertificate(authority, [WILDCARD], lapsed()),
    wrongHost: await issueCertificate(authority, ['parked.hosting.test'], validFor(LEAF_DAYS)),
    selfSigned: await selfSignedCertificate(WILDCARD, validFor(LEAF_DAYS)),
  };
};
