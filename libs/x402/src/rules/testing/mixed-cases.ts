import type { RuleCases } from './rule-case.ts';
import {
  BASE_USDC,
  dualResponse,
  v1Envelope,
  v1Option,
  v1Response,
  v2Envelope,
  v2Option,
  v2Response,
  type JsonObject,
} from '../../testing/fixtures.ts';
import type { ChallengeResponse } from '../../types.ts';

const OTHER_WALLET = '0x1111111111111111111111111111111111111111';
const SEPOLIA: JsonObject = {
  network: 'base-sepolia',
  asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  extra: { name: 'USDC', version: '2' },
};

/** Creates a response in both protocol versions. Its version 1 option has the given changes; the rest is correct. */
function withV1Option(change: JsonObject): ChallengeResponse {
  return dualResponse(v2Envelope(), v1Envelope({ accepts: [v1Option(change)] }));
}

/** Example responses for the rules on mixed protocol versions and on other payment protocols. */
export const MIXED_CASES: RuleCases = {
  'mixed-v1-in-header': {
    pass: { response: v2Response() },
    fail: { response: v2Response(v1Envelope()) },
    skip: { response: v1Response() },
  },
  'mixed-v2-in-body-only': {
    pass: { response: dualResponse(v2Envelope(), v2Envelope()) },
    fail: { response: v1Response(v2Envelope()) },
    skip: { response: v1Response() },
  },
  'mixed-v2-body-mirror': {
    pass: { response: v2Response() },
    fail: { response: dualResponse(v2Envelope(), v2Envelope({ accepts: [v2Option({ amount: '1' })] })) },
    skip: { response: v1Response() },
  },
  'mixed-v2-with-v1-names': {
    pass: { response: v2Response() },
    fail: { response: v2Response(v2Envelope({ accepts: [v2Option({ network: 'base' })] })) },
    skip: { response: v1Response() },
  },
  'dual-payto': {
    pass: { response: dualResponse() },
    fail: { response: withV1Option({ payTo: OTHER_WALLET }) },
    skip: { response: v2Response() },
  },
  'dual-amount': {
    pass: { response: dualResponse() },
    fail: { response: withV1Option({ maxAmountRequired: '20000' }) },
    skip: { response: withV1Option({ maxAmountRequired: '0.01' }) },
  },
  'dual-network': {
    pass: { response: dualResponse() },
    fail: { response: withV1Option(SEPOLIA) },
    skip: { response: v2Response() },
  },
  'dual-asset': {
    pass: { response: withV1Option({ asset: BASE_USDC.toLowerCase() }) },
    fail: { response: withV1Option({ asset: OTHER_WALLET }) },
    skip: { response: withV1Option(SEPOLIA) },
  },
  'dual-resource': {
    pass: { response: dualResponse() },
    fail: { response: withV1Option({ resource: 'https://api.example.com/v2/weather' }) },
    skip: { response: withV1Option({ resource: 'weather' }) },
  },
  'dialect-other': {
    pass: { response: v2Response() },
    fail: {
      response: {
        url: 'https://api.example.com/',
        status: 402,
        headers: [['WWW-Authenticate', 'L402 macaroon="AGIA", invoice="lnbc1"']],
        body: null,
      },
    },
  },
};
