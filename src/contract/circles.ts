import { dirname, join, relative } from 'node:path'

/**
 * Maps each folder to the folders that it imports, with `file imports file` for each import. Imports of types count.
 */
export type Imports = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>

type Source = { path: string; text: string }

const IMPORT = /\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g

/** Returns the imports between the folders directly below `base`; sources have paths from the repository's root. */
export function importsBetween(base: string, sources: readonly Source[]): Imports {
  const findFolder = (path: string): string | undefined =>
    path.startsWith(`${base}/`) ? path.slice(base.length + 1).split('/')[0] : undefined
  const found = new Map<string, Map<string, string[]>>()
  for (const { path, text } of sources) {
    const from = findFolder(path)
    if (from === undefined) continue
    const ofFolder = found.get(from) ?? new Map<string, string[]>()
    found.set(from, ofFolder)
    for (const [, target = ''] of text.matchAll(IMPORT)) {
      const imported = relative('/', join('/', dirname(path), target))
      const to = findFolder(imported)
      if (to === undefined || to === from) continue
      ofFolder.set(to, [...(ofFolder.get(to) ?? []), `${path} imports ${imported}`])
    }
  }
  return found
}

/** Returns the shortest chain of imports from one folder to another, with both at its ends; null if there is none. */
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

/** Returns a shortest circle of folders, with its first folder again at the end; null if there is none. */
export function circleIn(imports: Imports): string[] | null {
  const circles = [...imports.keys()].map((folder) => wayBetween(imports, folder, folder))
  return circles.filter((circle) => circle !== null).toSorted((a, b) => a.length - b.length)[0] ?? null
}

/** Describes a circle: its folders, and the imports that make each of its steps. */
export function describeCircle(imports: Imports, circle: readonly string[]): string {
  const steps = circle.slice(1).flatMap((to, index) => imports.get(circle[index] ?? '')?.get(to) ?? [])
  return [circle.join(' → '), ...steps].join('\n  ')
}
