/** Removes the oldest entries of a map until the map has at most `max` entries. */
export function removeOldest(map: Map<string, unknown>, max: number): void {
  for (const key of map.keys()) {
    if (map.size <= max) return;
    map.delete(key);
  }
}
