import { say } from './words.ts'

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg\//, say('security.edge')],
  [/OPR\//, say('security.opera')],
  [/Firefox\//, say('security.firefox')],
  [/Chrome\//, say('security.chrome')],
  [/Safari\//, say('security.safari')],
  [/^curl\//, 'curl'],
]
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, say('security.android')],
  [/Windows/, say('security.windows')],
  [/Mac OS X/, 'macOS'],
  [/Linux/, say('security.linux')],
]

const find = (table: readonly (readonly [RegExp, string])[], agent: string): string | undefined =>
  table.find(([pattern]) => pattern.test(agent))?.[1]

/** Describes a User-Agent header in words, such as “Firefox on Linux”, and says whether a phone or tablet sent it. */
export const describeAgent = (agent: string | null): { browser: string; phone: boolean } => {
  const browser = find(BROWSERS, agent ?? '') ?? say('security.browser.unknown')
  const system = find(SYSTEMS, agent ?? '')
  return {
    browser: system ? say('security.browser.on', { browser, system }) : browser,
    phone: system === 'iOS' || system === 'Android',
  }
}
