import type { DatabaseName } from './engine-config.ts'
import type { ReplicaPlace } from './replica-place.ts'
import type { Store } from './store.ts'

/**
 * The files that a restore of one database reads, oldest first, and the number of the last change in them. Nothing can
 * be restored if there are no files and the number is 0.
 */
type Chain = { links: string[]; reach: number }

type File = { name: string; level: number; first: number; last: number }

/** The engine's level of whole copies; the files of lower levels have changes. Litestream 0.5.18, store.go. */
const COPIES = 9
/** Directories and hosts use `ltx/0/…`, buckets `0000/…`. Litestream 0.5.18, litestream.go, s3/replica_client.go. */
const NAME = /\/(?:ltx\/|000)(\d)\/([0-9a-f]{16})-([0-9a-f]{16})\.ltx$/

function readFileName(name: string): File[] {
  const [, level, first, last] = NAME.exec(name) ?? []
  if (level === undefined || first === undefined || last === undefined) return []
  return [{ name, level: Number(level), first: Number.parseInt(first, 16), last: Number.parseInt(last, 16) }]
}

/** Returns the name under which the engine stores one change. The engine never removes the newest change. */
export function changeName(
  kind: ReplicaPlace['kind'],
  lineage: string,
  database: DatabaseName,
  change: number,
): string {
  const hex = change.toString(16).padStart(16, '0')
  return `${lineage}/${database}/${kind === 's3' ? '0000' : 'ltx/0'}/${hex}-${hex}.ltx`
}

/**
 * Returns the chain of a database in a history: the newest whole copy, then at each step the file that continues
 * furthest without a gap, as the engine plans a restore (Litestream 0.5.18, `CalcRestorePlan`).
 */
export async function readChain(store: Store, lineage: string, database: DatabaseName): Promise<Chain> {
  const files = (await store.list(`${lineage}/${database}`)).flatMap(readFileName)
  const copy = files.filter(({ level }) => level === COPIES).reduce<File | undefined>(further, undefined)
  const chain: File[] = copy ? [copy] : []
  // sorted by first change, one pass is enough: after a gap, no later file can continue the chain
  const changes = files.filter(({ level }) => level !== COPIES).toSorted((a, b) => a.first - b.first)
  let reach = copy?.last ?? 0
  let next: File | undefined
  for (const file of changes) {
    if (file.first > reach + 1 && next) {
      chain.push(next)
      reach = next.last
      next = undefined
    }
    if (file.first > reach + 1) break
    if (file.last > reach) next = further(next, file)
  }
  if (next) chain.push(next)
  return { links: chain.map(({ name }) => name), reach: next?.last ?? reach }
}

const further = (one: File | undefined, other: File): File => (one && one.last >= other.last ? one : other)
