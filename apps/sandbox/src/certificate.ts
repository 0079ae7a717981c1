// The certificate library's container needs this before it is loaded.
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import { createPrivateKey, webcrypto } from 'node:crypto';

/** A certificate and its private key, both PEM. */
export interface KeyedCertificate {
  readonly cert: string;
  readonly key: string;
}

export interface Validity {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

const DAY_MS = 86_400_000;
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const { KeyUsageFlags } = x509;

const newKeys = () => webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);

const pemOf = async (key: webcrypto.CryptoKey): Promise<string> =>
  x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), x509.PemConverter.PrivateKeyTag);

const signingKey = (pem: string): Promise<webcrypto.CryptoKey> =>
  webcrypto.subtle.importKey(
    'pkcs8',
    createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' }),
    ALGORITHM,
    false,
    ['sign'],
  );

/** From an hour ago, for clocks that differ, until so many days from now. */
export const validFor = (days: number): Validity => ({
  notBefore: new Date(Date.now() - 3_600_000),
  notAfter: new Date(Date.now() + days * DAY_MS),
});

const serverExtensions = async (hosts: readonly string[], publicKey: webcrypto.CryptoKey) => [
  new x509.BasicConstraintsExtension(false, undefined, true),
  new x509.KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
  new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
  new x509.SubjectAlternativeNameExtension(hosts.map((value) => ({ type: 'dns', value }))),
  await x509.SubjectKeyIdentifierExtension.create(publicKey),
];

/** A certificate authority that may only sign servers' certificates. */
export const createAuthority = async (name: string, validity: Validity): Promise<KeyedCertificate> => {
  const keys = await newKeys();
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
  return { cert: certificate.toString('pem'), key: await pemOf(keys.privateKey) };
};

/** A server's certificate signed by an authority; the first host is its common name. */
export const issueCertificate = async (
  authority: KeyedCertificate,
  hosts: readonly [string, ...string[]],
  validity: Validity,
): Promise<KeyedCertificate> => {
  const keys = await newKeys();
  const issuer = new x509.X509Certificate(authority.cert);
  const certificate = await x509.X509CertificateGenerator.create({
    subject: `CN=${hosts[0]}`,
    issuer: issuer.subject,
    ...validity,
    publicKey: keys.publicKey,
    signingKey: await signingKey(authority.key),
    signingAlgorithm: ALGORITHM,
    extensions: [
      ...(await serverExtensions(hosts, keys.publicKey)),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
    ],
  });
  return { cert: certificate.toString('pem'), key: await pemOf(keys.privateKey) };
};

/** A server's certificate that only vouches for itself. */
export const selfSignedCertificate = async (host: string, validity: Validity): Promise<KeyedCertificate> => {
  const keys = await newKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${host}`,
    ...validity,
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: await serverExtensions([host], keys.publicKey),
  });
  return { cert: certificate.toString('pem'), key: await pemOf(keys.privateKey) };
};
