type Declared = { method: string; path: string; hooks?: { detail?: object } }
type Known = { methods: Set<string>; segments: readonly string[] }

/**
 * Learns all routes and finds the methods of a path. `of` searches every route, so it is called only if none matched.
 */
export function createAllowed() {
  const known = new Map<string, Known>()
  const fits = ({ segments }: Known, asked: readonly string[]): boolean =>
    segments.at(-1) === '*'
      ? asked.length >= segments.length &&
        segments.slice(0, -1).every((segment, index) => matches(segment, asked[index]))
      : asked.length === segments.length && segments.every((segment, index) => matches(segment, asked[index]))
  return {
    /** Takes every route of the whole application; called once. */
    learn: (routes: readonly Declared[]): void => {
      for (const { method, path } of routes) {
        const entry = known.get(path) ?? { methods: new Set<string>(), segments: path.split('/') }
        entry.methods.add(method)
        if (method === 'GET') entry.methods.add('HEAD')
        known.set(path, entry)
      }
    },
    /** Returns the methods of a path in alphabetical order; none for an unknown path. */
    of: (path: string): string[] => {
      const asked = path.split('/', 20)
      const methods = [...known.values()].filter((entry) => fits(entry, asked)).flatMap((entry) => [...entry.methods])
      return [...new Set(methods)].sort()
    },
  }
}
const matches = (declared: string, asked: string | undefined): boolean =>
  asked !== undefined && (declared.startsWith(':') ? asked !== '' : declared === asked)
