/** Which rows can be chosen, and what the others say instead. */
export type Selectable<T> = { when: (row: T) => boolean; otherwise: string }

/** The chosen rows as the list has them now; without those that left it or can no longer be chosen. */
export const stillChosen = <T extends { id: string }>(
  rows: readonly T[],
  chosen: readonly T[],
  selectable?: Selectable<T>,
): T[] => {
  const ids = new Set(chosen.map(({ id }) => id))
  return rows.filter((row) => ids.has(row.id) && (selectable?.when(row) ?? true))
}
