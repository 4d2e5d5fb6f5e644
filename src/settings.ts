import ipaddr from 'ipaddr.js'

/** Reads settings by name and type, and refuses an unusable one by its name. */
export type Settings<Name extends string> = {
  text(name: Name): string
  fail(name: Name, wanted: string): never
  integer(name: Name, min: number, max: number): number
  boolean(name: Name): boolean
  /** Splits at commas; spaces around items and empty items do not count. */
  list(name: Name): string[]
  networks(name: Name): string[]
  oneOf<Word extends string>(name: Name, words: readonly Word[]): Word
}

/** Returns a reader of settings, made of their texts and of a function that refuses one. */
export function createSettingsReader<Name extends string>(
  text: (name: Name) => string,
  fail: (name: Name, wanted: string) => never,
): Settings<Name> {
  const integer = (name: Name, min: number, max: number): number => {
    const value = text(name)
    const number = Number(value)
    if (!/^\d+$/.test(value) || number < min || number > max) fail(name, `must be a whole number from ${min} to ${max}`)
    return number
  }
  const list = (name: Name): string[] =>
    text(name)
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
  const networks = (name: Name): string[] => {
    const items = list(name)
    for (const item of items) if (!ipaddr.isValidCIDR(item)) fail(name, `“${item}” is not a network such as 10.0.0.0/8`)
    return items
  }
  const boolean = (name: Name): boolean => {
    const value = text(name)
    if (value !== 'true' && value !== 'false') fail(name, 'must be true or false')
    return value === 'true'
  }
  const oneOf = <Word extends string>(name: Name, words: readonly Word[]): Word =>
    words.find((word) => word === text(name)) ??
    fail(name, `must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`)
  return { text, fail, integer, boolean, list, networks, oneOf }
}
