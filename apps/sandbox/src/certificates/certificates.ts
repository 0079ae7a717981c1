// @peculiar/x509 needs the Reflect metadata API when it is loaded.
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import { createPrivateKey, webcrypto, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { DAY_MS, HOUR_MS } from '@touchstone/common';
import { readDataFile, writeDataFile } from '../data-folder/data-file.ts';
import { StartupError } from '../startup-error.ts';

/** Certificate and its private key, both in PEM format. */
interface KeyedCertificate {
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
  /** Authority that signs the certificate; null for a self-signed certificate. */
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
 * Returns a validity period that ends after a number of days. The period begins an hour ago, so that clients whose clock
 * is slow accept the certificate.
 */
function createValidity(days: number): Validity {
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

function createAuthority(name: string, validity: Validity): Promise<KeyedCertificate> {
  const extensions = [
    new x509.BasicConstraintsExtension(true, 0, true),
    new x509.KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
  ];
  return createCertificate({ name, validity, authority: null, extensions });
}

/** Issues a server certificate. Without an authority, the certificate is self-signed. */
function issueCertificate(
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
const WILDCARD = '*.sandbox.test';

/** Returns true when a certificate and its key are not damaged and belong together. */
function isPair({ cert, key }: KeyedCertificate): boolean {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

/**
 * Opens the certificate authority of a data folder, and creates it at the first start. The key is written before the
 * certificate. So after a crash between the two writes, the certificate is missing, and the next start creates both again.
 */
async function openAuthority(dataDir: string, caFile: string): Promise<KeyedCertificate> {
  const keyFile = join(dataDir, 'ca.key');
  const [cert, key] = [await readDataFile(caFile), await readDataFile(keyFile)];
  if (cert !== null && key !== null) {
    if (isPair({ cert, key })) return { cert, key };
    throw new StartupError(`ca.pem and ca.key in ${dataDir} do not match; remove both to create new ones`);
  }
  const created = await createAuthority('x402 sandbox authority', createValidity(AUTHORITY_DAYS));
  await writeDataFile(keyFile, created.key);
  await writeDataFile(caFile, created.cert, 0o644);
  return created;
}

/**
 * Number of days between the end of the expired certificate's validity and today. In the scenario, a certificate
 * expires on day 4 of 14.
 */
const EXPIRED_DAYS = 10;

/**
 * Opens the certificates of a data folder. The certificate authority is stored in the folder, because clients must
 * still trust it after a restart of the sandbox. All other certificates are created at every start.
 * @throws StartupError when the files of the authority are damaged, or when a file cannot be read or written
 */
export async function openCertificates(dataDir: string): Promise<Certificates> {
  const caFile = join(dataDir, 'ca.pem');
  const authority = await openAuthority(dataDir, caFile);
  const expired = {
    notBefore: new Date(Date.now() - 100 * DAY_MS),
    notAfter: new Date(Date.now() - EXPIRED_DAYS * DAY_MS),
  };
  return {
    caFile,
    ca: authority.cert,
    wildcard: await issueCertificate(authority, WILDCARD, createValidity(LEAF_DAYS)),
    expired: await issueCertificate(authority, WILDCARD, expired),
    wrongHost: await issueCertificate(authority, 'parked.hosting.test', createValidity(LEAF_DAYS)),
    selfSigned: await issueCertificate(null, WILDCARD, createValidity(LEAF_DAYS)),
  };
}
