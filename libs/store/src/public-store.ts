import type { Ecosystem, Snapshot } from './snapshot.ts';

/** What anybody may read, through the publishable key and row-level security. */
export interface PublicStore {
  /** One snapshot by endpoint id; null when there is no public one. */
  snapshot(endpointId: string): Promise<Snapshot | null>;
  /** The best graded, listed endpoints with confidence of at least 0.5 and no error flag; at most `limit`. */
  leaderboard(limit: number): Promise<readonly Snapshot[]>;
  ecosystem(): Promise<Ecosystem>;
}
