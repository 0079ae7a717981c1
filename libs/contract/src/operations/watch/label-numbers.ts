/**
 * Returns labels of delivery URLs with a number for each label that several URLs have, so that they can be told apart.
 *
 * @example numberLabels(['https://a.example/…', 'https://a.example/…']) // 'https://a.example/… (1 of 2)', …
 */
export function numberLabels(labels: readonly string[]): readonly string[] {
  return labels.map((label, at) => {
    const total = labels.filter((other) => other === label).length;
    const number = labels.slice(0, at + 1).filter((other) => other === label).length;
    return total === 1 ? label : `${label} (${String(number)} of ${String(total)})`;
  });
}
