/** A field that a colleague changed meanwhile. `both` is set if the reader changed it too, to something else. */
export type Clash = { path: string; mine: unknown; theirs: unknown; both: boolean }

type Values = Record<string, unknown>

const isGroup = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns every value with its dotted path; a list is one value. */
const leaves = (values: Values, before = ''): [string, unknown][] =>
  Object.entries(values).flatMap(([key, value]): [string, unknown][] =>
    isGroup(value) ? leaves(value, `${before}${key}.`) : [[`${before}${key}`, value]],
  )

/** Returns whether two values of a form are equal. */
export const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Returns what a colleague changed since the form was opened, without the changes that the reader made too. */
export const findClashes = (base: Values, mine: Values, theirs: Values): Clash[] => {
  const [was, have] = [new Map(leaves(base)), new Map(leaves(mine))]
  return leaves(theirs)
    .filter(([path, value]) => !same(value, was.get(path)) && !same(value, have.get(path)))
    .map(([path, value]) => ({
      path,
      mine: have.get(path),
      theirs: value,
      both: !same(have.get(path), was.get(path)),
    }))
}

/** Returns the saved values, with what was typed after sending. */
export const withTypedOn = <V extends Values>(now: V, sent: V, saved: V): V => {
  const was = new Map(leaves(sent))
  const untouched = leaves(now).filter(([path, value]) => same(value, was.get(path)))
  return takeTheirs(
    now,
    saved,
    untouched.map(([path]) => path),
  )
}

/** Returns the reader's values with a colleague's at these paths. */
export const takeTheirs = <V extends Values>(mine: V, theirs: V, paths: readonly string[], before = ''): V => {
  const merged = Object.entries(mine).map(([key, value]): [string, unknown] => {
    const path = before + key
    const other = theirs[key]
    if (isGroup(value) && isGroup(other)) return [key, takeTheirs(value, other, paths, `${path}.`)]
    return [key, paths.includes(path) ? other : value]
  })
  return { ...mine, ...Object.fromEntries(merged) }
}
