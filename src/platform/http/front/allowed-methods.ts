type Declared = { method: string; path: string; hooks?: { detail?: object } }
type Known = { methods: Set<string>; segments: readonly string[] }

/** Which methods a path answers to, asked only where none fitted: the whole table is walked then. */
export function createAllowed() {
  const known = new Map<string, Known>()
  const fits = ({ segments }: Known, asked: readonly string[]): boolean =>
    segments.at(-1) === '*'
      ? asked.length >= segments.length &&
        segments.slice(0, -1).every((segment, index) => matches(segment, asked[index]))
      : asked.length === segments.length && segments.every((segment, index) => matches(segment, asked[index]))
  return {
    /** Called once with every route of the whole application. */
    learn: (routes: readonly Declared[]): void => {
      for (const { method, path } of routes) {
        const entry = known.get(path) ?? { methods: new Set<string>(), segments: path.split('/') }
        entry.methods.add(method)
        if (method === 'GET') entry.methods.add('HEAD')
        known.set(path, entry)
      }
    },
    /** The methods of a path in the order of their names; none where nothing is. */
    of: (path: string): string[] => {
      const asked = path.split('/', 20)
      const methods = [...known.values()].filter((entry) => fits(entry, asked)).flatMap((entry) => [...entry.methods])
      return [...new Set(methods)].sort()
    },
  }
}
const matches = (declared: string, asked: string | undefined): boolean =>
  asked !== undefined && (declared.startsWith(':') ? asked !== '' : declared === asked)
