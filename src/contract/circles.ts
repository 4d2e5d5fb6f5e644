import { dirname, join, relative } from 'node:path'

/** Which folder imports which other ones, and by what: `file imports file`. Types count, for they have to be known. */
export type Imports = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>

type Source = { path: string; text: string }

const IMPORT = /\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g

/** The imports between the folders right below `base`, from sources with paths from the root of the repository. */
export function importsBetween(base: string, sources: readonly Source[]): Imports {
  const folderOf = (path: string): string | undefined =>
    path.startsWith(`${base}/`) ? path.slice(base.length + 1).split('/')[0] : undefined
  const found = new Map<string, Map<string, string[]>>()
  for (const { path, text } of sources) {
    const from = folderOf(path)
    if (from === undefined) continue
    const ofFolder = found.get(from) ?? new Map<string, string[]>()
    found.set(from, ofFolder)
    for (const [, target = ''] of text.matchAll(IMPORT)) {
      const imported = relative('/', join('/', dirname(path), target))
      const to = folderOf(imported)
      if (to === undefined || to === from) continue
      ofFolder.set(to, [...(ofFolder.get(to) ?? []), `${path} imports ${imported}`])
    }
  }
  return found
}

/** The shortest way from one folder to another along their imports: both ends with what lies between; null without. */
export function wayBetween(imports: Imports, from: string, to: string): string[] | null {
  const ways: string[][] = [[from]]
  const seen = new Set<string>()
  for (const way of ways)
    for (const next of imports.get(way.at(-1) ?? from)?.keys() ?? []) {
      if (next === to) return [...way, next]
      if (seen.has(next)) continue
      seen.add(next)
      ways.push([...way, next])
    }
  return null
}

/** A shortest circle of folders, its first one again at the end; null where there is none. */
export function circleIn(imports: Imports): string[] | null {
  const circles = [...imports.keys()].map((folder) => wayBetween(imports, folder, folder))
  return circles.filter((circle) => circle !== null).toSorted((a, b) => a.length - b.length)[0] ?? null
}

/** A circle in words: its folders, and the imports that make each of its steps. */
export function toldOf(imports: Imports, circle: readonly string[]): string {
  const steps = circle.slice(1).flatMap((to, index) => imports.get(circle[index] ?? '')?.get(to) ?? [])
  return [circle.join(' → '), ...steps].join('\n  ')
}
