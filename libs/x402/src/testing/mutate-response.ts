import {
  EURC,
  REQUEST_URL,
  SCHEME_OPTIONS,
  v1Envelope,
  v1Option,
  v2Envelope,
  v2Option,
  type JsonObject,
} from './fixtures.ts';
import type { ChallengeResponse } from '../types.ts';
import { MEMBER_NAMES, MALFORMED_VALUES } from './malformed-values.ts';
import type { SeededRandom } from './seeded-random.ts';

const SOLANA: JsonObject = {
  asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  payTo: 'F8AhDENfLvFddgKh4VuQb4CsGhmk5uzgpu4K8YzciMfe',
  extra: { feePayer: '2wKupLR9q6wXYppw8Gr2NvWxKBUqm4PPJKkQfoxHDBg4' },
};
const SEPOLIA: JsonObject = {
  asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  extra: { name: 'USDC', version: '2' },
};
const SOLANA_ID = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';

const V2_OPTIONS: readonly JsonObject[] = [
  v2Option(),
  v2Option(),
  v2Option({ network: 'eip155:84532', ...SEPOLIA }),
  v2Option({ network: SOLANA_ID, ...SOLANA }),
  v2Option({ extra: { assetTransferMethod: 'permit2' } }),
  v2Option({ scheme: 'upto' }),
  v2Option({ amount: '25000000' }),
  v2Option({ asset: EURC, extra: { name: 'EURC', version: '2' } }),
  ...Object.values(SCHEME_OPTIONS).map((option) => v2Option(option)),
  v2Option({ asset: '0x1111111111111111111111111111111111111111' }),
];
const V1_OPTIONS: readonly JsonObject[] = [
  v1Option(),
  v1Option(),
  v1Option({ network: 'base-sepolia', ...SEPOLIA }),
  v1Option({ network: 'solana', ...SOLANA }),
  v1Option({ outputSchema: { input: { type: 'http', method: 'GET', discoverable: true } } }),
];
const BAZAAR: JsonObject = {
  info: {
    input: { type: 'http', method: 'GET', queryParams: { city: 'Rome' } },
    output: { type: 'json', example: { celsius: 21 } },
  },
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { input: { type: 'object', properties: { method: { enum: ['GET'] } }, required: ['type'] } },
    required: ['input'],
  },
};

function pickSome<T>(random: SeededRandom, items: readonly T[]): T[] {
  return Array.from({ length: 1 + (random.oneIn(3) ? random.below(3) : 0) }, () => random.pick(items));
}

function createV2Envelope(random: SeededRandom): JsonObject {
  const extensions = random.oneIn(2) ? { extensions: { bazaar: BAZAAR } } : {};
  return structuredClone(v2Envelope({ accepts: pickSome(random, V2_OPTIONS), ...extensions }));
}

function createV1Envelope(random: SeededRandom): JsonObject {
  return structuredClone(v1Envelope({ accepts: pickSome(random, V1_OPTIONS) }));
}

/** Returns the first 200 objects and lists in a JSON document, including the document itself. */
function listContainers(json: unknown): object[] {
  const found: object[] = [];
  const waiting: unknown[] = [json];
  while (waiting.length > 0 && found.length < 200) {
    const value = waiting.shift();
    if (typeof value !== 'object' || value === null) continue;
    found.push(value);
    const members: unknown[] = Object.values(value);
    waiting.push(...members);
  }
  return found;
}

function put(target: object, name: string, value: unknown): void {
  // Defines the member instead of assigning it, so that `__proto__` becomes an ordinary member, as in JSON.parse.
  Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
}

/** Changes one random member of a JSON document in place. */
function mutateMember(json: unknown, random: SeededRandom): void {
  const target = random.pick(listContainers(json));
  const names = Object.keys(target);
  const name = names.length > 0 && !random.oneIn(5) ? random.pick(names) : random.pick(MEMBER_NAMES);
  switch (random.below(6)) {
    case 0:
      Reflect.deleteProperty(target, name);
      break;
    case 1:
      if (Array.isArray(target)) target.push(structuredClone(random.pick(MALFORMED_VALUES)));
      else put(target, random.pick(MEMBER_NAMES), structuredClone(random.pick(MALFORMED_VALUES)));
      break;
    case 2:
      // Skips inherited members, because changing them would affect the test process.
      if (Object.hasOwn(target, name)) put(target, name, [Reflect.get(target, name)]);
      break;
    default:
      if (!Array.isArray(target) || name !== 'length')
        put(target, name, structuredClone(random.pick(MALFORMED_VALUES)));
  }
}

/** Changes the text of a JSON document at a random position, which may make it invalid JSON. */
function mutateText(text: string, random: SeededRandom): string {
  const at = random.below(text.length + 1);
  const inserted = ['NaN', '\u0000', ',', '{', '"', '\\ud800', '\ufeff', '//', "'", '[', '1e999', '\ud800'];
  switch (random.below(6)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.replace('{', `{"${random.pick(MEMBER_NAMES).replace('\ud800', '')}":1,`);
    case 2:
      return `${'['.repeat(5_000)}${text}`;
    default:
      return text.slice(0, at) + random.pick(inserted) + text.slice(at + random.below(3));
  }
}

function mutateJson(json: JsonObject, random: SeededRandom): string {
  for (let times = random.below(4); times > 0; times -= 1) mutateMember(json, random);
  const text = JSON.stringify(json);
  return random.oneIn(12) ? mutateText(text, random) : text;
}

function toBase64(text: string, random: SeededRandom): string {
  if (random.oneIn(30)) return text.replace(/[^\x20-\x7e]/g, '?');
  const base64 = Buffer.from(text, random.oneIn(40) ? 'utf16le' : 'utf8').toString('base64');
  if (random.oneIn(30)) return base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  if (random.oneIn(30)) return base64.slice(0, random.below(base64.length));
  return random.oneIn(30) ? base64.replace(/=*$/, '='.repeat(random.below(4))) : base64;
}

type Field = readonly [name: string, value: string];

function createHeaders(v2: string | null, random: SeededRandom): Field[] {
  const fields: Field[] = [['Content-Type', random.pick(['application/json', 'text/html', ''])]];
  if (random.oneIn(2))
    fields.push(['Cache-Control', random.pick(['no-store', 'public, max-age=60', 'no-cache'])]);
  if (random.oneIn(8))
    fields.push(['WWW-Authenticate', random.pick(['L402 a="b"', 'Payment id="1"', 'X402 r="e30"'])]);
  if (v2 === null) return fields;
  const names = ['PAYMENT-REQUIRED', 'PAYMENT-REQUIRED', 'payment-required', 'Payment-Required'];
  const name = random.oneIn(20) ? random.pick(['X-PAYMENT-REQUIRED', 'X-Payment']) : random.pick(names);
  fields.push([name, v2]);
  if (random.oneIn(40)) fields.push([name, v2]);
  return fields;
}

/** Creates a response for one or both protocol versions, and changes it at a few random places. */
export function mutateResponse(random: SeededRandom): ChallengeResponse {
  const kind = random.below(5);
  const header = kind <= 2 ? toBase64(mutateJson(createV2Envelope(random), random), random) : null;
  const body =
    kind === 0 || kind >= 3
      ? mutateJson(kind === 4 ? createMixedEnvelope(random) : createV1Envelope(random), random)
      : '{}';
  return {
    url: random.oneIn(50) ? random.pick(['', 'http://[', '\ud800', 'https://x/../\u0000']) : REQUEST_URL,
    method: random.pick(['GET', 'POST', null]),
    status: random.oneIn(30) ? random.pick([200, 404, 405, 500, 301, 403, 0, -1, Number.NaN]) : 402,
    headers: createHeaders(header, random),
    body: random.oneIn(40) ? null : body,
  };
}

/** Creates an invalid body that some sellers send: a version 2 envelope, or an option with members of both versions. */
function createMixedEnvelope(random: SeededRandom): JsonObject {
  if (random.oneIn(2)) return createV2Envelope(random);
  const fused = { ...random.pick(V1_OPTIONS), ...random.pick(V2_OPTIONS) };
  return structuredClone({ x402Version: random.pick([1, 2, '1']), accepts: [fused] });
}
