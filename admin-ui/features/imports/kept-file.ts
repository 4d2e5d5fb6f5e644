/** The text of the file that was chosen last: a file that was checked need not be chosen again to import it. */
let kept: { importId: string; name: string; csv: string } | null = null

/** Remembers the file of an import until the page is left or another one is chosen. */
export const keepFile = (importId: string, name: string, csv: string): void => {
  kept = { importId, name, csv }
}

/** The file of an import, where it was chosen in this window. */
export const keptFile = (importId: string): { name: string; csv: string } | null =>
  kept?.importId === importId ? kept : null
