const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
  [/^curl\//, 'curl'],
]
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]

const find = (table: readonly (readonly [RegExp, string])[], agent: string): string | undefined =>
  table.find(([pattern]) => pattern.test(agent))?.[1]

/** A browser's header in words, "Firefox on Linux", and whether it is a phone or tablet. */
export const describeAgent = (agent: string | null): { browser: string; phone: boolean } => {
  const browser = find(BROWSERS, agent ?? '') ?? 'Unknown browser'
  const system = find(SYSTEMS, agent ?? '')
  return {
    browser: system ? `${browser} on ${system}` : browser,
    phone: system === 'iOS' || system === 'Android',
  }
}
