import { REQUEST_URL, v1Envelope, v1Option, v2Envelope, v2Option, type JsonObject } from './fixtures.ts';
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
const CAIP2_SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';

const V2_OPTIONS: readonly JsonObject[] = [
  v2Option(),
  v2Option(),
  v2Option({ network: 'eip155:84532', ...SEPOLIA }),
  v2Option({ network: CAIP2_SOLANA, ...SOLANA }),
  v2Option({ extra: { assetTransferMethod: 'permit2' } }),
  v2Option({ scheme: 'upto' }),
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

function pickSome<T>(chance: SeededRandom, items: readonly T[]): T[] {
  return Array.from({ length: 1 + (chance.oneIn(3) ? chance.below(3) : 0) }, () => chance.pick(items));
}

function createV2Envelope(chance: SeededRandom): JsonObject {
  const extensions = chance.oneIn(2) ? { extensions: { bazaar: BAZAAR } } : {};
  return structuredClone(v2Envelope({ accepts: pickSome(chance, V2_OPTIONS), ...extensions }));
}

function createV1Envelope(chance: SeededRandom): JsonObject {
  return structuredClone(v1Envelope({ accepts: pickSome(chance, V1_OPTIONS) }));
}

/** Every object and list in a document, itself among them. */
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
  // Defined rather than assigned, so that __proto__ becomes a member as JSON.parse makes it one.
  Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
}

/** Changes one place of a document in place. */
function mutateMember(json: unknown, chance: SeededRandom): void {
  const target = chance.pick(listContainers(json));
  const names = Object.keys(target);
  const name = names.length > 0 && !chance.oneIn(5) ? chance.pick(names) : chance.pick(MEMBER_NAMES);
  switch (chance.below(6)) {
    case 0:
      Reflect.deleteProperty(target, name);
      break;
    case 1:
      if (Array.isArray(target)) target.push(structuredClone(chance.pick(MALFORMED_VALUES)));
      else put(target, chance.pick(MEMBER_NAMES), structuredClone(chance.pick(MALFORMED_VALUES)));
      break;
    case 2:
      // Own members only: what is inherited belongs to this process.
      if (Object.hasOwn(target, name)) put(target, name, [Reflect.get(target, name)]);
      break;
    default:
      if (!Array.isArray(target) || name !== 'length')
        put(target, name, structuredClone(chance.pick(MALFORMED_VALUES)));
  }
}

/** Changes the text of a document, after which it may be no JSON any more. */
function mutateText(text: string, chance: SeededRandom): string {
  const at = chance.below(text.length + 1);
  const inserted = ['NaN', '\u0000', ',', '{', '"', '\\ud800', '\ufeff', '//', "'", '[', '1e999', '\ud800'];
  switch (chance.below(6)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.replace('{', `{"${chance.pick(MEMBER_NAMES).replace('\ud800', '')}":1,`);
    case 2:
      return `${'['.repeat(5_000)}${text}`;
    default:
      return text.slice(0, at) + chance.pick(inserted) + text.slice(at + chance.below(3));
  }
}

function mutateJson(json: JsonObject, chance: SeededRandom): string {
  for (let times = chance.below(4); times > 0; times -= 1) mutateMember(json, chance);
  const text = JSON.stringify(json);
  return chance.oneIn(12) ? mutateText(text, chance) : text;
}

function toBase64(text: string, chance: SeededRandom): string {
  if (chance.oneIn(30)) return text.replace(/[^\x20-\x7e]/g, '?');
  const base64 = Buffer.from(text, chance.oneIn(40) ? 'utf16le' : 'utf8').toString('base64');
  if (chance.oneIn(30)) return base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  if (chance.oneIn(30)) return base64.slice(0, chance.below(base64.length));
  return chance.oneIn(30) ? base64.replace(/=*$/, '='.repeat(chance.below(4))) : base64;
}

type Field = readonly [name: string, value: string];

function createHeaders(v2: string | null, chance: SeededRandom): Field[] {
  const fields: Field[] = [['Content-Type', chance.pick(['application/json', 'text/html', ''])]];
  if (chance.oneIn(2))
    fields.push(['Cache-Control', chance.pick(['no-store', 'public, max-age=60', 'no-cache'])]);
  if (chance.oneIn(8))
    fields.push(['WWW-Authenticate', chance.pick(['L402 a="b"', 'Payment id="1"', 'X402 r="e30"'])]);
  if (v2 === null) return fields;
  const names = ['PAYMENT-REQUIRED', 'PAYMENT-REQUIRED', 'payment-required', 'Payment-Required'];
  const name = chance.oneIn(20) ? chance.pick(['X-PAYMENT-REQUIRED', 'X-Payment']) : chance.pick(names);
  fields.push([name, v2]);
  if (chance.oneIn(40)) fields.push([name, v2]);
  return fields;
}

/** An answer that started as a good one, of either version or both, and was changed in a few places. */
export function mutateResponse(chance: SeededRandom): ChallengeResponse {
  const kind = chance.below(5);
  const header = kind <= 2 ? toBase64(mutateJson(createV2Envelope(chance), chance), chance) : null;
  const body =
    kind === 0 || kind >= 3
      ? mutateJson(kind === 4 ? createMixedEnvelope(chance) : createV1Envelope(chance), chance)
      : '{}';
  return {
    url: chance.oneIn(50) ? chance.pick(['', 'http://[', '\ud800', 'https://x/../\u0000']) : REQUEST_URL,
    method: chance.pick(['GET', 'POST', null]),
    status: chance.oneIn(30) ? chance.pick([200, 404, 405, 500, 301, 403, 0, -1, Number.NaN]) : 402,
    headers: createHeaders(header, chance),
    body: chance.oneIn(40) ? null : body,
  };
}

/** What sellers put into bodies beside the textbook: version 2 there, or members of both versions fused. */
function createMixedEnvelope(chance: SeededRandom): JsonObject {
  if (chance.oneIn(2)) return createV2Envelope(chance);
  const fused = { ...chance.pick(V1_OPTIONS), ...chance.pick(V2_OPTIONS) };
  return structuredClone({ x402Version: chance.pick([1, 2, '1']), accepts: [fused] });
}
