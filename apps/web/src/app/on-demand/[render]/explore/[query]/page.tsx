import type { Metadata } from 'next';
import { loadMatches } from '../../../../../explore/load-matches.ts';
import { decodeQuery, MAX_QUERY_LENGTH } from '../../../../../explore/search-query.ts';
import { Explore } from '../../../../../views/explore/explore.tsx';

interface Props {
  /** `query` is the search query as encoded by `encodeQuery`. */
  readonly params: Promise<{ readonly query: string }>;
}

/** Returns no queries, so the build renders no search result. */
export function generateStaticParams(): { query: string }[] {
  return [];
}

/** Creates the page metadata. Search engines must not index search results. */
export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const query = decodeQuery((await params).query);
  return { title: `Search for “${query}”`, robots: { index: false, follow: true } };
}

export default async function SearchResultPage({ params }: Props) {
  const query = decodeQuery((await params).query);
  return <Explore query={query} matches={query.length > MAX_QUERY_LENGTH ? [] : await loadMatches(query)} />;
}
