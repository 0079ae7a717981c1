import { z } from 'zod';

/** Schema of a trust report, version 1.0.0, without the descriptions of its fields. */

const time = z.iso.datetime({ precision: 3 });
const usd = z.string().regex(/^[0-9]{1,80}\.[0-9]{6}$/);
const exactUsd = z.string().regex(/^[0-9]{1,80}(\.[0-9]{1,80})?$/);
const atomicAmount = z.string().regex(/^[0-9]{1,78}$/);
const slug = z
  .string()
  .max(64)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/);
const share = z.number().min(0).max(1);
const count = z.int().min(0);
const points = z.number().min(0).max(100);
const link = z
  .url()
  .max(2_048)
  .regex(/^https?:\/\//);

/** Maximum length of an address in a report, in UTF-16 code units. */
export const MAX_ADDRESS_LENGTH = 200;
const name = z.string().max(200);
const description = z.string().max(2_000);
const address = z.string().max(MAX_ADDRESS_LENGTH);
const resource = z.string().max(8_192);
const sentence = z.string().max(2_000);

const grade = z.enum(['A', 'B', 'C', 'D', 'F', '?']);
const recommendation = z.enum(['proceed', 'caution', 'parameterize', 'avoid', 'unverified', 'free']);
const flagSeverity = z.enum(['error', 'warning']);
const complianceVerdict = z.enum(['pass', 'warnings', 'errors', 'unpayable']);
const changeKind = z.enum(['price_change', 'payto_change', 'asset_network_change']);
const protocolVersion = z.union([z.literal(1), z.literal(2)]).nullable();
const decimals = z.int().min(0).max(77).nullable();
const figures = z.record(
  z
    .string()
    .max(64)
    .regex(/^[A-Za-z][A-Za-z0-9]*$/),
  z.union([z.string().max(256), z.number()]).nullable(),
);

const freshness = z.strictObject({
  live: z.boolean(),
  notLiveReason: z.enum(['own-failure', 'too-slow', 'template', 'stored']).nullable(),
  probedAt: time.nullable(),
  ageSeconds: count.nullable(),
  liveProbeMs: count.nullable(),
});

const listing = z.strictObject({
  status: z.enum(['listed', 'delisted']),
  firstSeen: time,
  delistedAt: time.nullable(),
});

const paymentOption = z.strictObject({
  scheme: address,
  network: address,
  asset: address,
  assetSymbol: address.nullable(),
  decimals,
  amount: atomicAmount.nullable(),
  amountUsd: usd.nullable(),
  payTo: address,
  falseUsdc: z.boolean(),
});

const advertised = z.strictObject({
  amount: atomicAmount.nullable(),
  amountUsd: usd.nullable(),
  asset: address.nullable(),
  network: address,
  decimals,
  payTo: address,
  protocolVersion,
  networkKnown: z.boolean(),
  falseUsdc: z.boolean(),
  observedAt: time.nullable(),
  range30d: z.strictObject({ lowUsd: usd, highUsd: usd }).nullable(),
  options: z.array(paymentOption).max(100),
});

const paidWallet = z.strictObject({
  payTo: address,
  network: address,
  volumeUsd30d: usd.nullable(),
  settlements30d: count.nullable(),
  payers30d: count.nullable(),
  topPayerShare: share.nullable(),
  lastSettledAt: time.nullable(),
  throughBlock: count.nullable(),
});

const settlement = z.strictObject({
  payTo: address.nullable(),
  network: address.nullable(),
  volumeUsd30d: usd.nullable(),
  settlements30d: count.nullable(),
  payers30d: count.nullable(),
  topPayerShare: share.nullable(),
  lastSettledAt: time.nullable(),
  sharedWith: z.array(resource).max(20),
  throughBlock: count.nullable(),
  partial: z.boolean().nullable(),
  wallets: z.array(paidWallet).max(100),
});

const complianceCheck = z.strictObject({
  id: slug,
  pass: z.boolean(),
  severity: z.enum(['error', 'warning', 'info']),
  message: sentence,
  fix: sentence.nullable(),
  reference: sentence,
});

const compliance = z.strictObject({
  version: protocolVersion,
  payable: z.boolean(),
  checks: z.array(complianceCheck).max(200),
});

const milliseconds = z.number().min(0);
const stats = z.strictObject({
  scoredAt: time,
  windowDays: z.int().min(1),
  probes: count,
  scored: count,
  up: count,
  excluded: count,
  blocked: count,
  redirected: count,
  envelopes: z.strictObject({
    checked: count,
    valid: count,
    pass: count,
    warnings: count,
    errors: count,
    unpayable: count,
  }),
  latency: z
    .strictObject({
      p50: milliseconds,
      p95: milliseconds,
      p99: milliseconds.nullable(),
      mean: milliseconds.nullable(),
      n: count,
      vantage: name.nullable(),
    })
    .nullable(),
  changes: z.strictObject({
    price: count,
    payTo: count,
    assetNetwork: count,
    events: z.array(z.strictObject({ kind: changeKind, at: time })).max(30_000),
  }),
  everChallenged: z.boolean(),
  answeredFree: z.boolean(),
  lastProbedAt: time.nullable(),
  downSince: time.nullable(),
  watchedSince: time.nullable(),
  lastChallengedAt: time.nullable(),
  lastPayableAt: time.nullable(),
  latestCompliance: complianceVerdict.nullable(),
  medianAmountUsd: exactUsd.nullable(),
  payToSharedWith: count.nullable(),
  networksRead: share,
  latestChallenge: z
    .strictObject({ resourceInfoMissing: z.boolean(), headerBodyMismatch: z.boolean() })
    .nullable(),
  observedDays: count,
  firstSeen: time,
});

const component = z.strictObject({
  value: share.nullable(),
  weight: z.number().min(0),
  points,
  inputs: figures,
  explanation: sentence,
});
const components = z.strictObject({
  uptime: component,
  compliance: component,
  stability: component,
  activity: component,
  age: component,
  latency: component,
});

const subscore = points.nullable();
const breakdown = z.strictObject({
  uptime: subscore,
  compliance: subscore,
  stability: subscore,
  activity: subscore,
  age: subscore,
  latency: subscore,
});

const signature = z.strictObject({
  algorithm: z.literal('Ed25519'),
  // 32 bytes as base64url without padding. The last character carries only four bits.
  keyId: z.string().regex(/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/),
  keys: link,
  // 64 bytes as base64url without padding. The last character carries only two bits.
  value: z.string().regex(/^[A-Za-z0-9_-]{85}[AQgw]$/),
});

export const reportSchema = z.strictObject({
  $schema: link,
  schemaVersion: z.literal('1.0.0'),
  schemaType: z.literal('x402-trust'),
  resource,
  endpointId: name,
  endpointPage: link,
  serviceName: name.nullable(),
  description: description.nullable(),
  generatedAt: time,
  freshness,
  listing,
  templated: z.boolean(),
  score: points,
  scoreRange: z.strictObject({ low: points, point: points, high: points }),
  grade,
  gradeThresholds: z.strictObject({ A: points, B: points, C: points, D: points, F: points }),
  recommendation,
  reasons: z.array(sentence).max(64),
  confidence: share,
  confidenceDetail: z.strictObject({ overall: share, observation: share, economic: share }),
  scoringVersion: z.literal('1.0.0'),
  breakdown,
  components,
  caps: z.array(z.strictObject({ rule: slug, limit: points, explanation: sentence })).max(32),
  flags: z.record(
    slug,
    z.strictObject({ severity: flagSeverity, message: sentence, evidence: figures, since: time.nullable() }),
  ),
  advertised: advertised.nullable(),
  settlement: settlement.nullable(),
  compliance: compliance.nullable(),
  stats,
  projection: z.strictObject({ at: time, score: points, grade }).nullable(),
  signature: signature.nullable(),
});

export type Report = z.infer<typeof reportSchema>;
export type Grade = z.infer<typeof grade>;
export type Recommendation = z.infer<typeof recommendation>;
export type FlagSeverity = z.infer<typeof flagSeverity>;
export type ComplianceVerdict = z.infer<typeof complianceVerdict>;
export type ChangeKind = z.infer<typeof changeKind>;
export type ComponentName = keyof z.infer<typeof components>;
