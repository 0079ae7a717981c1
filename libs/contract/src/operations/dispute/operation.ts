import {
  BODY,
  createPayload,
  createRequestBody,
  DATABASE,
  FREE_GET,
  type Operation,
} from '../operation-model.ts';
import { DISPUTE_SCHEMAS } from './schemas.ts';

/** Free operation that disputes a part of the verdict on an endpoint. */
export const createDisputeOperation: Operation = {
  id: 'createDispute',
  method: 'POST',
  path: '/v1/dispute',
  parameters: [],
  priceUsd: null,
  security: 'optional-bearer',
  summary: 'Dispute a verdict, as the provider of the endpoint',
  description:
    'States that a part of a verdict is wrong. Needs the secret of an active claim of the host, or a message that a payTo wallet of the endpoint signed. The dispute and the answer of the operator are public on the page of the endpoint. A dispute changes no score. One dispute per endpoint and subject is open at a time.',
  tags: ['claim'],
  requestBody: createRequestBody(DISPUTE_SCHEMAS, 'dispute-request'),
  response: createPayload(DISPUTE_SCHEMAS, 'dispute'),
  hasHtmlPage: false,
  isCacheableDocument: false,
  outputExample: null,
  problems: [...BODY, 'unauthorized', 'unknown-resource', 'dispute-open', 'chain-unavailable', ...DATABASE],
  command: null,
  tool: null,
};

/** Free operation that lists answered disputes and corrections. */
export const listCorrectionsOperation: Operation = {
  ...FREE_GET,
  id: 'listCorrections',
  path: '/corrections.json',
  summary: 'Answered disputes and corrections',
  description:
    'Newest 200 disputes that the operator answered, and errors that the operator found: what was shown, what is right, and when. The page /corrections shows the same entries.',
  tags: ['overview'],
  response: createPayload(DISPUTE_SCHEMAS, 'corrections'),
  problems: DATABASE,
};
