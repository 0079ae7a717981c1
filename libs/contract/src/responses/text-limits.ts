import { MAX_RESOURCE_CHARS } from '@touchstone/common';

// This file does not import zod, so that the script of the playground does not contain zod.

/** Maximum length of each kind of text in a response, in UTF-16 code units. Longer texts are cut. */
export const TEXT_LIMITS = {
  name: 200,
  description: 2_000,
  /** Description in a search result. It is shorter, because a result has up to 25 of them. */
  matchDescription: 500,
  address: 200,
  resource: MAX_RESOURCE_CHARS,
  sentence: 2_000,
  failure: 300,
} as const;
