/** A field that a colleague changed meanwhile. `both` where the reader changed it too, to something else. */
export type Clash = { path: string; mine: unknown; theirs: unknown; both: boolean }

type Values = Record<string, unknown>

const isGroup = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Every value with its dotted path; a list is one value. */
const leaves = (values: Values, before = ''): [string, unknown][] =>
  Object.entries(values).flatMap(([key, value]): [string, unknown][] =>
    isGroup(value) ? leaves(value, `${before}${key}.`) : [[`${before}${key}`, value]],
  )

/** Whether two values of a form are alike. */
export const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** What a colleague changed since the form was opened, besides what the reader changed in the same way. */
export const clashesOf = (base: Values, mine: Values, theirs: Values): Clash[] => {
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

/** What was saved, with what was typed on since it was sent. */
export const withTypedOn = <V extends Values>(now: V, sent: V, saved: V): V => {
  const was = new Map(leaves(sent))
  const untouched = leaves(now).filter(([path, value]) => same(value, was.get(path)))
  return takeTheirs(
    now,
    saved,
    untouched.map(([path]) => path),
  )
}

/** The reader's values with a colleague's at these paths. */
export const takeTheirs = <V extends Values>(mine: V, theirs: V, paths: readonly string[], before = ''): V => {
  const merged = Object.entries(mine).map(([key, value]): [string, unknown] => {
    const path = before + key
    const other = theirs[key]
    if (isGroup(value) && isGroup(other)) return [key, takeTheirs(value, other, paths, `${path}.`)]
    return [key, paths.includes(path) ? other : value]
  })
  return { ...mine, ...Object.fromEntries(merged) }
}
