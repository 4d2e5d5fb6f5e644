import type { CsvFile } from '../../../lib/csv/csv-text.ts'

/** The last chosen file is kept, so that a checked file need not be chosen again to import it. */
let kept: { importId: string; file: CsvFile } | null = null

/** Remembers the file of an import until the window is closed or reloaded, or another file is kept. */
export const keepFile = (importId: string, file: CsvFile): void => {
  kept = { importId, file }
}

/** Returns the file of an import, if it was the last one chosen in this window. */
export const keptFile = (importId: string): CsvFile | null => (kept?.importId === importId ? kept.file : null)
