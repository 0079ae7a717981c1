import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { hydrateRoot } from 'react-dom/client';
import type { FirstPage } from '../list-endpoints.ts';
import { ExploreApp } from './explore-app.tsx';

const root = document.getElementById('explore-root');
const page = root?.dataset['page'];
if (root !== null && page !== undefined) {
  hydrateRoot(
    root,
    <QueryClientProvider client={new QueryClient()}>
      {/* The server wrote the attribute from a value of this type. */}
      <ExploreApp first={JSON.parse(page) as FirstPage} />
    </QueryClientProvider>,
  );
}
