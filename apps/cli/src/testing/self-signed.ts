import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

// DER encoding of the parts of an X.509 version 3 certificate (RFC 5280, section 4.1).
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 0x80 ? [size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}
const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const bitString = (bytes: Uint8Array): Buffer => der(0x03, Buffer.from([0]), bytes);
const encodeStartOfYear = (year: number): Buffer => der(0x18, Buffer.from(`${String(year)}0101000000Z`));

/** Creates a key and a self-signed certificate for one DNS name. Both are in PEM format. */
export function createSelfSignedCertificate(name: string): { readonly key: string; readonly cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
  const subject = sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(name)))));
  const alternativeName = sequence(oid('551d11'), der(0x04, sequence(der(0x82, Buffer.from(name)))));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    subject,
    sequence(encodeStartOfYear(2020), encodeStartOfYear(2099)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(alternativeName)),
  );
  const signed = sequence(body, ecdsaWithSha256, bitString(sign('sha256', body, privateKey)));
  const base64 = signed.toString('base64').replace(/.{64}/g, '$&\n').trimEnd();
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
  };
}
