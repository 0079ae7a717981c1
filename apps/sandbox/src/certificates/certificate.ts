// @peculiar/x509 needs the Reflect metadata API when it is loaded.
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import { createPrivateKey, webcrypto } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '@touchstone/common';

/** Certificate and its private key, both in PEM format. */
export interface KeyedCertificate {
  readonly cert: string;
  readonly key: string;
}

export interface Validity {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const { KeyUsageFlags } = x509;

function generateKeys() {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

async function toPem(key: webcrypto.CryptoKey): Promise<string> {
  return x509.PemConverter.encode(
    await webcrypto.subtle.exportKey('pkcs8', key),
    x509.PemConverter.PrivateKeyTag,
  );
}

function importSigningKey(pem: string): Promise<webcrypto.CryptoKey> {
  return webcrypto.subtle.importKey(
    'pkcs8',
    createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' }),
    ALGORITHM,
    false,
    ['sign'],
  );
}

/**
 * Returns a validity period that ends `days` days from now. The period begins an hour ago, so that clients whose clock
 * is slow accept the certificate.
 */
export function createValidity(days: number): Validity {
  return {
    notBefore: new Date(Date.now() - HOUR_MS),
    notAfter: new Date(Date.now() + days * DAY_MS),
  };
}

async function createServerExtensions(hosts: readonly string[], publicKey: webcrypto.CryptoKey) {
  return [
    new x509.BasicConstraintsExtension(false, undefined, true),
    new x509.KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
    new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
    new x509.SubjectAlternativeNameExtension(hosts.map((value) => ({ type: 'dns', value }))),
    await x509.SubjectKeyIdentifierExtension.create(publicKey),
  ];
}

/** Creates a certificate authority that can sign server certificates but no further authorities. */
export async function createAuthority(name: string, validity: Validity): Promise<KeyedCertificate> {
  const keys = await generateKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    ...validity,
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { cert: certificate.toString('pem'), key: await toPem(keys.privateKey) };
}

/** Issues a server certificate signed by an authority. The first host becomes the common name of the certificate. */
export async function issueCertificate(
  authority: KeyedCertificate,
  hosts: readonly [string, ...string[]],
  validity: Validity,
): Promise<KeyedCertificate> {
  const keys = await generateKeys();
  const issuer = new x509.X509Certificate(authority.cert);
  const certificate = await x509.X509CertificateGenerator.create({
    subject: `CN=${hosts[0]}`,
    issuer: issuer.subject,
    ...validity,
    publicKey: keys.publicKey,
    signingKey: await importSigningKey(authority.key),
    signingAlgorithm: ALGORITHM,
    extensions: [
      ...(await createServerExtensions(hosts, keys.publicKey)),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
    ],
  });
  return { cert: certificate.toString('pem'), key: await toPem(keys.privateKey) };
}

export async function createSelfSignedCertificate(
  host: string,
  validity: Validity,
): Promise<KeyedCertificate> {
  const keys = await generateKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${host}`,
    ...validity,
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: await createServerExtensions([host], keys.publicKey),
  });
  return { cert: certificate.toString('pem'), key: await toPem(keys.privateKey) };
}
