import { expect } from 'vitest';
import { z } from 'zod';

const url = z.url({ protocol: /^https?$/ });
const text = z.string().min(1);
const reference = z.strictObject({ '@id': url });
const organization = z.strictObject({ '@type': z.literal('Organization'), name: text, url: url.optional() });

/** List items in their order, from 1. At least one is required. */
const toList = <Item extends z.ZodObject<{ position: z.ZodNumber }>>(item: Item) =>
  z
    .array(item)
    .min(1)
    .refine((items) => items.every(({ position }, index) => position === index + 1), 'wrong positions');

const breadcrumbList = z.strictObject({
  '@type': z.literal('BreadcrumbList'),
  itemListElement: toList(
    z.strictObject({ '@type': z.literal('ListItem'), position: z.number(), name: text, item: url }),
  ),
});
const itemList = z
  .strictObject({
    '@type': z.literal('ItemList'),
    numberOfItems: z.number(),
    itemListElement: toList(
      z.strictObject({ '@type': z.literal('ListItem'), position: z.number(), name: text, url }),
    ),
  })
  .refine(({ numberOfItems, itemListElement }) => numberOfItems === itemListElement.length);

/**
 * JSON-LD types that pages may contain, each with its required and optional members. Sources: schema.org, and the
 * documentation of Google Search about breadcrumbs and datasets.
 */
const node = z.discriminatedUnion('@type', [
  z.strictObject({
    '@type': z.literal('WebSite'),
    '@id': url,
    url,
    name: text,
    inLanguage: z.literal('en'),
    potentialAction: z.strictObject({
      '@type': z.literal('SearchAction'),
      target: z.strictObject({
        '@type': z.literal('EntryPoint'),
        urlTemplate: z.string().endsWith('?q={query}'),
      }),
      'query-input': z.literal('required name=query'),
    }),
  }),
  z.strictObject({
    '@type': z.literal('WebAPI'),
    '@id': url,
    name: text,
    url: url.optional(),
    description: text.optional(),
    provider: organization,
  }),
  z.strictObject({
    '@type': z.literal('WebPage'),
    '@id': url,
    url,
    dateModified: z.iso.datetime().optional(),
    about: reference,
    breadcrumb: breadcrumbList,
  }),
  z.strictObject({
    '@type': z.literal('CollectionPage'),
    '@id': url,
    url,
    name: text,
    description: text.min(50),
    breadcrumb: breadcrumbList,
    mainEntity: itemList,
  }),
  z.strictObject({
    '@type': z.literal('Dataset'),
    '@id': url,
    url,
    name: text,
    description: text.min(50),
    isAccessibleForFree: z.literal(true),
    creator: organization,
    dateModified: z.iso.datetime(),
    temporalCoverage: z.string().regex(/^[0-9-]{10}\/[0-9-]{10}$/),
    distribution: z.strictObject({
      '@type': z.literal('DataDownload'),
      encodingFormat: z.literal('application/json'),
      contentUrl: url,
    }),
  }),
]);
const graphSchema = z.strictObject({
  '@context': z.literal('https://schema.org'),
  '@graph': z.array(node).min(1),
});

/** Node of the `@graph` of a JSON-LD block. */
export type JsonLdNode = z.infer<typeof node>;

/** Reads the JSON-LD of a page. Fails if a block has an unknown type or member, or lacks a required one. */
export function readJsonLd(blocks: readonly unknown[], page: string): readonly JsonLdNode[] {
  return blocks.flatMap((block) => {
    const result = graphSchema.safeParse(block);
    expect.soft(result.error?.message, `JSON-LD of ${page}`).toBeUndefined();
    return result.data?.['@graph'] ?? [];
  });
}
