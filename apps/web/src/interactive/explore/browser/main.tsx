import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { hydrateRoot } from 'react-dom/client';
import type { Choices } from '../choices.ts';
import type { FirstPage } from '../list-endpoints.ts';
import { ExploreApp } from './explore-app.tsx';

const root = document.getElementById('explore-root');
const { page, choices } = root?.dataset ?? {};
if (root !== null && page !== undefined && choices !== undefined) {
  hydrateRoot(
    root,
    <QueryClientProvider client={new QueryClient()}>
      {/* The server wrote both attributes from values of these types. */}
      <ExploreApp first={JSON.parse(page) as FirstPage} choices={JSON.parse(choices) as Choices} />
    </QueryClientProvider>,
  );
}
