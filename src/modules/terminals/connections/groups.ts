import type { GroupMask } from './connections.table.ts'

/** Returns whether a mask fits the name of a group; `*` stands for any letters, and case does not count. */
export function fitsMask(mask: string, group: string): boolean {
  const parts = mask.toLowerCase().split('*')
  const name = group.toLowerCase()
  const [first = ''] = parts
  if (parts.length === 1) return name === first
  const last = parts.at(-1) ?? ''
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false
  let from = first.length
  for (const part of parts.slice(1, -1)) {
    const at = name.indexOf(part, from)
    if (at === -1) return false
    from = at + part.length
  }
  return from <= name.length - last.length
}

/** Returns whether accounts of a group are live or demo; null for a group that is not read. The first mask counts. */
export const findType = (masks: readonly GroupMask[], group: string): GroupMask['type'] | null =>
  masks.find(({ mask }) => fitsMask(mask, group))?.type ?? null
