import type { UseFormInput } from '@mantine/form'

type Rules<V extends Record<string, unknown>> = NonNullable<UseFormInput<V>['validate']>

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inside, part) => (isRecord(inside) ? inside[part] : undefined), value)

const put = (inside: unknown, [first = '', ...rest]: readonly string[], value: unknown): unknown => {
  if (Array.isArray(inside)) return inside.map((one, index) => (String(index) === first ? put(one, rest, value) : one))
  if (!isRecord(inside)) return value
  return { ...inside, [first]: rest.length === 0 ? value : put(inside[first], rest, value) }
}

/** Returns the same values with `path` set. */
const withAt = <V extends Record<string, unknown>>(values: V, path: string, value: unknown): V => {
  const [first = '', ...rest] = path.split('.')
  return { ...values, [first]: rest.length === 0 ? value : put(values[first], rest, value) }
}

// All rows of a list share one rule.
const ruleAt = (rules: unknown, path: string): unknown => at(rules, path.replaceAll(/\.\d+(?=\.|$)/g, ''))

const emptyLike = (value: unknown): '' | [] | undefined => {
  if (typeof value === 'string') return ''
  return Array.isArray(value) ? [] : undefined
}

/**
 * Returns whether the form refuses this field when it is empty. It uses the form's own rules, so that the mark on a
 * field and the refusal cannot differ. Only text and lists are checked.
 */
export const isNeeded = <V extends Record<string, unknown>>(
  rules: Rules<V> | undefined,
  values: V,
  path: string,
): boolean => {
  const empty = emptyLike(at(values, path))
  if (!rules || empty === undefined) return false
  const without = withAt(values, path, empty)
  if (typeof rules === 'function') {
    const wrong = rules(without)
    return !(wrong instanceof Promise) && Boolean(wrong[path])
  }
  const rule = ruleAt(rules, path)
  const wrong: unknown = typeof rule === 'function' && rule(empty, without, path)
  return Boolean(wrong) && !(wrong instanceof Promise)
}
