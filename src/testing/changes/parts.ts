import type { Part } from './change-list.ts'

/** The files that parts are in, each once. */
export const filesOf = (parts: readonly Part[]): string[] => [...new Set(parts.map(({ file }) => file))]

/** A source with the parts in it. Throws where a part's place is not in the source, or twice. */
export const withParts = (source: string, parts: readonly Part[]): string =>
  parts.reduce((text, part) => {
    if ('text' in part) return part.text
    if (text.split(part.from).length !== 2) throw new Error(`${part.file} has not exactly one “${part.from}”`)
    return text.replace(part.from, () => part.to)
  }, source)
