import { exploreRouter } from './explore-router.ts';
import { router } from './trpc.ts';
import { watchRouter } from './watch-router.ts';

/** Procedures of the site. Browsers call these procedures at `/api/trpc`. */
export const appRouter = router({ explore: exploreRouter, watch: watchRouter });

/** Type of the procedures, for the clients in browsers. */
export type AppRouter = typeof appRouter;
