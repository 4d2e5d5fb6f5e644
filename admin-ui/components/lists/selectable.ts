/** Says which rows can be chosen; the checkboxes of the others have the text `otherwise`. */
export type Selectable<T> = { when: (row: T) => boolean; otherwise: string }

/** Returns the chosen rows in their present version, without those that left the list or can no longer be chosen. */
export const stillChosen = <T extends { id: string }>(
  rows: readonly T[],
  chosen: readonly T[],
  selectable?: Selectable<T>,
): T[] => {
  const ids = new Set(chosen.map(({ id }) => id))
  return rows.filter((row) => ids.has(row.id) && (selectable?.when(row) ?? true))
}
