import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { JsonLd, createCollectionJsonLd } from '../../../page-parts/json-ld.tsx';
import { getSiteOrigin } from '../../../platform/config/config.ts';
import { loadCategories } from '../../../serving/page-cache/page-data.ts';
import {
  createCategoryCollection,
  createCategoryMetadata,
  loadCategoryPage,
} from '../../../views/category/category-page.ts';
import { CategoryView } from '../../../views/category/category-view.tsx';

interface Props {
  readonly params: Promise<{ readonly name: string }>;
}

/** Returns no names, because the build has no database. Each page is rendered at its first request. */
export function generateStaticParams(): { name: string }[] {
  return [];
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const page = await loadCategoryPage((await params).name);
  return page === null ? { title: 'Not found' } : createCategoryMetadata(page);
}

export default async function Page({ params }: Props) {
  const page = await loadCategoryPage((await params).name);
  if (page === null) notFound();
  return (
    <>
      <CategoryView page={page} categories={await loadCategories()} />
      <JsonLd data={createCollectionJsonLd(createCategoryCollection(page), getSiteOrigin(process.env))} />
    </>
  );
}
