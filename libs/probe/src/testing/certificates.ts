import { createPrivateKey, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { isIP, isIPv4 } from 'node:net';

interface Identity {
  /** PEM certificate. */
  readonly cert: string;
  /** PEM private key. */
  readonly key: string;
}

interface LeafOptions {
  /** True to issue a certificate that has already expired. */
  readonly expired?: boolean;
  /** True to issue a certificate that becomes valid in 2098. */
  readonly notYetValid?: boolean;
  /** Common name (CN) of the certificate's subject. */
  readonly subject?: string;
}

export interface Authority extends Identity {
  /** Issues a leaf certificate for the given DNS names and IP addresses. */
  readonly issue: (names: readonly string[], options?: LeafOptions) => Identity;
}

// The following functions encode the DER elements of an X.509 version 3 certificate (RFC 5280, section 4.1).
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const size = content.length;
  if (size < 0x80) return Buffer.concat([Buffer.from([tag, size]), content]);
  return Buffer.concat([Buffer.from([tag, 0x82, size >> 8, size & 0xff]), content]);
}
const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const bitString = (bytes: Uint8Array): Buffer => der(0x03, Buffer.from([0]), bytes);
const commonName = (name: string): Buffer =>
  sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(name)))));
const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
const year = (fullYear: number): Buffer => der(0x18, Buffer.from(`${fullYear}0101000000Z`));

function toAddressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail = ''] = address.split('::');
  const splitGroups = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const missing = 8 - splitGroups(head).length - splitGroups(tail).length;
  const all = [...splitGroups(head), ...Array.from({ length: missing }, () => '0'), ...splitGroups(tail)];
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
}

function createExtensions(names: readonly string[], authority: boolean): Buffer {
  const basicConstraints = sequence(
    oid('551d13'),
    der(0x04, sequence(...(authority ? [der(0x01, Buffer.from([0xff]))] : []))),
  );
  const subjects = names.map((name) =>
    isIP(name) === 0 ? der(0x82, Buffer.from(name)) : der(0x87, toAddressBytes(name)),
  );
  const alternative = names.length === 0 ? [] : [sequence(oid('551d11'), der(0x04, sequence(...subjects)))];
  return der(0xa3, sequence(basicConstraints, ...alternative));
}

interface CertificateFields {
  readonly subject: string;
  readonly issuer: string;
  /**
   * Subject alternative names: DNS names and IP addresses. The certificate lacks the extension when the list is empty.
   */
  readonly names: readonly string[];
  readonly authority: boolean;
  readonly publicKey: KeyObject;
  readonly signingKey: KeyObject;
  /** Years in which the validity begins and ends, each on 1 January. */
  readonly years: readonly [from: number, to: number];
}

function createCertificate(fields: CertificateFields): string {
  const version3 = der(0xa0, der(0x02, Buffer.from([2])));
  const serial = der(0x02, Buffer.concat([Buffer.from([0x01]), randomBytes(8)]));
  const validity = sequence(...fields.years.map(year));
  const body = sequence(
    version3,
    serial,
    ecdsaWithSha256,
    commonName(fields.issuer),
    validity,
    commonName(fields.subject),
    fields.publicKey.export({ type: 'spki', format: 'der' }),
    createExtensions(fields.names, fields.authority),
  );
  const signed = sequence(body, ecdsaWithSha256, bitString(sign('sha256', body, fields.signingKey)));
  const base64 = signed.toString('base64').replace(/.{64}/g, '$&\n').trimEnd();
  return `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`;
}

function createKeyPair(): { readonly publicKey: KeyObject; readonly pem: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { publicKey, pem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

/** Creates a certificate authority for one test run. Its keys are P-256 and stay in memory. */
export function createAuthority(subject = 'Test authority'): Authority {
  const own = createKeyPair();
  const signingKey = createPrivateKey(own.pem);
  const shared = { issuer: subject, signingKey };
  const years = [2020, 2099] as const;
  const fields = { subject, names: [], authority: true, publicKey: own.publicKey, years };
  const cert = createCertificate({ ...shared, ...fields });
  return {
    cert,
    key: own.pem,
    issue: (names, { expired, notYetValid, subject: leafSubject = 'Test endpoint' } = {}) => {
      const leaf = createKeyPair();
      const leafFields = {
        subject: leafSubject,
        names,
        authority: false,
        publicKey: leaf.publicKey,
        years: [notYetValid === true ? 2098 : 2020, expired === true ? 2021 : 2099] as const,
      };
      return { cert: createCertificate({ ...shared, ...leafFields }), key: leaf.pem };
    },
  };
}
