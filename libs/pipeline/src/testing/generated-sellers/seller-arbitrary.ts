import fc from 'fast-check';
import { ENVELOPE, MEMBERS, OTHER_OPTIONS, UNSETTLED } from './option-values.ts';
import { BODY_FORMS, FRAMINGS, HEADER_FORMS, HTTP_FORMS } from './response-bytes.ts';
import type { Codec, JsonObject, Seller } from './seller.ts';
import { LOCATIONS } from './seller-server.ts';

const pick = <const T>(...values: T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
/** Creates an arbitrary of the keys of a table. The cast is safe, because the tables have no further keys. */
const pickKey = <K extends string>(table: Readonly<Record<K, unknown>>): fc.Arbitrary<K> =>
  fc.constantFrom(...(Object.keys(table) as K[]));
const drawList = <T>(item: fc.Arbitrary<T>, maxLength: number): fc.Arbitrary<T[]> =>
  fc.array(item, { minLength: 1, maxLength });

/** Creates an arbitrary of objects with one member of the table. */
const pickMember = (table: Readonly<Record<string, readonly unknown[]>>): fc.Arbitrary<JsonObject> =>
  pickKey(table).chain((name) => pick(...(table[name] ?? [])).map((value) => ({ [name]: value })));

const optionChange = fc
  .tuple(fc.option(pick(...OTHER_OPTIONS), { nil: {} }), fc.option(pickMember(MEMBERS), { nil: {} }))
  .map(([option, member]): JsonObject => ({ ...option, ...member }));

const FOLLOWED_STATUS = pick(301, 302, 303, 307, 308);
const followedHops = drawList(fc.record({ status: FOLLOWED_STATUS, to: pick('relative', 'origin') }), 3);
const hops = fc.oneof(
  followedHops,
  drawList(fc.record({ status: FOLLOWED_STATUS, to: pick('relative', 'origin') }), 5),
  drawList(fc.record({ status: FOLLOWED_STATUS, to: pickKey(LOCATIONS) }), 2),
  drawList(fc.record({ status: pick(300, 304, 305, 306), to: pick('absolute', 'missing') }), 1),
);

const REFUSAL = pick(
  ...[
    200, 204, 400, 401, 403, 404, 405, 406, 409, 410, 411, 412, 415, 422, 426, 428, 429, 451, 500, 501, 503,
  ],
);

/** Content codings in which name and data agree. */
const CODINGS: readonly Required<Seller>['coding'][] = [
  { name: 'gzip', by: ['gzip'] },
  { name: 'GZIP', by: ['gzip'] },
  { name: 'x-gzip', by: ['gzip'] },
  { name: 'br', by: ['br'] },
  { name: 'deflate', by: ['deflate'] },
  { name: 'deflate', by: ['raw-deflate'] },
  { name: 'zstd', by: ['zstd'] },
  { name: 'gzip, gzip', by: ['gzip', 'gzip'] },
  { name: 'gzip, br', by: ['gzip', 'br'] },
  { name: 'identity', by: [] },
  { name: 'UTF-8', by: [] },
];
/** Values of `Content-Encoding`. Node's fetch crashes when a response with more codings than it accepts is cut off. */
const CODING_NAMES = [
  ...['gzip', 'br', 'deflate', 'zstd', 'x-zstd', 'compress', 'x-compress', 'none', 'utf-8', 'aws-chunked'],
  ...['identity', '', 'gzip,', ',gzip', 'gzip;q=1', 'gzip, identity', 'identity, gzip', 'gzip, UTF-8'],
  ...['zstd, gzip', 'gzip gzip', 'gzip,gzip,gzip,gzip,gzip'],
];
const codec = pick<Codec>('gzip', 'br', 'deflate', 'raw-deflate', 'zstd');
const coding = fc.oneof(
  pick(...CODINGS),
  fc.record({ name: pick(...CODING_NAMES), by: fc.array(codec, { maxLength: 2 }) }),
);

/** Lengths of a header field around the limits of header sections: 8, 16 and 64 KiB. */
const padding = fc.oneof(
  fc.integer({ min: 14_500, max: 16_500 }),
  pick(8_000, 12_000, 17_000, 30_000, 65_000, 66_000),
);
const CONTENT_TYPES = [
  ...[
    'text/html',
    '',
    'text/event-stream',
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
  ],
];

/** Declaration that the challenge is for POST requests. */
const FOR_POST = { extensions: { bazaar: { info: { input: { type: 'http', method: 'POST' } } } } };

/** Faults, each as the members of a seller that it sets. Faults with many values are drawn twice as often as others. */
const fault: fc.Arbitrary<Partial<Seller>> = fc.oneof(
  fc.record({ get: REFUSAL }),
  fc.record({ post: REFUSAL }),
  fc.record({ post: REFUSAL, envelope: fc.constant(FOR_POST) }),
  fc.record({ status: pick(200, 301, 400, 401, 403, 404, 405, 429, 499, 500) }),
  fc.record({ host: pick('localhost') }),
  { weight: 2, arbitrary: fc.record({ hops }) },
  fc.record({ header: pickKey(HEADER_FORMS) }),
  fc.record({ body: pickKey(BODY_FORMS) }),
  { weight: 2, arbitrary: fc.record({ coding }) },
  { weight: 2, arbitrary: fc.record({ framing: pickKey(FRAMINGS) }) },
  fc.record({ interim: drawList(pick(100, 101, 102, 103, 199), 3) }),
  fc.record({ padding }),
  fc.record({ contentType: pick(...CONTENT_TYPES) }),
  fc.record({ http: pickKey(HTTP_FORMS) }),
  fc.record({ envelope: pickMember(ENVELOPE) }),
  { weight: 2, arbitrary: fc.record({ option: pickMember(MEMBERS) }) },
  { weight: 2, arbitrary: fc.record({ option: optionChange }) },
  fc.record({ without: drawList(pickKey(MEMBERS), 1) }),
  fc.record({ before: drawList(optionChange, 2) }),
  fc.record({ eurcOptions: pick(3, 63, 64, 70) }),
  fc.record({ bulk: pick(100_000, 262_000, 263_000, 600_000) }),
  fc.record({ after: drawList(optionChange, 2) }),
);
const sends = pick('v2', 'v1', 'both');

/** Arbitrary of valid sellers with zero to three faults. */
const faultySeller = fc
  .tuple(sends, fc.array(fault, { maxLength: 3 }))
  .map(([version, faults]): Seller =>
    faults.reduce<Seller>((seller, members) => ({ ...seller, ...members }), { sends: version }),
  );

/** Arbitrary of sellers whose only option is one that clients sign, although the payment does not settle. */
const unsettledSeller: fc.Arbitrary<Seller> = fc.record(
  { sends, option: pickMember(UNSETTLED), hops: followedHops, coding: pick(...CODINGS) },
  { requiredKeys: ['sends', 'option'] },
);

export const sellerArbitrary: fc.Arbitrary<Seller> = fc.oneof(
  { weight: 3, arbitrary: faultySeller },
  { weight: 2, arbitrary: unsettledSeller },
);
