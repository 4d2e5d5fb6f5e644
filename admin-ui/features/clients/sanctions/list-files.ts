import type { NewList } from './sanctions.api.ts'
import { say } from './words.ts'

type Named = { name: string }
type Columns<F> = { sdn: F | undefined; alt: F | undefined; add: F | undefined }

/** Finds OFAC's column files among the chosen files by their names: `sdn.csv`, `ALT (1).CSV`. */
export const columnFiles = <F extends Named>(files: readonly F[]): Columns<F> => {
  const findFile = (what: string) => files.find(({ name }) => new RegExp(`^${what}\\b.*\\.csv$`, 'i').test(name))
  return { sdn: findFile('sdn'), alt: findFile('alt'), add: findFile('add') }
}

/** Says what is wrong with the chosen files; null if they are complete. */
export const missingFiles = (source: NewList['source'], files: readonly Named[]): string | null => {
  const { sdn, alt, add } = columnFiles(files)
  if (files.length === 0) return say('sanctions.file.required')
  if (source !== 'ofac_sdn') return files.length === 1 ? null : say('sanctions.file.only_one')
  if (sdn && alt && add) return files.length === 3 ? null : say('sanctions.file.only_three')
  if (sdn || alt || add) return say('sanctions.file.three_required')
  return files.length === 1 ? null : say('sanctions.file.xml_alone')
}
