import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { createBulk, createEnvelopes, type Codec, type Seller } from './seller.ts';

/** Line of a header section: name and value of a field. */
type Line = string;

const CODECS: Readonly<Record<Codec, (data: Buffer) => Buffer>> = {
  gzip: (data) => gzipSync(data),
  br: (data) => brotliCompressSync(data),
  deflate: (data) => deflateSync(data),
  'raw-deflate': (data) => deflateRawSync(data),
  zstd: (data) => zstdCompressSync(data),
};

const toBase64 = (text: string, encoding: BufferEncoding = 'utf8'): string =>
  Buffer.from(text, encoding).toString('base64');

/** Forms of the PAYMENT-REQUIRED header. */
export const HEADER_FORMS = {
  misnamed: (json) => [`X-PAYMENT-REQUIRED: ${toBase64(json)}`],
  base64url: (json) => [
    `PAYMENT-REQUIRED: ${Buffer.from(json.replace('required', '?>?>?>?>')).toString('base64url')}`,
  ],
  unpadded: (json) => [
    `PAYMENT-REQUIRED: ${toBase64(json.padEnd(json.length + 3 - (json.length % 3) + 1)).replace(/=+$/, '')}`,
  ],
  plain: (json) => [`PAYMENT-REQUIRED: ${json}`],
  twice: (json) => [`PAYMENT-REQUIRED: ${toBase64(json)}`, `payment-required: ${toBase64(json)}`],
  'empty-twice': (json) => [`PAYMENT-REQUIRED: ${toBase64(json)}`, 'payment-required:'],
  'lower-case': (json) => [`payment-required:${toBase64(json)}`],
  'leading-space': (json) => [`PAYMENT-REQUIRED: \t ${toBase64(json)}`],
  'trailing-space': (json) => [`PAYMENT-REQUIRED: ${toBase64(json)} `],
  'trailing-tab': (json) => [`PAYMENT-REQUIRED: ${toBase64(json)}\t`],
  'inner-space': (json) => [`PAYMENT-REQUIRED: ${toBase64(json).replace(/^.{20}/, '$& ')}`],
  truncated: (json) => [`PAYMENT-REQUIRED: ${toBase64(json).slice(0, -8)}`],
  latin1: (json) => [`PAYMENT-REQUIRED: ${toBase64(json.replace('required', 'exigé'), 'latin1')}`],
  bom: (json) => [`PAYMENT-REQUIRED: ${toBase64(`\ufeff${json}`)}`],
  utf16: (json) => [`PAYMENT-REQUIRED: ${toBase64(json, 'utf16le')}`],
  empty: () => ['PAYMENT-REQUIRED:'],
} satisfies Readonly<Record<string, (json: string) => readonly Line[]>>;
export type HeaderForm = keyof typeof HEADER_FORMS;

/** Forms of the body. */
export const BODY_FORMS = {
  bom: (json) => Buffer.from(`\ufeff${json}`),
  spaces: (json) => Buffer.from(`\r\n\t ${json} \n`),
  comma: (json) => Buffer.from(json.replace(/\}$/, ',}')),
  list: (json) => Buffer.from(`[${json}]`),
  truncated: (json) => Buffer.from(json.slice(0, -9)),
  utf16: (json) => Buffer.from(`\ufeff${json}`, 'utf16le'),
  latin1: (json) => Buffer.from(json.replace('required', 'exigé'), 'latin1'),
  html: () => Buffer.from('<html><body>402 Payment Required</body></html>'),
  empty: () => Buffer.alloc(0),
  null: () => Buffer.from('null'),
  twice: (json) => Buffer.from(json + json),
} satisfies Readonly<Record<string, (json: string) => Buffer>>;
export type BodyForm = keyof typeof BODY_FORMS;

/** Data of a framed body, and the fields that announce it. */
interface FramedBody {
  readonly fields: readonly Line[];
  readonly data: Buffer;
}

function toChunk(data: Buffer): Buffer {
  // A chunk of length 0 would end the body.
  if (data.length === 0) return data;
  return Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')]);
}

const CHUNKED = 'transfer-encoding: chunked';
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

function toLength(data: Buffer, difference = 0): FramedBody {
  return { fields: [`content-length: ${data.length + difference}`], data };
}

function toChunks(...data: readonly Buffer[]): FramedBody {
  return { fields: [CHUNKED], data: Buffer.concat(data) };
}

/** Part of a chunk whose announced length is 5 more than its data. */
function toOpenChunk(data: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${(data.length + 5).toString(16)}\r\n`), data]);
}

/** Ways to delimit the body, and faults of its transfer. */
export const FRAMINGS = {
  length: (data) => toLength(data),
  'length-short': (data) => toLength(data, -Math.min(2, data.length)),
  'length-long': (data) => toLength(data, 7),
  'length-twice': (data) => ({ fields: Array(2).fill(`content-length: ${data.length}`), data }),
  'length-and-chunks': (data) => ({
    fields: [`content-length: ${data.length}`, CHUNKED],
    data: Buffer.concat([toChunk(data), LAST_CHUNK]),
  }),
  chunks: (data) => toChunks(toChunk(data.subarray(0, 9)), toChunk(data.subarray(9)), LAST_CHUNK),
  'tiny-chunks': (data) =>
    toChunks(Buffer.concat([...data].map((byte) => toChunk(Buffer.from([byte])))), LAST_CHUNK),
  trailer: (data) => toChunks(toChunk(data), Buffer.from('0\r\nx-checksum: 1\r\n\r\n')),
  'bad-chunk': (data) => toChunks(toChunk(data), Buffer.from('zz\r\n')),
  'cut-chunk': (data) => toChunks(toOpenChunk(data)),
  close: (data) => ({ fields: [], data }),
  stall: (data) => toLength(data, 7),
  'stall-start': (data) => ({ ...toLength(data), data: Buffer.alloc(0) }),
  endless: (data) => toChunks(toChunk(data)),
} satisfies Readonly<Record<string, (data: Buffer) => FramedBody>>;
export type Framing = keyof typeof FRAMINGS;

/** Forms of the header section. */
export const HTTP_FORMS = {
  http10: (head) => head.replace('HTTP/1.1', 'HTTP/1.0'),
  'http2.0': (head) => head.replace('HTTP/1.1', 'HTTP/2.0'),
  'no-reason': (head) => head.replace(/^(HTTP\/1.1 \d+) .*\r\n/, '$1\r\n'),
  'long-reason': (head) => head.replace(/\r\n/, ` ${'é'.repeat(300)}\r\n`),
  'line-feeds': (head) => head.replaceAll('\r\n', '\n'),
  folded: (head) => head.replace('\r\n', '\r\nx-note: one\r\n two\r\n'),
  'space-before-colon': (head) => head.replace('\r\n', '\r\nx-note : one\r\n'),
  'latin1-value': (head) => head.replace('\r\n', '\r\nx-note: caf\xe9\r\n'),
  'utf8-value': (head) => head.replace('\r\n', `\r\nx-note: ${Buffer.from('💸').toString('latin1')}\r\n`),
  'nul-value': (head) => head.replace('\r\n', '\r\nx-note: a\0b\r\n'),
  'no-name': (head) => head.replace('\r\n', '\r\n: one\r\n'),
  'blank-first': (head) => `\r\n${head}`,
} satisfies Readonly<Record<string, (head: string) => string>>;
export type HttpForm = keyof typeof HTTP_FORMS;

/** Returns a header section. */
export function formatHead(status: number, fields: readonly Line[]): string {
  return [`HTTP/1.1 ${status} Status`, ...fields, 'connection: close', '', ''].join('\r\n');
}

function createBody({ body, bulk, coding, sends }: Seller, json: string): Buffer {
  const text: Buffer =
    body === undefined
      ? Buffer.from(sends === 'v2' ? JSON.stringify(createBulk(bulk)) : json)
      : BODY_FORMS[body](json);
  return (coding?.by ?? []).reduce((data, codec) => CODECS[codec](data), text);
}

/** Creates the bytes of the response with the challenge. */
export function createChallengeBytes(seller: Seller): Buffer {
  const {
    coding,
    contentType = 'application/json',
    framing = 'length',
    http,
    interim = [],
    padding,
  } = seller;
  const { v1, v2 } = createEnvelopes(seller);
  const framed = FRAMINGS[framing](createBody(seller, JSON.stringify(v1 ?? v2)));
  const json = JSON.stringify(v2);
  const required =
    v2 === null
      ? []
      : seller.header === undefined
        ? [`PAYMENT-REQUIRED: ${toBase64(json)}`]
        : HEADER_FORMS[seller.header](json);
  const fields = [
    `content-type: ${contentType}`,
    ...required,
    ...(coding === undefined ? [] : [`content-encoding: ${coding.name}`]),
    ...(padding === undefined ? [] : [`x-padding: ${'x'.repeat(padding)}`]),
    ...framed.fields,
  ];
  const head = formatHead(seller.status ?? 402, fields);
  const before = interim.map((status) => `HTTP/1.1 ${status} Interim\r\n\r\n`).join('');
  const section = before + (http === undefined ? head : HTTP_FORMS[http](head));
  return Buffer.concat([Buffer.from(section, 'latin1'), framed.data]);
}

/** Returns true when the connection stays open although the response is incomplete. */
export function isStalled({ framing }: Seller): boolean {
  return framing === 'stall' || framing === 'stall-start' || framing === 'endless';
}
