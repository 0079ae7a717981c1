// @peculiar/x509 needs the Reflect metadata API when it is loaded.
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import { createPrivateKey, webcrypto, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { DAY_MS, HOUR_MS } from '@touchstone/common';
import { readDataFile, writeDataFile } from '../data-folder/data-file.ts';
import { StartupError } from '../startup-error.ts';

/** Certificate and its private key, both in PEM format. */
export interface KeyedCertificate {
  readonly cert: string;
  readonly key: string;
}

interface Validity {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

interface CertificateOptions {
  /** Common name of the certificate. */
  readonly name: string;
  readonly validity: Validity;
  /** Authority that signs the certificate; null for a self-signed one. */
  readonly authority: KeyedCertificate | null;
  readonly extensions: readonly x509.Extension[];
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const { KeyUsageFlags } = x509;

function importSigningKey(pem: string): Promise<webcrypto.CryptoKey> {
  const key = createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' });
  return webcrypto.subtle.importKey('pkcs8', key, ALGORITHM, false, ['sign']);
}

/**
 * Returns a validity period that ends `days` days from now. The period begins an hour ago, so that clients whose clock
 * is slow accept the certificate.
 */
export function createValidity(days: number): Validity {
  return { notBefore: new Date(Date.now() - HOUR_MS), notAfter: new Date(Date.now() + days * DAY_MS) };
}

async function createCertificate(options: CertificateOptions): Promise<KeyedCertificate> {
  const { name, validity, authority, extensions } = options;
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const issuer = authority && new x509.X509Certificate(authority.cert);
  const certificate = await x509.X509CertificateGenerator.create({
    subject: `CN=${name}`,
    issuer: issuer?.subject ?? `CN=${name}`,
    ...validity,
    publicKey: keys.publicKey,
    signingKey: authority === null ? keys.privateKey : await importSigningKey(authority.key),
    signingAlgorithm: ALGORITHM,
    extensions: [
      ...extensions,
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ...(issuer ? [await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey)] : []),
    ],
  });
  const privateKey = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  const key = x509.PemConverter.encode(privateKey, x509.PemConverter.PrivateKeyTag);
  return { cert: certificate.toString('pem'), key };
}

/** Creates a certificate authority that can sign server certificates but no further authorities. */
export function createAuthority(name: string, validity: Validity): Promise<KeyedCertificate> {
  const extensions = [
    new x509.BasicConstraintsExtension(true, 0, true),
    new x509.KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
  ];
  return createCertificate({ name, validity, authority: null, extensions });
}

/** Issues the certificate of a server; a self-signed one without an authority. */
export function issueCertificate(
  authority: KeyedCertificate | null,
  host: string,
  validity: Validity,
): Promise<KeyedCertificate> {
  const extensions = [
    new x509.BasicConstraintsExtension(false, undefined, true),
    new x509.KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
    new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
    new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: host }]),
  ];
  return createCertificate({ name: host, validity, authority, extensions });
}

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
  const issued = await issueCertificate(authority, WILDCARD, createValidity(LEAF_DAYS));
  return writePair(dataDir, 'wildcard', issued);
}

/** Age of the expired certificate's end in days. It fits the sandbox story of an expired certificate of day 4 of 14. */
const EXPIRED_DAYS = 10;

/**
 * Opens the certificates of a data folder. The certificate authority and the wildcard certificate are created at the
 * first start and kept. The wildcard certificate is replaced when it is damaged, expires within 60 days or was issued
 * by another authority. The deliberately invalid certificates are created at every start.
 * @throws StartupError when the authority's files are damaged, or when a file cannot be read or written
 */
export async function openCertificates(dataDir: string): Promise<Certificates> {
  const authority = await openAuthority(dataDir);
  const expired = {
    notBefore: new Date(Date.now() - 100 * DAY_MS),
    notAfter: new Date(Date.now() - EXPIRED_DAYS * DAY_MS),
  };
  return {
    caFile: join(dataDir, 'ca.pem'),
    ca: authority.cert,
    wildcard: await openWildcard(dataDir, authority),
    expired: await issueCertificate(authority, WILDCARD, expired),
    wrongHost: await issueCertificate(authority, 'parked.hosting.test', createValidity(LEAF_DAYS)),
    selfSigned: await issueCertificate(null, WILDCARD, createValidity(LEAF_DAYS)),
  };
}
